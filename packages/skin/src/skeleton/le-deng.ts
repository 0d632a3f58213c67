/**
 * The published multi-pass method: minimise E_D + ω E_S + λ E_J, data, smoothness of the weights and soft joints, by turns
 * over weights, bones, joints and the tree, from more clusters than needed; bones whose weights degenerate are pruned. λ
 * grows from round to round, so that clusters move freely at first and turn about their joints in the end. Rotations about
 * exact joints are then solved once, which is how its error is measured.
 *
 * A number of bones, which the method does not take, is reached by pruning the bones of least Σ_i w_ij² as well.
 *
 * Beside `strict`, which is the default: there joints hold by construction in every round, and bones are pruned by what
 * their removal costs.
 *
 * Reference: Le, Deng. Robust and accurate skeletal rigging from mesh sequences. 2014; Mesh animation decomposition and
 * compression. SIGGRAPH course 2014, section 2.3.
 */
import { SkeletonSystem, type SkinningSystem } from '@pelt/kernels';
import { checkCancelled, type RunContext } from '@pelt/model';
import type { FitProblem } from '../decompose/fit-problem.ts';
import { startFromClusters } from '../shared/search/cluster-start.ts';
import { WeightSteps } from '../shared/search/weight-steps.ts';
import { type JointedTree, spanningTree } from './joint-tree.ts';
import type { PlannedOptions } from './options.ts';
import { batchSeeding } from './plan.ts';
import { rootBone } from './root-bone.ts';
import type { SolvedSkeleton } from './skeleton-rig.ts';
import { type SoftJoint, solveSoftBones } from './soft-joints.ts';

/** Clusters per requested bone; clusters when the number of bones is left to the pruning. */
const CLUSTERS_PER_BONE = 2.2;
const CLUSTERS = 60;
/** ω, in squared radii. */
const SMOOTHNESS = 4e-7;
/** λ in the first and in the last round. */
const SOFTEST = 1e-3;
const HARDEST = 1;
/** Rounds, at most; rounds between two trees and prunings; part of them after which the number of bones is reached. */
const ROUNDS = 60;
const PERIOD = 5;
const PRUNED_BY = 0.6;
/** Bones whose Σ_i w_ij² is below this share of the largest are pruned (equation 30). */
const DEGENERATE = 1e-2;
const BONE_SWEEPS = 3;
/** Sweeps and Gauss–Newton steps for the rotations about exact joints. */
const ROTATION_SWEEPS = 3;
const ROTATION_STEPS = 10;

/** The caller disposes the system. */
export function leDengSkeleton(
  problem: FitProblem,
  options: PlannedOptions,
  context: RunContext | undefined,
): SolvedSkeleton {
  const { numerics, graph, n, S } = problem;
  const { bones, weights, clusters, restStiffness, root } = options;
  const wanted = bones === 'auto' ? Number.POSITIVE_INFINITY : bones;
  const first = clusters === 'auto' ? (bones === 'auto' ? CLUSTERS : Math.ceil(CLUSTERS_PER_BONE * bones)) : clusters;
  const rounds = Math.min(options.rounds, ROUNDS);
  const steps = new WeightSteps(numerics, graph, weights, SMOOTHNESS * n * S);
  let system = problem.system(Math.min(first, n), weights);
  startFromClusters(system, numerics, graph, batchSeeding(options.search), context);
  const start = system.m;
  let joints: SoftJoint[] = [];
  for (let round = 0; round < rounds; round++) {
    checkCancelled(context);
    const share = round / Math.max(rounds - 1, 1);
    context?.onProgress?.({ stage: 'fitting the skeleton', fraction: share, detail: `${system.m} bones` });
    steps.diffuse(system);
    if (round % PERIOD === 0) {
      const surplus = Math.max(start - wanted, 0) * Math.max(1 - share / PRUNED_BY, 0);
      system = pruned(system, wanted + Math.ceil(surplus));
      steps.diffuse(system);
      joints = softJoints(spanningTree(system, () => 0));
    }
    system.correctRest(restStiffness);
    solveSoftBones(system, joints, SOFTEST * (HARDEST / SOFTEST) ** share, BONE_SWEEPS);
    problem.roundDone(system);
  }
  system = pruned(system, wanted);
  const { tree, joints: places } = spanningTree(system, (links) => rootBone(problem, system, links, root, context));
  const skeleton = new SkeletonSystem(numerics, system, tree, places);
  skeleton.solveRotations(ROTATION_SWEEPS, ROTATION_STEPS);
  skeleton.writeTransforms();
  skeleton.dispose();
  steps.settle(system);
  steps.dispose();
  return { system, tree, joints: places, iterations: rounds };
}

/** The system without degenerate bones, and with at most so many. Disposes of the one it was given where it is another. */
function pruned(system: SkinningSystem, most: number): SkinningSystem {
  const { m } = system;
  const masses = Array.from({ length: m }, (_, j) => system.mass(j, j));
  const least = DEGENERATE * Math.max(...masses);
  const kept = Array.from(masses.keys())
    .sort((a, b) => masses[b] - masses[a] || a - b)
    .filter((j, rank) => rank < most && masses[j] >= least)
    .sort((a, b) => a - b);
  if (kept.length === m || kept.length === 0) return system;
  const fewer = system.withBones(kept, 0, Math.min(system.K, kept.length));
  system.dispose();
  return fewer;
}

function softJoints({ tree, joints }: JointedTree): SoftJoint[] {
  return Array.from(tree.parents, (parent, j): SoftJoint | undefined => {
    if (parent < 0) return undefined;
    return { j, k: parent, place: [joints[3 * j], joints[3 * j + 1], joints[3 * j + 2]] };
  }).filter((joint) => joint !== undefined);
}
