/**
 * Which read-out fits: of the pose alone, with the motion of the last interval, or with resonators, whose poles are a
 * fixed bank (damped parts) or learnt by variable projection (lightly damped parts): the weights are solved for, and
 * frequency and damping are found by Nelder–Mead on the error over groups left out.
 *
 * The simplest whose error is within 2 % of the best is taken.
 *
 * Reference: Golub, Pereyra. The differentiation of pseudo-inverses and nonlinear least squares problems whose variables
 * separate. 1973.
 */
import { exp, log } from '@pelt/math';
import { checkCancelled, type Run } from '@pelt/model';
import { nelderMead } from '../../shared/nelder-mead.ts';
import type { DynamicsMethod } from '../options.ts';
import { GroupRidge, type GroupRows, PENALTIES, type Penalties, type RidgeFit } from './group-ridge.ts';
import { type Channels, respond } from './take-features.ts';

export interface Pole {
  /** Radians per second. */
  readonly omega: number;
  readonly zeta: number;
}

/** A take, and the targets of its frames. */
export interface TakeData {
  readonly times: Float64Array;
  /** S × T */
  readonly pose: Float64Array;
  readonly channels: Channels;
  /** S × R */
  readonly targets: Float64Array;
  /** First frames of the pieces that are left out together. */
  readonly pieces: readonly number[];
}

export interface ReadOutForm {
  readonly method: Exclude<DynamicsMethod, 'auto'>;
  /** Whether the motion of the last interval is a feature. */
  readonly motion: boolean;
  readonly poles: readonly Pole[];
}

export interface ChosenReadOut {
  readonly form: ReadOutForm;
  readonly fit: RidgeFit;
  /** Mean squared errors over groups left out, of the best of each method that was tried. */
  readonly leftOut: Readonly<Partial<Record<Exclude<DynamicsMethod, 'auto'>, number>>>;
}

/** A simpler read-out is taken where its error is at most this much larger. */
const MARGIN = 1.02;
const TAU = 2 * Math.PI;
const BANKS = [3, 5].map((K) =>
  Array.from({ length: K }, (_, k) => ({ omega: TAU * 0.5 * exp((log(20) * k) / (K - 1)), zeta: 0.35 })),
);
/** Poles that a search starts from, in Hz and as damping ratios. */
const START_HERTZ = [0.7, 1.1, 1.7, 2.6, 4, 6.2, 9.5];
const START_ZETAS = [0.05, 0.2];
const MOST_POLES = 3;
const EVALUATIONS = [24, 40, 56];
/** Searches look at so many frames. */
const SEARCHED_FRAMES = 400;
/** Of searches; the final fit has its own. */
const SEARCH_PENALTIES: readonly Penalties[] = [1e-4, 1e-3, 1e-2].map((motion) => ({ pose: 1e-2, motion }));

export function chooseReadOut(
  takes: readonly TakeData[],
  widths: { readonly pose: number; readonly targets: number },
  method: DynamicsMethod,
  run: Run,
): ChosenReadOut {
  const data = new ReadOutData(takes, widths, run);
  const leftOut: Partial<Record<Exclude<DynamicsMethod, 'auto'>, number>> = {};
  const tried: { form: ReadOutForm; fit: RidgeFit }[] = [];
  const consider = (form: ReadOutForm) => {
    const fit = data.ridge(form, 1).choose(PENALTIES);
    leftOut[form.method] = Math.min(leftOut[form.method] ?? Number.POSITIVE_INFINITY, fit.leftOut);
    tried.push({ form, fit });
  };
  const posed: ReadOutForm = { method: 'none', motion: false, poles: [] };
  // Amplitudes of zero come first: what the features do not explain on takes left out is not read from them.
  tried.push({ form: posed, fit: data.still() });
  leftOut.none = tried[0].fit.leftOut;
  consider(posed);
  if (method !== 'none') consider({ method: 'twist', motion: true, poles: [] });
  if (method === 'auto' || method === 'resonators') {
    let poles: readonly Pole[] = [];
    while (poles.length < MOST_POLES) {
      poles = data.withOneMore(poles);
      consider({ method: 'resonators', motion: false, poles });
      consider({ method: 'resonators', motion: true, poles });
    }
    for (const bank of BANKS) consider({ method: 'resonators', motion: true, poles: bank });
  }
  const allowed = tried.filter(({ form }) => method === 'auto' || form.method === method);
  const least = Math.min(...allowed.map(({ fit }) => fit.leftOut));
  const chosen = allowed.find(({ fit }) => Math.sqrt(fit.leftOut) <= MARGIN * Math.sqrt(least)) ?? allowed[0];
  return { ...chosen, leftOut };
}

/** Builds the regression of a form from the takes. */
class ReadOutData {
  readonly #takes: readonly TakeData[];
  readonly #run: Run;
  readonly #T: number;
  readonly #R: number;
  readonly #stride: number;

  constructor(takes: readonly TakeData[], { pose, targets }: { pose: number; targets: number }, run: Run) {
    this.#takes = takes;
    this.#run = run;
    this.#T = pose;
    this.#R = targets;
    const frames = takes.reduce((sum, { times }) => sum + times.length, 0);
    this.#stride = Math.max(1, Math.floor(frames / SEARCHED_FRAMES));
  }

  /** The read-out that leaves all amplitudes at zero. */
  still(): RidgeFit {
    const [T, R] = [this.#T, this.#R];
    const perGroup = this.#takes.flatMap(({ targets, pieces }) =>
      pieces.map((first, k) => {
        const rows = targets.subarray(first * R, (pieces[k + 1] ?? targets.length / (R || 1)) * R);
        return { sum: rows.reduce((sum, a) => sum + a * a, 0), count: rows.length / (R || 1) };
      }),
    );
    const sum = perGroup.reduce((all, group) => all + group.sum, 0);
    const count = perGroup.reduce((all, group) => all + group.count, 0);
    return {
      weights: new Float64Array(T * R),
      offsets: new Float64Array(R),
      penalties: { pose: Number.POSITIVE_INFINITY, motion: Number.POSITIVE_INFINITY },
      leftOut: sum / (count || 1),
      perGroup: perGroup.map((group) => group.sum / (group.count || 1)),
    };
  }

  ridge({ motion, poles }: ReadOutForm, stride: number): GroupRidge {
    const [T, R] = [this.#T, this.#R];
    const q = this.#takes[0].channels.count;
    const F = T + (motion ? q : 0) + 2 * q * poles.length;
    const groups: GroupRows[] = [];
    for (const { times, pose, channels, targets, pieces } of this.#takes) {
      const responses = poles.map(({ omega, zeta }) => respond(channels, times, omega, zeta));
      pieces.forEach((first, k) => {
        const end = pieces[k + 1] ?? times.length;
        const count = Math.ceil((end - first) / stride);
        const features = new Float64Array(count * F);
        const wanted = new Float64Array(count * R);
        for (let t = first, row = 0; t < end; t += stride, row++) {
          let at = row * F;
          for (let c = 0; c < T; c++) features[at++] = pose[t * T + c];
          if (motion) for (let c = 0; c < q; c++) features[at++] = channels.motion[t * q + c];
          for (const response of responses) for (let c = 0; c < 2 * q; c++) features[at++] = response[t * 2 * q + c];
          for (let r = 0; r < R; r++) wanted[row * R + r] = targets[t * R + r];
        }
        groups.push({ count, features, targets: wanted });
      });
    }
    const kinds = [T, ...(motion ? [q] : []), ...poles.map(() => 2 * q)];
    return new GroupRidge(groups, kinds, R, T, this.#run);
  }

  /** The given poles and the one beside them that helps most, then all of them moved. */
  withOneMore(poles: readonly Pole[]): readonly Pole[] {
    const errorOf = (tried: readonly Pole[]) => {
      checkCancelled(this.#run);
      const ridge = this.ridge({ method: 'resonators', motion: false, poles: tried }, this.#stride);
      return Math.min(...SEARCH_PENALTIES.map((tried) => ridge.leftOut(tried).reduce((a, b) => a + b, 0)));
    };
    let best: { poles: readonly Pole[]; error: number } | undefined;
    for (const hertz of START_HERTZ) {
      for (const zeta of START_ZETAS) {
        const tried = [...poles, { omega: TAU * hertz, zeta }];
        const error = errorOf(tried);
        if (!best || error < best.error) best = { poles: tried, error };
      }
    }
    const start = (best?.poles ?? []).flatMap(({ omega, zeta }) => [log(omega), log(zeta / (1 - zeta))]);
    const steps = start.map((_, k) => (k % 2 === 0 ? 0.15 : 0.5));
    const found = nelderMead((x) => errorOf(polesOf(x)), start, steps, EVALUATIONS[poles.length]);
    return polesOf(found.x);
  }
}

/** Between 0.1 and 30 Hz, and damping ratios between 0.005 and 0.95. */
function polesOf(x: readonly number[]): Pole[] {
  const within = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
  return Array.from({ length: x.length / 2 }, (_, k) => ({
    omega: within(exp(within(x[2 * k], -10, 10)), TAU * 0.1, TAU * 30),
    zeta: within(1 / (1 + exp(-within(x[2 * k + 1], -10, 10))), 0.005, 0.95),
  }));
}
