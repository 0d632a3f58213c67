/** One step of Levenberg and Marquardt over the unknowns of a pose. */
import { factorSmall, solveSmall } from '@pelt/math';
import type { PoseCost } from './pose-cost.ts';

/**
 * The damped step (A + μ diag A) δ = −gradient, over the rotation and the weights that are not at an active bound.
 *
 * @param cost     linearised at `blend`
 * @param damping  μ
 * @param E        weights that have bounds, the first ones
 * @param a        scratch, at least the square of the unknowns
 * @param delta    δ, as many as unknowns; overwritten
 */
export function dampedStep(
  cost: PoseCost,
  damping: number,
  blend: Float64Array,
  E: number,
  low: number,
  high: number,
  a: Float64Array,
  delta: Float64Array,
): void {
  const M = cost.unknowns;
  cost.matrix(a);
  for (let e = 0; e < M; e++) {
    a[e * M + e] *= 1 + damping;
    delta[e] = -cost.gradient[e];
  }
  for (let e = 0; e < E; e++) {
    const presses = (blend[e] <= low && delta[e] < 0) || (blend[e] >= high && delta[e] > 0);
    if (!presses) continue;
    for (let f = 0; f < M; f++) a[Math.max(e, f) * M + Math.min(e, f)] = e === f ? 1 : 0;
    delta[e] = 0;
  }
  factorSmall(a, M, M);
  solveSmall(a, M, M, delta, 1);
}
