/** The fitted read-out, in the numbers that a player needs. */
import { DRIVER_INPUTS, type Dynamics, GRAVITY_INPUTS } from '@pelt/model';
import type { ChosenReadOut } from './choose-poles.ts';
import { fewerChannels } from './fewer-channels.ts';
import { type Pole, readsRate, type TakeData } from './read-out-data.ts';
import { type Channels, respond } from './take-features.ts';

/**
 * @param T           features of the pose
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
  const forces = form.read === 'forces';
  const count = forces ? width : q;
  const each = forces ? width : 2 * q;
  const parts = form.poles.map((pole, k) => {
    const scales = forces ? responseScales(takes, pole) : scalesOf(takes.map(({ channels }) => channels));
    const rows = weights.subarray((first + each * k) * R, (first + each * (k + 1)) * R);
    return fewerChannels(forces ? bothNumbers(rows, width, R) : rows, scales, R);
  });
  const C = parts.reduce((sum, part) => sum + part.count, 0);
  const channels = new Float64Array(C * width);
  const readOut = new Float64Array(R * 2 * C);
  const poles = new Float64Array(3 * parts.length);
  let at = 0;
  parts.forEach((part, k) => {
    poles.set([form.poles[k].omega, form.poles[k].zeta, part.count], 3 * k);
    for (let c = 0; c < part.count; c++) {
      for (let b = 0; b < count; b++) {
        const v = part.channels[c * count + b];
        if (forces) channels[(at + c) * width + b] = v;
        else for (let i = 0; i < width; i++) channels[(at + c) * width + i] += v * projection[b * width + i];
      }
    }
    for (let r = 0; r < R; r++) {
      readOut.set(part.readOut.subarray(r * 2 * part.count, (r + 1) * 2 * part.count), r * 2 * C + 2 * at);
    }
    at += part.count;
  });
  return { offsets, poseMap, motionMap, poles, channels, readOut };
}

/** Weights of both numbers of every input, 2 width × R, from those of the one that is read. */
function bothNumbers(rows: Float64Array, width: number, R: number): Float64Array {
  const out = new Float64Array(2 * width * R);
  for (let c = 0; c < width; c++) out.set(rows.subarray(c * R, (c + 1) * R), (2 * c + (readsRate(c) ? 1 : 0)) * R);
  return out;
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

/** Root mean squares of what is read of each input's resonator. */
function responseScales(takes: readonly TakeData[], { omega, zeta }: Pole): Float64Array {
  const q = takes[0].inputs.count;
  const squares = new Float64Array(q);
  let S = 0;
  for (const { inputs, times } of takes) {
    S += times.length;
    respond(inputs, times, omega, zeta).forEach((value, k) => {
      const c = Math.floor(k / 2) % q;
      if ((k % 2 === 1) === readsRate(c)) squares[c] += value * value;
    });
  }
  return squares.map((sum) => Math.sqrt(sum / S));
}

/** Standard deviations of the channels: a constant drives nothing. */
function scalesOf(takes: readonly Channels[]): Float64Array {
  const q = takes[0].count;
  const [sums, squares] = [new Float64Array(q), new Float64Array(q)];
  let S = 0;
  for (const { motion, gravity } of takes) {
    S += motion.length / q;
    for (let k = 0; k < motion.length; k++) {
      const value = motion[k] + gravity[k];
      sums[k % q] += value;
      squares[k % q] += value * value;
    }
  }
  return squares.map((sum, k) => Math.sqrt(Math.max(0, sum / S - (sums[k] / S) ** 2)));
}
