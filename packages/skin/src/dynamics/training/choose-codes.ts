/**
 * How strongly codes are regularised. Flesh that quivers wants next to nothing of that; cloth that swings far has codes
 * that are far from linear in its shape where they are weakly determined. What counts is the surface that the modes of the
 * codes give back: the ridge is taken that misses the least of it, on some of the frames.
 */
import { checkCancelled, frameCount, type ReducedEnvelope, type Run, SWING_CODE, TRANSFORM_SIZE } from '@pelt/model';
import { EnvelopePalette } from '../../envelope/runtime/envelope-palette.ts';
import { deformLinear } from '../../shared/blending/linear.ts';
import { SwingPlayer } from '../runtime/swing-player.ts';
import { type SwingCodes, swingCodes } from './swing-codes.ts';
import { swingModes } from './swing-modes.ts';
import type { SwingExamples } from './train-dynamics.ts';

const RIDGES = [1e-4, 1e-5, 1e-6];
/** Frames that are tried, evenly spaced over all takes. */
const MOST_FRAMES = 96;

interface Frames {
  /** S × m × 12 */
  readonly poses: Float64Array;
  /** S × n × 3 */
  readonly shapes: Float32Array;
}

/** @param modes  most modes that will be kept */
export function chooseCodes(
  envelope: ReducedEnvelope,
  takes: SwingExamples['takes'],
  modes: number,
  run: Run,
): SwingCodes {
  const frames = someFrames(takes);
  const tried = RIDGES.map((ridge) => {
    const fitting = swingCodes(envelope, ridge, run);
    return { fitting, missed: missedBy(envelope, fitting, frames, modes, run) };
  });
  return tried.reduce((a, b) => (b.missed < a.missed ? b : a)).fitting;
}

function someFrames(takes: SwingExamples['takes']): Frames {
  const total = takes.reduce((sum, { sequence }) => sum + frameCount(sequence), 0);
  const stride = Math.ceil(total / MOST_FRAMES);
  const poses: Float64Array[] = [];
  const shapes: Float32Array[] = [];
  let k = 0;
  for (const { clip, sequence } of takes) {
    const S = frameCount(sequence);
    const [m, n] = [clip.transforms.length / S, sequence.frames.length / S];
    for (let t = 0; t < S; t++, k++) {
      if (k % stride !== 0) continue;
      poses.push(clip.transforms.subarray(t * m, (t + 1) * m));
      shapes.push(sequence.frames.subarray(t * n, (t + 1) * n));
    }
  }
  const [m, n] = [poses[0].length, shapes[0].length];
  const all = { poses: new Float64Array(m * poses.length), shapes: new Float32Array(n * shapes.length) };
  poses.forEach((pose, t) => {
    all.poses.set(pose, t * m);
    all.shapes.set(shapes[t], t * n);
  });
  return all;
}

/** Squared distance of the surface to what the modes of its codes give back. */
function missedBy(
  { rig, skin, ...driver }: ReducedEnvelope,
  { centres, metric, fit }: SwingCodes,
  { poses, shapes }: Frames,
  most: number,
  run: Run,
): number {
  const size = SWING_CODE * driver.proxies;
  const codes = fit(poses, shapes);
  const S = codes.length / size;
  const rest = new Float64Array(size);
  for (let k = 0; k < codes.length; k++) rest[k % size] += codes[k] / S;
  const { modes, amplitudes } = swingModes(codes, rest, metric, size, most, run);
  const R = modes.length / size;
  const nothing = new Float64Array(0);
  const player = new SwingPlayer(
    {
      gravity: Float64Array.of(0, -1, 0),
      drivers: new Uint16Array(0),
      speeds: nothing,
      posed: new Uint16Array(0),
      bones: Uint16Array.from({ length: driver.proxies }, (_, d) => d),
      centres,
      rest,
      modes,
      limits: new Float64Array(R),
      offsets: new Float64Array(R),
      poseMap: nothing,
      motionMap: nothing,
      poles: nothing,
      channels: nothing,
      readOut: nothing,
    },
    rig.bones,
  );
  const state = player.createState();
  const palette = new EnvelopePalette(driver, rig.bones);
  const { positions } = rig.mesh;
  const shown = new Float32Array(positions.length);
  const m = rig.bones.length * TRANSFORM_SIZE;
  let sum = 0;
  for (let t = 0; t < S; t++) {
    checkCancelled(run);
    const bones = palette.update(poses.subarray(t * m, (t + 1) * m));
    state.amplitudes.set(amplitudes.subarray(t * R, (t + 1) * R));
    player.apply(state, bones);
    deformLinear(positions, skin, bones, shown);
    for (let k = 0; k < shown.length; k++) sum += (shown[k] - shapes[t * shown.length + k]) ** 2;
  }
  return sum;
}
