/** Curves of a clip as keys with straight lines between them, for formats and players that know no others. */
import { sampleChannel } from '../gltf/sample-channel.ts';
import type { GltfChannel } from '../gltf/scene.ts';
import { alongArc, alongChord, type Keys, liesNear, linearKeys, turnsNear, type Way } from './linear-keys.ts';

/** What lines may miss: of rotations in radians, of others against their largest value. */
const TOLERANCE = 1e-5;
/** A step is a line this short. */
const STEP_SECONDS = 1e-3;

/** @param ways  how players turn between two rotations, beside along the arc; absent: along chords */
export function clipKeys(channel: GltfChannel, ways: readonly Way[] = [alongChord]): Keys {
  const { path, size } = channel;
  const turns = path === 'rotation';
  const limit = TOLERANCE * (turns ? 1 : largest(channel.values));
  return linearKeys(
    {
      size,
      evaluate: (time, out) => {
        sampleChannel(channel, time, out);
        if (turns) normalize(out);
      },
      arcs: turns,
      isNear: turns ? turnsNear(limit) : liesNear(limit),
      ...(turns && { ways: [alongArc, ...ways] }),
    },
    keyMoments(channel),
  );
}

/** When a curve has keys, rising; of one that steps also the moments just before. */
export function keyMoments({ times, interpolation }: Pick<GltfChannel, 'times' | 'interpolation'>): ArrayLike<number> {
  return interpolation === 'STEP' ? stepTimes(times) : distinct(times);
}

function distinct(times: Float32Array): Float64Array {
  return Float64Array.from(times).filter((time, k) => k === 0 || time > times[k - 1]);
}

/** Every key, and the end of the value before it. */
function stepTimes(times: Float32Array): number[] {
  const moments: number[] = [];
  distinct(times).forEach((time, k, all) => {
    if (k > 0) moments.push(Math.max(time - STEP_SECONDS, (time + all[k - 1]) / 2));
    moments.push(time);
  });
  return moments;
}

function largest(values: Float32Array): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
}

function normalize(q: Float64Array): void {
  const length = Math.hypot(q[0], q[1], q[2], q[3]) || 1;
  for (let c = 0; c < 4; c++) q[c] /= length;
}
