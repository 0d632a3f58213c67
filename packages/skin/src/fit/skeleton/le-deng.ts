/**
 * The default method: bones pruned from clusters beyond need, their spanning tree, then rounds in which joints hold.
 *
 * Reference: Le, Deng. Robust and accurate skeletal rigging from mesh sequences. 2014.
 */
import { type RunContext, stageOf } from '@pelt/model';
import type { FitProblem } from '../fit-problem.ts';
import type { SkeletonOptions } from './extract-skeleton.ts';
import { spanningTree } from './joint-tree.ts';
import type { MirrorPlane } from './mirror-plane.ts';
import { prunedBones, SEARCH_SLOTS } from './prune-bones.ts';
import { rootBone } from './root-bone.ts';
import type { SolvedSkeleton } from './skeleton-rig.ts';
import { fitStrictly } from './strict-fit.ts';
import { WeightSteps } from './weight-steps.ts';

/** Clusters for each bone asked for; clusters where the number of bones is to be found. */
const CLUSTERS_PER_BONE = 2.2;
const CLUSTERS = 60;
/** With a number of bones given, one is worth having that lowers the error by this share. */
const WORTH_OF_GIVEN = 1e-3;
/** Root mean square error that counts as none, as a share of the rest pose's diagonal. */
const NEGLIGIBLE = 2e-4;

/** The caller disposes the system. */
export function leDengSkeleton(
  problem: FitProblem,
  options: SkeletonOptions,
  mirror: MirrorPlane | undefined,
  context: RunContext | undefined,
): SolvedSkeleton {
  const { numerics, graph, n, S, prepared } = problem;
  const given = options.bones !== Number.POSITIVE_INFINITY;
  const clusters = options.clusters || (given ? Math.ceil(CLUSTERS_PER_BONE * options.bones) : CLUSTERS);
  const steps = new WeightSteps(numerics, graph, Math.max(SEARCH_SLOTS, options.weights));
  try {
    const search = {
      clusters: Math.min(clusters, n),
      bones: options.bones,
      worth: given ? Math.min(options.worth, WORTH_OF_GIVEN) : options.worth,
      negligible: n * S * (NEGLIGIBLE * diagonal(prepared.trajectories.rest)) ** 2,
      restStiffness: options.restStiffness,
    };
    const loose = prunedBones(problem, steps, search, stageOf(context, 0, 0.5));
    let system = loose;
    try {
      const hung = spanningTree(loose, rootBone(problem, loose, options.root));
      system = steps.withFewerSlots(loose, options.weights);
      system.gatherMoments();
      const strict = { ...options, keepJoints: false };
      return fitStrictly(problem, steps, system, hung, strict, mirror, stageOf(context, 0.5, 1));
    } catch (error) {
      if (system !== loose) system.dispose();
      throw error;
    } finally {
      loose.dispose();
    }
  } finally {
    steps.dispose();
  }
}

function diagonal(positions: Float64Array): number {
  const sides = [0, 1, 2].map((d) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let k = d; k < positions.length; k += 3) {
      low = Math.min(low, positions[k]);
      high = Math.max(high, positions[k]);
    }
    return high - low;
  });
  return Math.hypot(...sides);
}
