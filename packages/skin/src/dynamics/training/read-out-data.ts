/** Takes as regression problems: features of each form of read-out, in groups that are left out. */
import { DRIVER_INPUTS, type Run } from '@pelt/model';
import type { DynamicsMethod } from '../options.ts';
import { type FeatureKind, GroupRidge, type GroupRows, type RidgeFit } from './group-ridge.ts';
import { type Channels, respond } from './take-features.ts';

export interface Pole {
  /** Radians per second. */
  readonly omega: number;
  readonly zeta: number;
}

/** A take, and the targets of its frames. */
export interface TakeData {
  readonly times: Float64Array;
  /** S × T: rotation vectors, gravity */
  readonly pose: Float64Array;
  /** S × T': entries of rotation matrices, gravity */
  readonly turns: Float64Array;
  /** Principal components of the inputs. */
  readonly channels: Channels;
  /** The inputs themselves, 18 a driver. */
  readonly inputs: Channels;
  /** S × R */
  readonly targets: Float64Array;
  /** First frames of the pieces that are left out together. */
  readonly pieces: readonly number[];
}

export interface ReadOutForm {
  readonly method: Exclude<DynamicsMethod, 'auto'>;
  readonly pose: 'vectors' | 'matrices';
  /** Whether the motion of the last interval is a feature. */
  readonly motion: boolean;
  readonly poles: readonly Pole[];
  /**
   * What is read of resonators. `states`: both numbers of every channel. `forces`: what a mass on a spring responds to, that
   * is the rate where a velocity drives (its derivative is the force), and the displacement where a product or gravity does.
   */
  readonly read: 'states' | 'forces';
}

/** Inputs of a driver by kind, and the deviation that what is read of each is scaled to: products extrapolate badly. */
const FORCES: readonly FeatureKind[] = [
  { count: 3, scale: 1 },
  { count: 3, scale: 1 },
  { count: 3, scale: 0.2 },
  { count: 6, scale: 0.2 },
  { count: 3, scale: 1 },
];
/** Inputs of a driver before this are velocities. */
const VELOCITIES = 6;

/** Whether the rate is what input k is read by, among `forces`. */
export function readsRate(k: number): boolean {
  return k % DRIVER_INPUTS < VELOCITIES;
}

/** What of the data a regression sees. */
export interface Extent {
  /** Every so many frames. */
  readonly stride: number;
  /** Of the first drivers, and of the first targets. */
  readonly drivers: number;
  readonly targets: number;
}

export class ReadOutData {
  /** All of it. */
  readonly whole: Extent;
  readonly frames: number;
  readonly #takes: readonly TakeData[];
  readonly #run: Run;

  constructor(takes: readonly TakeData[], run: Run) {
    this.#takes = takes;
    this.#run = run;
    const [{ times, targets, inputs }] = takes;
    this.frames = takes.reduce((sum, take) => sum + take.times.length, 0);
    this.whole = { stride: 1, drivers: inputs.count / DRIVER_INPUTS, targets: targets.length / times.length };
  }

  /** The read-out that leaves all amplitudes at zero. */
  still(form: ReadOutForm): RidgeFit {
    const [T, R] = [this.poseWidth(form), this.whole.targets];
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

  poseWidth({ pose }: Pick<ReadOutForm, 'pose'>): number {
    const [take] = this.#takes;
    return (pose === 'vectors' ? take.pose : take.turns).length / take.times.length;
  }

  ridge(form: ReadOutForm, { stride, drivers, targets: R }: Extent): GroupRidge {
    const { motion, poles, read } = form;
    const T = this.poseWidth(form);
    const q = this.#takes[0].channels.count;
    const forces = read === 'forces';
    const each = forces ? DRIVER_INPUTS * drivers : 2 * q;
    const F = T + (motion ? q : 0) + each * poles.length;
    const groups: GroupRows[] = [];
    for (const take of this.#takes) {
      const { times, channels, targets, pieces } = take;
      const all = targets.length / times.length;
      const pose = form.pose === 'vectors' ? take.pose : take.turns;
      const driving = forces ? partOf(take.inputs, DRIVER_INPUTS * drivers) : channels;
      const responses = poles.map(({ omega, zeta }) => respond(driving, times, omega, zeta));
      pieces.forEach((first, k) => {
        const end = pieces[k + 1] ?? times.length;
        const count = Math.ceil((end - first) / stride);
        const features = new Float64Array(count * F);
        const wanted = new Float64Array(count * R);
        for (let t = first, row = 0; t < end; t += stride, row++) {
          let at = row * F;
          for (let c = 0; c < T; c++) features[at++] = pose[t * T + c];
          if (motion) for (let c = 0; c < q; c++) features[at++] = channels.motion[t * q + c];
          for (const response of responses) {
            if (forces) {
              for (let c = 0; c < each; c++) features[at++] = response[2 * (t * each + c) + (readsRate(c) ? 1 : 0)];
            } else for (let c = 0; c < each; c++) features[at++] = response[t * each + c];
          }
          for (let r = 0; r < R; r++) wanted[row * R + r] = targets[t * all + r];
        }
        groups.push({ count, features, targets: wanted });
      });
    }
    const ofPole = forces ? Array.from({ length: drivers }, () => FORCES).flat() : [{ count: each, scale: 1 }];
    const kinds = [{ count: T, scale: 1 }, ...(motion ? [{ count: q, scale: 1 }] : []), ...poles.flatMap(() => ofPole)];
    return new GroupRidge(groups, kinds, R, T, this.#run);
  }
}

/** The first channels. */
function partOf(channels: Channels, count: number): Channels {
  if (count === channels.count) return channels;
  const first = (values: Float64Array) => values.filter((_, k) => k % channels.count < count);
  return { count, motion: first(channels.motion), gravity: first(channels.gravity) };
}
