/**
 * Connected regions as the initialisation of a fit, as FSD begins: seeds that are spread evenly over the rest pose, each
 * with a bone fitted to a patch around it; then, over and over, the vertex beside a region that the region's bone explains
 * best joins it, until no region has a neighbour left. Bones are then fitted to their regions.
 *
 * A seed is a patch where the paper has a triangle, whose deformation gradient noise in a single vertex would decide. Parts
 * of a mesh without a seed go, vertex by vertex, to the bone that explains them best.
 *
 * With rigid bones the error of bone j at vertex i has a closed form in products that the kernels provide,
 *
 *   Σ_t ‖R_tj p_i + T_tj − v_ti‖² = ‖v_i‖² − 2 b_ij + S‖p_i‖² + 2 p_i·Σ_t R_tjᵀ T_tj + Σ_t ‖T_tj‖²,
 *
 * so that growing costs O(n log n) beside them.
 *
 * Reference: Kavan, Sloan, O'Sullivan. Fast and efficient skinning of animated meshes. 2010, section 4.
 */
import type { SkinningSystem } from '@pelt/kernels';
import { checkCancelled, type RunContext } from '@pelt/model';
import { CostQueue } from '../shared/cost-queue.ts';
import type { EdgeGraph } from '../shared/mesh/edge-graph.ts';
import { patchAround } from '../shared/mesh/patch.ts';
import { oneHot, placeBone } from '../shared/search/cluster-start.ts';
import type { FitProblem } from './fit-problem.ts';
import { farthestVertices } from './lssp/patch-motions.ts';

/**
 * Whether regions are worth a trial beside clusters: where the seeds of clusters would cover the mesh several times, as on a
 * box of eight vertices, all clusters may begin as the same motion and stay so.
 *
 * @param error  sum of squared errors from clusters
 */
export function wantsRegions(problem: FitProblem, bones: number, error: number): boolean {
  const { n, plan } = problem;
  return bones > 1 && n < plan.seed * bones && problem.eRms(error) > plan.nearlyExact;
}

/** Leaves one-hot weights and rigid transforms in the system. */
export function startFromRegions(system: SkinningSystem, problem: FitProblem, context: RunContext | undefined): void {
  const { numerics, graph, prepared } = problem;
  const { n, m } = system;
  const scope = numerics.scope();
  try {
    const [best, error] = [scope.i32(n), scope.f64(n)];
    const { rest, squaredNorms } = prepared.trajectories;
    const seeds = farthestVertices(rest, m);
    fitToPatches(system, graph, seeds, problem.plan.seed);
    // Which bone explains a vertex best, for parts that no region reaches.
    system.assign(best, error);
    checkCancelled(context);
    const errorOf = rigidErrors(system, rest, squaredNorms);
    const regions = grownRegions(graph, seeds, errorOf, context);
    for (let i = 0; i < n; i++) if (regions[i] >= 0) best.view[i] = regions[i];
    oneHot(system, best.view);
    system.solveRigidBones(1);
    system.measureError();
  } finally {
    scope.dispose();
  }
}

/** One bone after the other, each to the patch around its seed; patches of close seeds overlap. */
function fitToPatches(system: SkinningSystem, graph: EdgeGraph, seeds: Int32Array, seedVertices: number): void {
  const { n, m } = system;
  const size = Math.max(4, Math.min(seedVertices, Math.floor(n / m)));
  const label = new Int32Array(n).fill(-1);
  for (let j = 0; j < m; j++) placeBone(system, j, 0);
  seeds.forEach((seed, j) => {
    for (const i of patchAround(graph, seed, size)) if (label[i] < 0 || i === seed) label[i] = j;
  });
  const { K } = system;
  const { bones, weights } = system.editWeights();
  bones.fill(0);
  weights.fill(0);
  label.forEach((j, i) => {
    if (j < 0) return;
    bones[i * K] = j;
    weights[i * K] = 1;
  });
  system.solveRigidBones(1);
}

/** The squared error of a bone at a vertex, over all frames. */
function rigidErrors(
  system: SkinningSystem,
  rest: Float64Array,
  squaredNorms: Float64Array,
): (i: number, j: number) => number {
  const { m, S, transforms } = system;
  const products = system.boneProducts();
  // m × 4: Σ_t R_tjᵀ T_tj, then Σ_t ‖T_tj‖²
  const sums = new Float64Array(4 * m);
  for (let k = 0; k < S * m; k++) {
    const M = transforms.view.subarray(12 * k, 12 * k + 12);
    const at = 4 * (k % m);
    for (let row = 0; row < 12; row += 4) {
      for (let d = 0; d < 3; d++) sums[at + d] += M[row + d] * M[row + 3];
      sums[at + 3] += M[row + 3] ** 2;
    }
  }
  return (i, j) => {
    const [x, y, z] = [rest[3 * i], rest[3 * i + 1], rest[3 * i + 2]];
    const moved =
      S * (x * x + y * y + z * z) + 2 * (x * sums[4 * j] + y * sums[4 * j + 1] + z * sums[4 * j + 2]) + sums[4 * j + 3];
    return squaredNorms[i] - 2 * products[i * m + j] + moved;
  };
}

/** n: the region of each vertex, −1 where none arrives. */
export function grownRegions(
  graph: EdgeGraph,
  seeds: Int32Array,
  errorOf: (i: number, j: number) => number,
  context?: RunContext,
): Int32Array {
  const { starts, neighbours } = graph;
  const regions = new Int32Array(starts.length - 1).fill(-1);
  const queue = new CostQueue();
  const join = (i: number, j: number) => {
    regions[i] = j;
    for (let e = starts[i]; e < starts[i + 1]; e++) {
      const beside = neighbours[e];
      if (regions[beside] < 0) queue.push(errorOf(beside, j), beside, j, 0);
    }
  };
  // All seeds first, so that none is taken by the region of another.
  seeds.forEach((seed, j) => {
    regions[seed] = j;
  });
  seeds.forEach((seed, j) => {
    join(seed, j);
  });
  for (let next = queue.pop(), count = 0; next; next = queue.pop(), count++) {
    if (count % 65536 === 0) checkCancelled(context);
    if (regions[next.a] < 0) join(next.a, next.b);
  }
  return regions;
}
