/**
 * What methods of a single pass share: from rigid clusters to weights, from weights and motions to a tree with joints, and
 * from there to the joint rotations that follow the poses best, and to weights for the bones as the skeleton moves them.
 * Bones, tree and joints are not looked at again. (Rotations taken over from the clusters, translations dropped, give two
 * to three times the error: what the joints miss adds up towards the tips.)
 *
 * Reference: Le, Deng. Mesh animation decomposition and compression. SIGGRAPH course 2014, section 2.1.
 */
import { SkeletonSystem, type SkinningSystem } from '@pelt/math';
import { IDENTITY_TRANSFORM } from '@pelt/model';
import type { FitProblem } from '../decompose/fit-problem.ts';
import { type JointSolver, spanningTree } from './joint-tree.ts';
import { type RootChoice, rootBone } from './root-bone.ts';
import type { SolvedSkeleton } from './skeleton-rig.ts';

/** Bones where a number is not given: these methods do not find it. */
export const COMPARED_BONES = 24;
/** Bones that explain a vertex best one by one, among which its weights are sought. */
const CANDIDATES = 32;
/** Far from the poses at first: the joints that hold now undo what the clusters had. */
const ROTATION_SWEEPS = 3;
const ROTATION_STEPS = 10;

/**
 * Rigid motions of clusters, and weights among the bones that explain each vertex best. The caller disposes the system.
 *
 * @param labels  n, below `count`; −1 for a vertex that belongs to none
 */
export function skinFromClusters(
  problem: FitProblem,
  labels: Int32Array,
  count: number,
  slots: number,
): SkinningSystem {
  const system = problem.system(count, slots);
  try {
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
  } catch (error) {
    system.dispose();
    throw error;
  }
}

/** Weights among the bones that explain each vertex best one by one. */
function solveWeights({ numerics }: FitProblem, system: SkinningSystem): void {
  const scope = numerics.scope();
  try {
    const candidates = scope.i32(system.n * CANDIDATES);
    system.nearestBones(candidates, CANDIDATES);
    system.solveWeightsAmong(candidates, CANDIDATES);
  } finally {
    scope.dispose();
  }
}

/** Joins the bones of a system that holds weights and rigid motions, and makes its joints hold. */
export function joinBones(
  problem: FitProblem,
  system: SkinningSystem,
  root: RootChoice,
  jointOf: JointSolver,
  iterations: number,
): SolvedSkeleton {
  const { tree, joints } = spanningTree(system, rootBone(problem, system, root), jointOf);
  const skeleton = new SkeletonSystem(problem.numerics, system, tree, joints);
  try {
    skeleton.solveRotations(ROTATION_SWEEPS, ROTATION_STEPS);
    skeleton.writeTransforms();
    solveWeights(problem, system);
    return { system, tree, joints, iterations };
  } finally {
    skeleton.dispose();
  }
}
