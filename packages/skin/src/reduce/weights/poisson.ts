/**
 * Poisson-based weight reduction: on fixed supports, minimise Σ_t ‖L(x_t − v_t)‖² over convex weights, where x is the
 * deformed surface, v the examples and L the cotangent Laplacian (equation 43). Supports and initial weights are those of
 * the geometric method. The result is smooth rather than accurate, because the Laplacian is insensitive to slowly varying
 * offsets.
 *
 * Reference: Landreneau, Schaefer. Poisson-based weight reduction of animated meshes. 2010.
 */
import { LaplacianWeights, type SkinningSystem } from '@pelt/kernels';
import { checkCancelled, type RunContext } from '@pelt/model';
import { cotangentOperator } from '../../shared/mesh/cotangent-operator.ts';
import type { ReductionProblem } from '../reduction-problem.ts';

const MOST_SWEEPS = 40;
/** Relative progress of a sweep below which they end. */
const PROGRESS = 1e-3;

/** Leaves the weights in a system of K slots. */
export function solvePoisson(problem: ReductionProblem, system: SkinningSystem, context?: RunContext): void {
  const { numerics, graph } = problem;
  const { mesh } = problem.rig;
  const { n, K } = system;
  const scope = numerics.scope();
  const candidates = scope.i32(n * K);
  system.nearestBones(candidates, K);
  system.solveWeightsAmong(candidates, K);
  const start = alignedWeights(system, candidates.view);
  const operator = cotangentOperator(mesh.positions, mesh.triangles, graph);
  const solver = new LaplacianWeights(numerics, system, operator, candidates, start, K);
  let last = solver.error();
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    checkCancelled(context);
    context?.onProgress?.({ stage: 'matching the Laplacian', fraction: sweep / MOST_SWEEPS });
    solver.sweep();
    const error = solver.error();
    if (error > (1 - PROGRESS) * last) break;
    last = error;
  }
  const { bones, weights } = system.editWeights();
  bones.set(candidates.view.map((j) => Math.max(j, 0)));
  weights.set(solver.weights.view);
  solver.dispose();
  scope.dispose();
  system.measureError();
}

/** The weights of a system in the order of the candidates. */
function alignedWeights(system: SkinningSystem, candidates: Int32Array): Float64Array {
  const { n, K } = system;
  const [bones, weights] = [system.boneIndices.view, system.weights.view];
  const aligned = new Float64Array(n * K);
  for (let k = 0; k < n * K; k++) {
    const row = k - (k % K);
    for (let s = row; s < row + K; s++) if (weights[s] > 0 && bones[s] === candidates[k]) aligned[k] = weights[s];
  }
  return aligned;
}
