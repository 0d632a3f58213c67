/**
 * Steps shared by the single-pass methods: rigid clusters to weights; weights and motions to a spanning tree with joints;
 * then optimal joint rotations, and weights for the bones as the skeleton moves them. Bones, tree and joints are not
 * revised. (Keeping the clusters' rotations and dropping their translations gives two to three times the error, because
 * the error at each joint accumulates towards the leaves.)
 *
 * Reference: Le, Deng. Mesh animation decomposition and compression. SIGGRAPH course 2014, section 2.1.
 */
import { SkeletonSystem, type SkinningSystem } from '@pelt/kernels';
import { IDENTITY_TRANSFORM } from '@pelt/model';
import type { FitProblem } from '../decompose/fit-problem.ts';
import { type JointSolver, spanningTree } from './joint-tree.ts';
import { type RootChoice, rootBone } from './root-bone.ts';
import type { SolvedSkeleton } from './skeleton-rig.ts';

/** Number of bones that individually explain a vertex best, among which its weights are solved. */
const CANDIDATES = 32;
/** Sweeps and Gauss–Newton steps for rotations: the constraints at the joints displace the clusters considerably. */
const ROTATION_SWEEPS = 3;
const ROTATION_STEPS = 10;

/**
 * Rigid motions of clusters, with weights among the bones that explain each vertex best. The caller disposes the system.
 *
 * @param labels  n, below `count`; −1 for a vertex without a cluster
 */
export function skinFromClusters(
  problem: FitProblem,
  labels: Int32Array,
  count: number,
  slots: number,
): SkinningSystem {
  const system = problem.system(count, slots);
  const { n, K } = system;
  const { bones, weights } = system.editWeights();
  for (let i = 0; i < n; i++) {
    bones[i * K] = Math.max(labels[i], 0);
    weights[i * K] = labels[i] < 0 ? 0 : 1;
  }
  const transforms = system.editTransforms();
  for (let k = 0; k < transforms.length; k += 12) transforms.set(IDENTITY_TRANSFORM, k);
  system.solveRigidBones(1);
  solveWeights(problem, system);
  return system;
}

/** Weights among the bones that individually explain each vertex best. */
function solveWeights({ numerics }: FitProblem, system: SkinningSystem): void {
  const scope = numerics.scope();
  const candidates = scope.i32(system.n * CANDIDATES);
  system.nearestBones(candidates, CANDIDATES);
  system.solveWeightsAmong(candidates, CANDIDATES);
  scope.dispose();
}

/** Joins the bones of a system with weights and rigid motions into a skeleton with exact joints. */
export function joinBones(
  problem: FitProblem,
  system: SkinningSystem,
  root: RootChoice,
  jointOf: JointSolver,
  iterations: number,
): SolvedSkeleton {
  const { tree, joints } = spanningTree(system, (links) => rootBone(problem, system, links, root), jointOf);
  const skeleton = new SkeletonSystem(problem.numerics, system, tree, joints);
  skeleton.solveRotations(ROTATION_SWEEPS, ROTATION_STEPS);
  skeleton.writeTransforms();
  skeleton.dispose();
  solveWeights(problem, system);
  return { system, tree, joints, iterations };
}
