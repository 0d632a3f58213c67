import { type Block, type Numerics, ScopeOwner } from '@pelt/math';
import * as kernels from '../generated/calls.ts';
import type { SkinningSystem } from '../skinning/skinning-system.ts';

/** A symmetric operator on the vertices: one number for each neighbour, and the diagonal. */
export interface VertexOperator {
  /** n + 1 */
  readonly starts: Int32Array;
  readonly neighbours: Int32Array;
  /** as long as `neighbours` */
  readonly values: Float64Array;
  /** n */
  readonly diagonal: Float64Array;
}

/** Vertices in one chunk of the residuals. */
const MISS_GRAIN = 256;

/**
 * Weights on fixed supports whose deformed surface has the Laplacian of the examples:
 * minimise Σ ‖L(x − v)‖² by sweeps over the vertices. Sweeps are sequential, so that each uses what the last vertex found.
 *
 * Reference: Landreneau, Schaefer. Poisson-based weight reduction of animated meshes. 2010.
 * @example
 * {@includeCode ../../examples/decomposition.ts}
 */
export class LaplacianWeights extends ScopeOwner {
  /** n × count, slot by slot those of the candidates */
  readonly weights: Block<Float64Array>;
  readonly #numerics: Numerics;
  readonly #n: number;
  readonly #fields: kernels.LaplacianWeightSweep;
  readonly #residuals: Block<Float64Array>;
  readonly #R: number;

  /**
   * @param candidates  n × count, −1 behind the last; the caller's, read by every sweep
   * @param start       n × count convex weights of the candidates
   */
  constructor(
    numerics: Numerics,
    system: SkinningSystem,
    operator: VertexOperator,
    candidates: Block<Int32Array>,
    start: Float64Array,
    count: number,
  ) {
    super(numerics);
    const { rest, coefficients, projected, R } = system.vertexFields();
    this.#numerics = numerics;
    this.#n = system.n;
    this.#R = R;
    const { scope } = this;
    this.weights = scope.f64From(start);
    this.#residuals = scope.f64(system.n * R);
    const shared = { rest, coefficients, projected, R, candidates, weights: this.weights, K: count };
    this.#measure(shared, operator);
    this.#fields = {
      ...shared,
      starts: scope.i32From(operator.starts),
      neighbours: scope.i32From(operator.neighbours),
      values: scope.f64From(operator.values),
      diagonal: scope.f64From(operator.diagonal),
      residuals: this.#residuals,
    };
  }

  /** One pass over all vertices. */
  sweep(): void {
    kernels.laplacianWeightSweep(this.#numerics, this.#n, this.#n, this.#fields);
  }

  /** Σ ‖L(x − v)‖² */
  error(): number {
    return this.#residuals.view.reduce((sum, value) => sum + value * value, 0);
  }

  /** e ← L(x − v) */
  #measure(shared: kernels.Candidates, { starts, neighbours, values, diagonal }: VertexOperator): void {
    const R = this.#R;
    const scope = this.#numerics.scope();
    const misses = scope.f64(this.#n * R);
    kernels.weightedMisses(this.#numerics, this.#n, MISS_GRAIN, { ...shared, out: misses });
    const [from, to] = [misses.view, this.#residuals.view];
    for (let i = 0; i < this.#n; i++) {
      for (let k = 0; k < R; k++) to[i * R + k] = diagonal[i] * from[i * R + k];
      for (let e = starts[i]; e < starts[i + 1]; e++) {
        const [row, value] = [neighbours[e] * R, values[e]];
        for (let k = 0; k < R; k++) to[i * R + k] += value * from[row + k];
      }
    }
    scope.dispose();
  }
}
