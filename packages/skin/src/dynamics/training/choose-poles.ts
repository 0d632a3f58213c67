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
import type { Penalties, RidgeFit } from './group-ridge.ts';
import { type Pole, ReadOutData, type ReadOutForm, type TakeData } from './read-out-data.ts';

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
/** Poles that a search starts from, in Hz and as damping ratios: as close as valleys of lightly damped ones are wide. */
const START_HERTZ = Array.from({ length: 13 }, (_, k) => 0.7 * exp(k * log(1.25)));
const START_ZETAS = [0.05, 0.2];
/** Evaluations of the search with one pole, with two, and so on. */
const EVALUATIONS = [24, 40, 48, 56];
/** Frames, drivers and targets that searches look at. */
const SEARCHED_FRAMES = 400;
const SEARCHED_DRIVERS = 2;
const SEARCHED_TARGETS = 8;
/** Of searches; the final fit has its own. */
const SEARCH_PENALTIES: readonly Penalties[] = [1e-2, 1e3].flatMap((pose) =>
  [3e-3, 3e-2].map((motion) => ({ pose, motion })),
);

export function chooseReadOut(takes: readonly TakeData[], method: DynamicsMethod, run: Run): ChosenReadOut {
  const data = new ReadOutData(takes, run);
  const leftOut: Partial<Record<Exclude<DynamicsMethod, 'auto'>, number>> = {};
  const tried: { form: ReadOutForm; fit: RidgeFit }[] = [];
  const none: ReadOutForm = { method: 'none', pose: 'vectors', motion: false, poles: [], read: 'forces' };
  // Amplitudes of zero come first: what the features do not explain on takes left out is not read from them.
  tried.push({ form: none, fit: data.still(none) });
  leftOut.none = tried[0].fit.leftOut;
  const consider = (form: ReadOutForm) => {
    const fit = data.ridge(form, data.whole).choose();
    leftOut[form.method] = Math.min(leftOut[form.method] ?? Number.POSITIVE_INFINITY, fit.leftOut);
    tried.push({ form, fit });
    return fit;
  };
  const allowed = () => tried.filter(({ form }) => method === 'auto' || form.method === method);
  const best = () => allowed().reduce((a, b) => (b.fit.leftOut < a.fit.leftOut ? b : a));
  consider(none);
  consider({ ...none, pose: 'matrices' });
  if (method !== 'none') consider({ ...none, method: 'twist', motion: true });
  if (method === 'auto' || method === 'resonators') {
    let resonators: ReadOutForm = { ...none, method: 'resonators' };
    for (const evaluations of EVALUATIONS) {
      resonators = withOneMore(data, resonators, evaluations, run);
      const fit = consider(resonators);
      consider({ ...resonators, motion: true, read: 'states' });
      if (resonators.poles.length > 1) continue;
      // The search goes on with the features of the pose that explain more beside a resonator.
      const matrices: ReadOutForm = { ...resonators, pose: 'matrices' };
      if (consider(matrices).leftOut < fit.leftOut) resonators = matrices;
    }
    for (const bank of BANKS) {
      consider({ ...resonators, poles: bank });
      consider({ ...resonators, poles: bank, motion: true, read: 'states' });
    }
  }
  const least = best().fit.leftOut;
  const chosen = allowed().find(({ fit }) => Math.sqrt(fit.leftOut) <= MARGIN * Math.sqrt(least)) ?? tried[0];
  return { ...chosen, leftOut };
}

/** The given poles and the one beside them that helps most, then all of them moved, on a part of the data. */
function withOneMore(data: ReadOutData, form: ReadOutForm, evaluations: number, run: Run): ReadOutForm {
  const { frames, whole } = data;
  const extent = {
    stride: Math.max(1, Math.floor(frames / SEARCHED_FRAMES)),
    drivers: Math.min(SEARCHED_DRIVERS, whole.drivers),
    targets: Math.min(SEARCHED_TARGETS, whole.targets),
  };
  /** Over groups left out, with the best of some penalties. */
  const errorOf = (poles: readonly Pole[], penalties: readonly Penalties[]) => {
    checkCancelled(run);
    const ridge = data.ridge({ ...form, poles }, extent);
    return penalties
      .map((penalty) => ({ penalty, error: ridge.leftOut(penalty).reduce((a, b) => a + b, 0) }))
      .reduce((a, b) => (b.error < a.error ? b : a));
  };
  let best: { poles: readonly Pole[]; error: number; penalty: Penalties } | undefined;
  for (const hertz of START_HERTZ) {
    for (const zeta of START_ZETAS) {
      const poles = [...form.poles, { omega: TAU * hertz, zeta }];
      const tried = errorOf(poles, SEARCH_PENALTIES);
      if (!best || tried.error < best.error) best = { poles, ...tried };
    }
  }
  if (!best) return form;
  const { penalty } = best;
  const start = best.poles.flatMap(({ omega, zeta }) => [log(omega), log(zeta / (1 - zeta))]);
  const steps = start.map((_, k) => (k % 2 === 0 ? 0.15 : 0.5));
  const found = nelderMead((x) => errorOf(polesOf(x), [penalty]).error, start, steps, evaluations);
  return { ...form, poles: polesOf(found.x) };
}

/** Between 0.1 and 30 Hz, and damping ratios between 0.005 and 0.95. */
function polesOf(x: readonly number[]): Pole[] {
  const within = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
  return Array.from({ length: x.length / 2 }, (_, k) => ({
    omega: within(exp(within(x[2 * k], -10, 10)), TAU * 0.1, TAU * 30),
    zeta: within(1 / (1 + exp(-within(x[2 * k + 1], -10, 10))), 0.005, 0.95),
  }));
}
