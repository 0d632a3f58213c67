import type { Block, Numerics, Scope } from '@pelt/math';
import * as kernels from '../generated/calls.ts';

/** The weights that moments are of. */
type MomentWeights = Pick<kernels.Moments, 'rest' | 'coefficients' | 'm' | 'R' | 'K' | 'bones' | 'weights'>;

/** Chunks into which the sums over vertices are cut; fixed, so that the order of sums is. */
const CHUNKS = 16;

/**
 * What the bone steps need of the weights: P_jk = Σ_i w_ij w_ik p̂_i p̂_iᵀ (m × m × 10) and Q_j = Σ_i w_ij c_i p̂_iᵀ
 * (m × 4 × R), gathered when they are asked for and have changed.
 */
export class WeightMoments {
  /** Another number whenever the moments are others. */
  revision = 0;
  readonly #numerics: Numerics;
  readonly #n: number;
  readonly #fields: kernels.Moments;
  #stale = true;

  /**
   * @param scope    owns the sums
   * @param weights  of n vertices and m bones, as they are when the moments are gathered
   */
  constructor(numerics: Numerics, scope: Scope, n: number, weights: MomentWeights) {
    const { m, R } = weights;
    const grain = Math.max(Math.ceil(n / CHUNKS), 1);
    this.#numerics = numerics;
    this.#n = n;
    this.#fields = {
      ...weights,
      momentParts: scope.f64(CHUNKS * m * m * 10),
      trajectoryParts: scope.f64(CHUNKS * m * 4 * R),
      grain,
      chunks: Math.ceil(n / grain),
      moments: scope.f64(m * m * 10),
      trajectoryMoments: scope.f64(m * 4 * R),
    };
  }

  /** To be called when weights or rest positions have changed. */
  invalidate(): void {
    this.#stale = true;
  }

  /** The moments of the weights at hand. */
  gather(): { readonly moments: Block<Float64Array>; readonly trajectoryMoments: Block<Float64Array> } {
    if (this.#stale) {
      kernels.gatherMoments(this.#numerics, this.#n, this.#fields.grain, this.#fields);
      kernels.sumMoments(this.#numerics, 1, 1, this.#fields);
      this.revision++;
      this.#stale = false;
    }
    return this.#fields;
  }
}
