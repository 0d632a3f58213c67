/** The fitted read-out, in the numbers that a player needs. */
import { DRIVER_INPUTS, type Dynamics, GRAVITY_INPUTS } from '@pelt/model';
import type { ChosenReadOut, TakeData } from './choose-poles.ts';
import { fewerChannels } from './fewer-channels.ts';

/**
 * @param projection  q × width, from the drivers' inputs to the channels that were fitted
 */
export function readOutOf(
  { form, fit }: ChosenReadOut,
  takes: readonly TakeData[],
  { pose: T, targets: R }: { readonly pose: number; readonly targets: number },
  projection: Float64Array,
  width: number,
): Pick<Dynamics, 'offsets' | 'poseMap' | 'motionMap' | 'poles' | 'channels' | 'readOut'> {
  const q = projection.length / width;
  const { weights, offsets } = fit;
  const poseMap = new Float64Array(R * T);
  for (let r = 0; r < R; r++) for (let k = 0; k < T; k++) poseMap[r * T + k] = weights[k * R + r];
  const motionMap = form.motion
    ? motionsOf(weights.subarray(T * R, (T + q) * R), projection, R, width)
    : new Float64Array(0);
  const first = T + (form.motion ? q : 0);
  const scales = scalesOf(takes, q);
  const parts = form.poles.map((_, k) =>
    fewerChannels(weights.subarray((first + 2 * q * k) * R, (first + 2 * q * (k + 1)) * R), scales, R),
  );
  const C = parts.reduce((sum, { count }) => sum + count, 0);
  const channels = new Float64Array(C * width);
  const readOut = new Float64Array(R * 2 * C);
  const poles = new Float64Array(3 * parts.length);
  let at = 0;
  parts.forEach(({ count, channels: mixed, readOut: read }, k) => {
    poles.set([form.poles[k].omega, form.poles[k].zeta, count], 3 * k);
    for (let c = 0; c < count; c++) {
      for (let b = 0; b < q; b++) {
        const v = mixed[c * q + b];
        for (let i = 0; i < width; i++) channels[(at + c) * width + i] += v * projection[b * width + i];
      }
    }
    for (let r = 0; r < R; r++) {
      readOut.set(read.subarray(r * 2 * count, (r + 1) * 2 * count), r * 2 * C + 2 * at);
    }
    at += count;
  });
  return { offsets, poseMap, motionMap, poles, channels, readOut };
}

/** R × 15J, from weights of the channels' motion. */
function motionsOf(weights: Float64Array, projection: Float64Array, R: number, width: number): Float64Array {
  const motions = DRIVER_INPUTS - GRAVITY_INPUTS;
  const count = (width / DRIVER_INPUTS) * motions;
  const out = new Float64Array(R * count);
  for (let k = 0; k < count; k++) {
    const i = Math.floor(k / motions) * DRIVER_INPUTS + (k % motions);
    for (let b = 0; b < projection.length / width; b++) {
      for (let r = 0; r < R; r++) out[r * count + k] += weights[b * R + r] * projection[b * width + i];
    }
  }
  return out;
}

/** Standard deviations of the channels: a constant drives nothing. */
function scalesOf(takes: readonly TakeData[], q: number): Float64Array {
  const [sums, squares] = [new Float64Array(q), new Float64Array(q)];
  let S = 0;
  for (const { channels, times } of takes) {
    S += times.length;
    for (let k = 0; k < channels.motion.length; k++) {
      const value = channels.motion[k] + channels.gravity[k];
      sums[k % q] += value;
      squares[k % q] += value * value;
    }
  }
  return squares.map((sum, k) => Math.sqrt(Math.max(0, sum / S - (sums[k] / S) ** 2)));
}
