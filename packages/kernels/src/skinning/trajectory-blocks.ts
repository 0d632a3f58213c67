import type { Block, Scope } from '@pelt/math';
import type { Trajectories } from './trajectories.ts';

/** Trajectories in kernel memory. */
export interface TrajectoryBlocks {
  readonly n: number;
  readonly S: number;
  /** Rank of the basis, and made even: two numbers are one SIMD register. */
  readonly r: number;
  readonly R: number;
  /** n × 3, where the vertices are at rest, and where they were at first */
  readonly rest: Block<Float64Array>;
  readonly originalRest: Block<Float64Array>;
  /** r × 3S */
  readonly basis: Block<Float64Array>;
  /** n × R, rows padded with a zero */
  readonly coefficients: Block<Float64Array>;
  /** n */
  readonly squaredNorms: Block<Float64Array>;
}

/** Copies trajectories into blocks of a scope. */
export function trajectoryBlocks(scope: Scope, trajectories: Trajectories): TrajectoryBlocks {
  const n = trajectories.rest.length / 3;
  const r = n > 0 ? trajectories.coefficients.length / n : 0;
  const S = r > 0 ? trajectories.basis.length / (3 * r) : 0;
  const R = r + (r % 2);
  const rest = scope.f64From(trajectories.rest);
  const originalRest = scope.f64From(trajectories.rest);
  const basis = scope.f64From(trajectories.basis);
  const squaredNorms = scope.f64From(trajectories.squaredNorms);
  const coefficients = scope.f64(n * R);
  for (let i = 0; i < n; i++) {
    coefficients.view.set(trajectories.coefficients.subarray(i * r, (i + 1) * r), i * R);
  }
  return { n, S, r, R, rest, originalRest, basis, coefficients, squaredNorms };
}
