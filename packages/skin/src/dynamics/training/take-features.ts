/** What a read-out may listen to, frame by frame of a take: inputs of the drivers, features of the pose, resonators. */
import { type Bone, type Clip, DRIVER_INPUTS, type Dynamics, GRAVITY_INPUTS, TRANSFORM_SIZE } from '@pelt/model';
import { DriverInputs } from '../runtime/driver-inputs.ts';
import { PoseFeatures } from '../runtime/pose-features.ts';
import { advance, decayOf } from '../runtime/resonator.ts';

/** One take, before any pole is chosen. */
export interface TakeInputs {
  readonly times: Float64Array;
  /** S × 18J */
  readonly inputs: Float64Array;
  /** S × (3 posed + 3J) */
  readonly pose: Float64Array;
  /** S × (9 posed + 3J) */
  readonly turns: Float64Array;
}

export function takeInputs(
  bones: readonly Bone[],
  given: Pick<Dynamics, 'drivers' | 'posed' | 'gravity'>,
  { times, transforms }: Clip,
): TakeInputs {
  const reader = new DriverInputs(bones, { drivers: given.drivers, gravity: given.gravity });
  const features = new PoseFeatures(bones, given);
  const matrices = new PoseFeatures(bones, given, true);
  const S = times.length;
  const size = bones.length * TRANSFORM_SIZE;
  const inputs = new Float64Array(S * reader.values.length);
  const pose = new Float64Array(S * features.values.length);
  const turns = new Float64Array(S * matrices.values.length);
  let before = new Float64Array(reader.placementSize);
  let now = new Float64Array(reader.placementSize);
  for (let t = 0; t < S; t++) {
    const frame = transforms.subarray(t * size, (t + 1) * size);
    reader.place(frame, now);
    reader.read(t > 0 ? before : now, now, t > 0 ? times[t] - times[t - 1] : 0);
    inputs.set(reader.values, t * reader.values.length);
    pose.set(features.read(frame, reader.values), t * features.values.length);
    turns.set(matrices.read(frame, reader.values), t * matrices.values.length);
    [before, now] = [now, before];
  }
  return { times, inputs, pose, turns };
}

/** Inputs in fewer channels, by a constant matrix; motion and gravity apart. */
export interface Channels {
  readonly count: number;
  /** S × count */
  readonly motion: Float64Array;
  readonly gravity: Float64Array;
}

/** @param projection  count × 18J */
export function channelsOf({ inputs, times }: TakeInputs, projection: Float64Array): Channels {
  const S = times.length;
  const width = inputs.length / S;
  const count = projection.length / width;
  const [motion, gravity] = [new Float64Array(S * count), new Float64Array(S * count)];
  for (let t = 0; t < S; t++) {
    for (let c = 0; c < count; c++) {
      for (let k = 0; k < width; k++) {
        const value = projection[c * width + k] * inputs[t * width + k];
        if (k % DRIVER_INPUTS < DRIVER_INPUTS - GRAVITY_INPUTS) motion[t * count + c] += value;
        else gravity[t * count + c] += value;
      }
    }
  }
  return { count, motion, gravity };
}

/**
 * The response of one pole to all channels, as the player computes it.
 *
 * @returns S × 2 count: for every channel s − g and ṡ/Ω
 */
export function respond(
  { count, motion, gravity }: Channels,
  times: Float64Array,
  omega: number,
  zeta: number,
): Float64Array {
  const S = times.length;
  const out = new Float64Array(S * 2 * count);
  const decay = new Float64Array(4);
  const state = new Float64Array(2);
  let [known, interval] = [-1, 0];
  const states = new Float64Array(2 * count);
  for (let c = 0; c < count; c++) states[2 * c] = gravity[c];
  for (let t = 1; t < S; t++) {
    const dt = times[t] - times[t - 1];
    if (dt !== known) decayOf(omega, zeta, dt, decay, 0);
    known = dt;
    const half = interval > 0 ? dt / (dt + interval) : 0;
    interval = dt;
    for (let c = 0; c < count; c++) {
      const at = t * count + c;
      const rise = half * (motion[at] - motion[at - count]);
      state[0] = states[2 * c];
      state[1] = states[2 * c + 1];
      const [from, to] = [gravity[at - count] + motion[at] - rise, gravity[at] + motion[at] + rise];
      advance(state, 0, decay, 0, omega, zeta, dt, from, to);
      states[2 * c] = state[0];
      states[2 * c + 1] = state[1];
      out[2 * at] = state[0] - gravity[at];
      out[2 * at + 1] = state[1];
    }
  }
  return out;
}
