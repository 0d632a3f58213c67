/**
 * The typed door to the kernels of assembly/dense/secular.ts: roots and vectors of f(λ) = 1/ρ + Σ zᵢ²/(dᵢ − λ).
 */
import * as kernels from '../generated/calls.ts';
import type { Numerics } from '../numerics/numerics.ts';
import type { Block, Scope } from '../numerics/scope.ts';

/** Roots, or poles, in a chunk. */
const GRAIN = 32;

export interface SecularProblem {
  /** k numbers dᵢ, ascending and distinct */
  readonly poles: Float64Array;
  /** k numbers zᵢ, none of them zero */
  readonly weights: Float64Array;
  readonly inverseRho: number;
}

export interface SecularSolution {
  /** k: the pole that root j lies nearest to */
  readonly origins: Float64Array;
  /** k: root j minus that pole */
  readonly shifts: Float64Array;
  /** k × k: row j is the unit vector with entries ∝ ẑᵢ/(dᵢ − λⱼ) */
  readonly vectors: Block<Float64Array>;
}

/** Blocks of the result belong to `scope`. */
export function solveSecular(numerics: Numerics, scope: Scope, problem: SecularProblem): SecularSolution {
  const k = problem.poles.length;
  const poles = scope.f64From(problem.poles);
  const given = scope.f64From(problem.weights);
  const squares = scope.f64From(problem.weights.map((x) => x * x));
  const table = scope.f64(k * k);
  const [origins, shifts, weights] = [scope.f64(k), scope.f64(k), scope.f64(k)];
  const { inverseRho } = problem;
  kernels.secularRoots(numerics, k, GRAIN, { k, poles, squares, inverseRho, table, origins, shifts });
  kernels.secularWeights(numerics, k, GRAIN, { k, poles, weights: given, inverseRho, table, out: weights });
  kernels.secularVectors(numerics, k, GRAIN, { k, weights, table });
  return { origins: origins.view.slice(), shifts: shifts.view.slice(), vectors: table };
}
