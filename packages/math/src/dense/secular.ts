/**
 * The typed door to the kernels of assembly/dense/secular.ts: roots and vectors of f(λ) = 1/ρ + Σ zᵢ²/(dᵢ − λ).
 */
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
  const d = scope.f64From(problem.poles).pointer;
  const z = scope.f64From(problem.weights).pointer;
  const z2 = scope.f64From(problem.weights.map((x) => x * x)).pointer;
  const vectors = scope.f64(k * k);
  const [origins, shifts, weights] = [scope.f64(k), scope.f64(k), scope.f64(k)];
  const { inverseRho } = problem;
  const table = vectors.pointer;
  numerics.run('secularRoots', k, GRAIN, [k, d, z2, inverseRho, table, origins.pointer, shifts.pointer]);
  numerics.run('secularWeights', k, GRAIN, [k, d, z, inverseRho, table, weights.pointer]);
  numerics.run('secularVectors', k, GRAIN, [k, weights.pointer, table]);
  return { origins: origins.view.slice(), shifts: shifts.view.slice(), vectors };
}
