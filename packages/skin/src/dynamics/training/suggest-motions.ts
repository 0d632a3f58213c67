/**
 * Which motions would teach most: those whose features have the largest predicted variance under what was learnt from.
 * Of a ridge regression with features f, scaled by what all motions show, the variance of a prediction is
 *
 *   v(f) = σ² fᵀ (Σ_t f_t f_tᵀ + S λ I)⁻¹ f,
 *
 * the sum over the frames of the takes. Windows of the offered motions are taken one by one, each that of the largest
 * mean variance, and then counted among what is known: ten seconds that differ from each other.
 *
 * Reference: Fedorov. Theory of optimal experiments. 1972.
 */
import { DenseCholesky } from '@pelt/math';
import {
  type Bone,
  type Clip,
  checkCancelled,
  DRIVER_INPUTS,
  type Dynamics,
  GRAVITY_INPUTS,
  InputError,
  interruptible,
  type Run,
  resolveOptions,
  validateClip,
} from '@pelt/model';
import { SUGGEST_DEFAULTS, type SuggestOptions } from '../options.ts';
import { channelsOf, respond, takeInputs } from './take-features.ts';

/** λ, relative to features of unit variance. */
const RIDGE = 1e-2;
const DOWN = Float64Array.of(0, -1, 0);

export interface Suggestion {
  /** Name of the clip. */
  readonly clip: string;
  /** Seconds of the clip. */
  readonly from: number;
  readonly to: number;
  /** Mean predicted variance, relative to the mean over what was learnt from. */
  readonly variance: number;
  /** Second of the pose whose own variance is largest. */
  readonly pose: number;
}

/**
 * Names the windows of motions that would teach a skin most, beyond the clips it was learnt from.
 *
 * @param data     m bones; clips that were learnt from, and clips on offer; with `dynamics` motion counts, else poses alone
 * @param options  seconds of a window, and of all suggestions together
 *
 * @example
 * {@includeCode ../../../examples/suggest-motions.ts}
 */
export function suggestMotions(
  data: {
    readonly bones: readonly Bone[];
    readonly learnt: readonly Clip[];
    readonly offered: readonly Clip[];
    readonly dynamics?: Dynamics;
  },
  options: Partial<SuggestOptions> | undefined,
  run: Run,
): Suggestion[] {
  const { seconds, window } = resolveOptions('suggestMotions', SUGGEST_DEFAULTS, options);
  const { bones, learnt, offered } = data;
  for (const clip of [...learnt, ...offered]) validateClip(clip, bones.length);
  if (learnt.length === 0) throw new InputError('suggestMotions: nothing was learnt from; give its clips');
  return interruptible(run, () => {
    const featuresOf = featureReader(bones, data.dynamics);
    const known = learnt.map(featuresOf);
    const windows = offered.flatMap((clip) => windowsOf(clip, window, featuresOf(clip)));
    const F = known[0].width;
    // One joint has no pose.
    if (F === 0 || windows.length === 0) return [];
    const scaled = scaler([...known, ...windows], known, F);
    const gram = new Float64Array(F * F);
    let frames = 0;
    const learn = (rows: Float64Array) => {
      for (let at = 0; at < rows.length; at += F) addOuter(gram, rows.subarray(at, at + F));
      frames += rows.length / F;
    };
    const own = known.map(({ values }) => scaled(values));
    for (const rows of own) learn(rows);
    const rows = windows.map(({ values }) => scaled(values));
    const mean = variances(gram, frames, own, F, run).flat();
    const usual = mean.reduce((sum, v) => sum + v, 0) / mean.length || 1;
    const out: Suggestion[] = [];
    const left = new Set(windows.keys());
    for (let total = 0; left.size > 0 && total < seconds; ) {
      checkCancelled(run);
      const all = [...left];
      const found = variances(
        gram,
        frames,
        all.map((k) => rows[k]),
        F,
        run,
      );
      const means = found.map((each) => each.reduce((sum, v) => sum + v, 0) / each.length);
      const best = means.reduce((most, value, k) => (value > means[most] ? k : most), 0);
      const chosen = windows[all[best]];
      const pose = found[best].reduce((most, value, t) => (value > found[best][most] ? t : most), 0);
      out.push({
        clip: chosen.clip.name,
        from: chosen.clip.times[chosen.first],
        to: chosen.clip.times[chosen.end - 1],
        variance: means[best] / usual,
        pose: chosen.clip.times[chosen.first + pose],
      });
      learn(rows[all[best]]);
      left.delete(all[best]);
      total += Math.max(chosen.clip.times[chosen.end - 1] - chosen.clip.times[chosen.first], 1e-3);
    }
    return out;
  });
}

interface Features {
  /** S × width */
  readonly values: Float64Array;
  readonly width: number;
}

/** Pose, motion and resonators of every frame of a clip; of a skin without dynamics the pose of all joints. */
function featureReader(bones: readonly Bone[], dynamics: Dynamics | undefined): (clip: Clip) => Features {
  const posed = Uint16Array.from(bones.keys()).filter((j) => bones[j].parent >= 0);
  const base = dynamics ?? { drivers: new Uint16Array(0), posed, gravity: DOWN };
  const width = DRIVER_INPUTS * base.drivers.length;
  const identity = Float64Array.from({ length: width * width }, (_, k) => (k % (width + 1) === 0 ? 1 : 0));
  const poles = dynamics?.poles ?? new Float64Array(0);
  return (clip) => {
    const take = takeInputs(bones, base, clip);
    const S = take.times.length;
    const T = take.pose.length / S;
    const channels = width > 0 ? channelsOf(take, identity) : undefined;
    const responses = Array.from({ length: channels ? poles.length / 3 : 0 }, (_, k) =>
      respond(channels as NonNullable<typeof channels>, take.times, poles[3 * k], poles[3 * k + 1]),
    );
    const motions = width - GRAVITY_INPUTS * base.drivers.length;
    const F = T + motions + 2 * width * responses.length;
    const values = new Float64Array(S * F);
    for (let t = 0, at = 0; t < S; t++) {
      for (let k = 0; k < T; k++) values[at++] = take.pose[t * T + k];
      for (let k = 0; k < width; k++) {
        if (k % DRIVER_INPUTS < DRIVER_INPUTS - GRAVITY_INPUTS) values[at++] = take.inputs[t * width + k];
      }
      for (const response of responses) {
        for (let k = 0; k < 2 * width; k++) values[at++] = response[t * 2 * width + k];
      }
    }
    return { values, width: F };
  };
}

interface Window extends Features {
  readonly clip: Clip;
  readonly first: number;
  readonly end: number;
}

/** Windows of a clip that overlap by half; the whole of a shorter one. */
function windowsOf(clip: Clip, length: number, { values, width }: Features): Window[] {
  const { times } = clip;
  const out: Window[] = [];
  for (let start = times[0]; ; start += length / 2) {
    const first = times.findIndex((time) => time >= start - 1e-9);
    const beyond = times.findIndex((time) => time > start + length + 1e-9);
    const end = beyond < 0 ? times.length : beyond;
    if (first < 0 || (out.length > 0 && end - out[out.length - 1].end <= 0)) return out;
    out.push({ clip, first, end, width, values: values.subarray(first * width, end * width) });
    if (beyond < 0) return out;
  }
}

/** About the mean of what is known, in standard deviations over everything: what never moved must be able to count. */
function scaler(all: readonly Features[], known: readonly Features[], F: number): (v: Float64Array) => Float64Array {
  const means = new Float64Array(F);
  const rows = known.reduce((sum, { values }) => sum + values.length / F, 0);
  for (const { values } of known) for (let k = 0; k < values.length; k++) means[k % F] += values[k] / rows;
  const squares = new Float64Array(F);
  let count = 0;
  for (const { values } of all) {
    for (let k = 0; k < values.length; k++) squares[k % F] += (values[k] - means[k % F]) ** 2;
    count += values.length / F;
  }
  const scales = squares.map((sum) => (sum > 1e-24 * count ? Math.sqrt(count / sum) : 0));
  return (values) => values.map((value, k) => scales[k % F] * (value - means[k % F]));
}

function addOuter(gram: Float64Array, f: Float64Array): void {
  const F = f.length;
  for (let r = 0; r < F; r++) {
    if (f[r] === 0) continue;
    for (let c = 0; c <= r; c++) gram[r * F + c] += f[r] * f[c];
  }
}

/** fᵀ (G + S λ I)⁻¹ f of every row. */
function variances(
  gram: Float64Array,
  frames: number,
  groups: readonly Float64Array[],
  F: number,
  run: Run,
): number[][] {
  const A = gram.slice();
  for (let k = 0; k < F; k++) A[k * F + k] += RIDGE * frames;
  const cholesky = new DenseCholesky(run.numerics, F);
  try {
    cholesky.factor(A);
    return groups.map((rows) => {
      const S = rows.length / F;
      const columns = new Float64Array(rows.length);
      for (let t = 0; t < S; t++) for (let k = 0; k < F; k++) columns[k * S + t] = rows[t * F + k];
      cholesky.solveInPlace(columns, S);
      return Array.from({ length: S }, (_, t) => {
        let sum = 0;
        for (let k = 0; k < F; k++) sum += rows[t * F + k] * columns[k * S + t];
        return sum;
      });
    });
  } finally {
    cholesky.dispose();
  }
}
