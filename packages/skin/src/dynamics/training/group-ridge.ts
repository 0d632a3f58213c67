/**
 * Ridge regression with two groups of features, whose weights are chosen by leaving groups of frames out:
 *
 *   minimise Σ_t ‖a_t − o − W f_t‖² + S Σ_k λ_k ‖W_k‖²,
 *
 * features of a kind scaled to unit variance together, λ one number for those of the pose and one for those of motion.
 * Frames that follow each other are alike, so that whole takes, or long pieces of them, are left out.
 */
import { DenseCholesky } from '@pelt/math';
import { checkCancelled, type Run } from '@pelt/model';

/** Frames of one group: features and targets, row by row. */
export interface GroupRows {
  readonly count: number;
  /** count × F */
  readonly features: Float64Array;
  /** count × R */
  readonly targets: Float64Array;
}

export interface RidgeFit {
  /** F × R, of features as they were given */
  readonly weights: Float64Array;
  /** R */
  readonly offsets: Float64Array;
  readonly penalties: Penalties;
  /** Mean squared error over the groups left out, summed over targets. */
  readonly leftOut: number;
  /** The same for every group. */
  readonly perGroup: readonly number[];
}

/** Features that follow each other, scaled together to this standard deviation. */
export interface FeatureKind {
  readonly count: number;
  readonly scale: number;
}

export interface Penalties {
  readonly pose: number;
  readonly motion: number;
}

/** Sums over one group, with a column of ones and the targets beside the features. */
interface GroupSums {
  readonly count: number;
  /** (F + 1)², features and 1 */
  readonly gram: Float64Array;
  /** (F + 1) × R */
  readonly cross: Float64Array;
  readonly squares: number;
}

/** The strongest leave nothing but the mean. */
const POSE_PENALTIES: readonly number[] = [1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 1e3];
const MOTION_PENALTIES: readonly number[] = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1];
const FINER: readonly number[] = [0.1, 0.3, 1, 3];
const FIRST_POSES: readonly number[] = [1e-2, 1e3];

/** Stronger penalties are taken where their error is at most this much larger. */
const MARGIN = 1.02;

export class GroupRidge {
  readonly #sums: GroupSums[];
  readonly #total: GroupSums;
  readonly #scales: Float64Array;
  readonly #F: number;
  readonly #R: number;
  readonly #poses: number;
  readonly #run: Run;

  /**
   * @param groups  F features each, the first `poses` of them of the pose
   * @param kinds   in the order of the features
   */
  constructor(groups: readonly GroupRows[], kinds: readonly FeatureKind[], R: number, poses: number, run: Run) {
    const F = kinds.reduce((sum, { count }) => sum + count, 0);
    this.#F = F;
    this.#R = R;
    this.#poses = poses;
    this.#run = run;
    this.#sums = groups.map((group) => sumsOf(group, F, R));
    this.#total = this.#sums.reduce((a, b) => add(a, b, 1));
    const N = F + 1;
    const { gram, count } = this.#total;
    this.#scales = new Float64Array(F);
    let first = 0;
    for (const { count: size, scale } of kinds) {
      let [variance, square] = [0, 0];
      for (let k = first; k < first + size; k++) {
        const mean = gram[k * N + F] / count;
        square += gram[k * N + k] / count;
        variance += gram[k * N + k] / count - mean * mean;
      }
      // Features that do not move get no weight.
      const moves = variance > 1e-12 * square && variance > 1e-24;
      this.#scales.fill(moves ? scale * Math.sqrt(size / variance) : 0, first, first + size);
      first += size;
    }
  }

  /**
   * Fits by the strongest penalties whose error is within 2 % of the least: weak ones extrapolate badly. That of motion is
   * chosen first, with a weak and with a strong one of the pose, then that of the pose, then that of motion more finely.
   */
  choose(): RidgeFit {
    const moves = this.#poses < this.#F;
    const firsts = moves
      ? FIRST_POSES.map((pose) => this.#strongest(MOTION_PENALTIES, (motion) => ({ pose, motion })))
      : [];
    const coarse = firsts.reduce((a, b) => (b.error < a.error ? b : a), {
      value: 0,
      error: Number.POSITIVE_INFINITY,
    }).value;
    const pose = this.#poses > 0 ? this.#strongest(POSE_PENALTIES, (pose) => ({ pose, motion: coarse })).value : 0;
    const near = FINER.map((factor) => factor * coarse);
    return this.fit({ pose, motion: moves ? this.#strongest(near, (motion) => ({ pose, motion })).value : 0 });
  }

  #strongest(values: readonly number[], penaltiesOf: (value: number) => Penalties): { value: number; error: number } {
    const tried = values.map((value) => {
      checkCancelled(this.#run);
      return { value, error: this.leftOut(penaltiesOf(value)).reduce((a, b) => a + b, 0) };
    });
    const least = Math.min(...tried.map(({ error }) => error));
    return tried
      .filter(({ error }) => Math.sqrt(error) <= MARGIN * Math.sqrt(least))
      .reduce((a, b) => (b.value > a.value ? b : a));
  }

  fit(penalties: Penalties): RidgeFit {
    const errors = this.leftOut(penalties);
    const { weights, offsets } = this.#solve(this.#total, penalties);
    return {
      weights,
      offsets,
      penalties,
      leftOut: errors.reduce((a, b) => a + b, 0) / this.#total.count,
      perGroup: errors.map((error, g) => error / this.#sums[g].count),
    };
  }

  /** Squared errors of every group, predicted from the others. */
  leftOut(penalties: Penalties): number[] {
    return this.#sums.map((group) => {
      const { weights, offsets } = this.#solve(add(this.#total, group, -1), penalties);
      return this.#errorOf(group, weights, offsets);
    });
  }

  #solve({ gram, cross, count }: GroupSums, penalties: Penalties): { weights: Float64Array; offsets: Float64Array } {
    const [F, R] = [this.#F, this.#R];
    const N = F + 1;
    const scales = this.#scales;
    const A = new Float64Array(F * F);
    const B = new Float64Array(F * R);
    const mean = (k: number) => gram[k * N + F] / count;
    for (let k = 0; k < F; k++) {
      for (let l = 0; l <= k; l++) {
        A[k * F + l] = scales[k] * scales[l] * (gram[k * N + l] - count * mean(k) * mean(l));
      }
      A[k * F + k] += count * (k < this.#poses ? penalties.pose : penalties.motion);
      for (let r = 0; r < R; r++) {
        B[k * R + r] = scales[k] * (cross[k * R + r] - mean(k) * cross[F * R + r]);
      }
    }
    if (F > 0) {
      const cholesky = new DenseCholesky(this.#run.numerics, F);
      try {
        cholesky.factor(A).solveInPlace(B, R);
      } finally {
        cholesky.dispose();
      }
    }
    const offsets = Float64Array.from({ length: R }, (_, r) => cross[F * R + r] / count);
    for (let k = 0; k < F; k++) {
      for (let r = 0; r < R; r++) {
        B[k * R + r] *= scales[k];
        offsets[r] -= mean(k) * B[k * R + r];
      }
    }
    return { weights: B, offsets };
  }

  /** Σ ‖a − o − W f‖² = Σ‖a‖² − 2 tr(Vᵀ C) + tr(Vᵀ G V), V = [W; o]. */
  #errorOf({ gram, cross, squares }: GroupSums, weights: Float64Array, offsets: Float64Array): number {
    const [F, R] = [this.#F, this.#R];
    const N = F + 1;
    let sum = squares;
    const row = new Float64Array(R);
    for (let k = 0; k < N; k++) {
      row.fill(0);
      for (let l = 0; l < N; l++) {
        const g = gram[k * N + l];
        if (g !== 0) for (let r = 0; r < R; r++) row[r] += g * (l < F ? weights[l * R + r] : offsets[r]);
      }
      for (let r = 0; r < R; r++) sum += (k < F ? weights[k * R + r] : offsets[r]) * (row[r] - 2 * cross[k * R + r]);
    }
    return Math.max(0, sum);
  }
}

function sumsOf({ count, features, targets }: GroupRows, F: number, R: number): GroupSums {
  const N = F + 1;
  const gram = new Float64Array(N * N);
  const cross = new Float64Array(N * R);
  let squares = 0;
  const row = new Float64Array(N);
  row[F] = 1;
  for (let t = 0; t < count; t++) {
    row.set(features.subarray(t * F, (t + 1) * F));
    const target = targets.subarray(t * R, (t + 1) * R);
    for (let r = 0; r < R; r++) squares += target[r] * target[r];
    for (let k = 0; k < N; k++) {
      const f = row[k];
      if (f === 0) continue;
      const at = k * N;
      for (let l = 0; l <= k; l++) gram[at + l] += f * row[l];
      const to = k * R;
      for (let r = 0; r < R; r++) cross[to + r] += f * target[r];
    }
  }
  for (let k = 0; k < N; k++) for (let l = 0; l < k; l++) gram[l * N + k] = gram[k * N + l];
  return { count, gram, cross, squares };
}

function add(a: GroupSums, b: GroupSums, sign: number): GroupSums {
  return {
    count: a.count + sign * b.count,
    gram: a.gram.map((value, k) => value + sign * b.gram[k]),
    cross: a.cross.map((value, k) => value + sign * b.cross[k]),
    squares: a.squares + sign * b.squares,
  };
}
