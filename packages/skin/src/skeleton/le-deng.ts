/**
 * The default method: bones pruned from clusters beyond need, their spanning tree, then rounds in which joints hold.
 *
 * Reference: Le, Deng. Robust and accurate skeletal rigging from mesh sequences. 2014.
 */

import type { SkinningSystem } from '@pelt/math';
import { boundsOf, diagonalOf, type RunContext, stageOf } from '@pelt/model';
import type { FitProblem } from '../decompose/fit-problem.ts';
import { spanningTree } from './joint-tree.ts';
import type { MirrorPlane } from './mirror-plane.ts';
import type { SkeletonOptions } from './options.ts';
import { type PruneOptions, prunedBones, SEARCH_SLOTS } from './prune-bones.ts';
import { rootBone } from './root-bone.ts';
import type { SolvedSkeleton } from './skeleton-rig.ts';
import { fitStrictly } from './strict-fit.ts';
import { WeightSteps } from './weight-steps.ts';

/** Clusters for each bone asked for; clusters where the number of bones is to be found. */
const CLUSTERS_PER_BONE = 2.2;
const CLUSTERS = 60;
/**
 * Clusters of a second start where the number of bones is given: what few clusters miss, many find, and the other way
 * round (a rig of 11 bones ends with 0.17 % from 25 clusters and 0.08 % from 100; one of 21 with 0.04 % and 0.05 %).
 */
const SECOND_CLUSTERS = 100;
/** Vertices times frames up to which a second start is worth its time. */
const TWO_STARTS = 1e6;
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
  const most = options.bones === 'auto' ? Number.POSITIVE_INFINITY : options.bones;
  const steps = new WeightSteps(numerics, graph, Math.max(SEARCH_SLOTS, options.weights));
  try {
    const search = {
      bones: most,
      worth: options.bones !== 'auto' ? Math.min(options.worth, WORTH_OF_GIVEN) : options.worth,
      negligible: n * S * (NEGLIGIBLE * diagonalOf(boundsOf(prepared.trajectories.rest))) ** 2,
      restStiffness: options.restStiffness,
    };
    const loose = bestStart(problem, steps, search, startsOf(problem, options), stageOf(context, 0, 0.5));
    let system = loose;
    try {
      const hung = spanningTree(loose, rootBone(problem, loose, options.root));
      system = steps.withFewerSlots(loose, options.weights);
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

/** How many clusters each start begins with. */
function startsOf({ n, S }: FitProblem, { clusters, bones }: SkeletonOptions): number[] {
  if (clusters !== 'auto') return [clusters];
  if (bones === 'auto') return [CLUSTERS];
  const first = Math.ceil(CLUSTERS_PER_BONE * bones);
  return first < Math.min(SECOND_CLUSTERS, n) && n * S <= TWO_STARTS ? [first, SECOND_CLUSTERS] : [first];
}

/** Loose bones from the start that ends with the lower objective, as the search itself weighs bones and error. */
function bestStart(
  problem: FitProblem,
  steps: WeightSteps,
  search: Omit<PruneOptions, 'clusters'>,
  starts: readonly number[],
  context: RunContext | undefined,
): SkinningSystem {
  let best: SkinningSystem | undefined;
  let least = Number.POSITIVE_INFINITY;
  try {
    for (const [k, clusters] of starts.entries()) {
      const stage = stageOf(context, k / starts.length, (k + 1) / starts.length);
      const found = prunedBones(problem, steps, { ...search, clusters: Math.min(clusters, problem.n) }, stage);
      found.measureError();
      const value = search.worth * found.m + 0.5 * Math.log(found.totalError() + search.negligible);
      const lost = value < least ? best : found;
      if (value < least) [best, least] = [found, value];
      lost?.dispose();
    }
  } catch (error) {
    best?.dispose();
    throw error;
  }
  return best as SkinningSystem;
}
