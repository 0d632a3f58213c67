/**
 * Geometric weight reduction: the K bones that individually explain a vertex best over the example poses, with the optimal
 * convex weights among them (equations 37–39; convexity is enforced by the solver, not by an extra row as in equation 40).
 *
 * Reference: James, Twigg. Skinning mesh animations. 2005.
 */
import type { SkinningSystem } from '@pelt/kernels';
import type { ReductionProblem } from '../reduction-problem.ts';

/** Leaves the weights in a system of K slots. */
export function solveGeometric(problem: ReductionProblem, system: SkinningSystem): void {
  const scope = problem.numerics.scope();
  const candidates = scope.i32(system.n * system.K);
  system.nearestBones(candidates, system.K);
  system.solveWeightsAmong(candidates, system.K);
  scope.dispose();
}
