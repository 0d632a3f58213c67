/**
 * The default method: prune bones from more clusters than needed, connect them by a spanning tree, and refine with exact
 * joints (see strict-rounds.ts).
 *
 * A start is a number of clusters. Which one is best cannot be told before its skeleton has been refined, so every start
 * is pruned, connected and refined for a while, and the lowest error wins. Bones are found as well on a sample of the
 * vertices as on all of them: starts are tried on the sample, and the best one is refined on the full mesh.
 *
 * Reference: Le, Deng. Robust and accurate skeletal rigging from mesh sequences. 2014 (which has soft joints; for that
 * method see le-deng.ts).
 */

import { log, type SkinningSystem } from '@pelt/math';
import { boundsOf, diagonalOf, type MeshSequence, type RunContext, stageOf } from '@pelt/model';
import type { FitProblem } from '../decompose/fit-problem.ts';
import { WindingNumber } from '../shared/mesh/winding-number.ts';
import { WeightSteps } from '../shared/weight-steps.ts';
import { type JointedTree, spanningTree } from './joint-tree.ts';
import type { MirrorPlane } from './mirror-plane.ts';
import type { SkeletonOptions } from './options.ts';
import { type PruneOptions, prunedBones, SEARCH_SLOTS } from './prune-bones.ts';
import { rootBone } from './root-bone.ts';
import type { SolvedSkeleton } from './skeleton-rig.ts';
import { type BodyShape, fitStrictly } from './strict-fit.ts';
import { untidyBones, withoutBones } from './tidy-bones.ts';

/** Vertices of the sample on which starts are tried. */
const SAMPLE = 2500;
/** Clusters of the starts, per requested bone; clusters when the number of bones is chosen automatically. */
const CLUSTERS_PER_BONE = [2.2, 3.3];
const CLUSTERS = 60;
/** Clusters of one more start for a given number of bones, if it is more than those. */
const MANY_CLUSTERS = 100;
/** Rounds after which starts are compared: the opening and two periods. */
const TRIAL_ROUNDS = 34;
/** Rounds after untidy bones were removed, and how often that is done at most. */
const TIDY_ROUNDS = 22;
const MOST_TIDYINGS = 4;
/** Rounds of weights that bring bones from the sample to the full mesh. */
const SPREADING = 4;
/** Fraction by which a bone must lower the error if a number of bones is given. */
const WORTH_OF_GIVEN = 1e-3;
/** Root mean square error that counts as zero, relative to the diagonal of the rest pose. */
const NEGLIGIBLE = 2e-4;

/** The caller disposes the system. */
export function strictSkeleton(
  problem: FitProblem,
  sequence: MeshSequence,
  options: SkeletonOptions,
  mirror: MirrorPlane | undefined,
  context: RunContext | undefined,
): SolvedSkeleton {
  const { rest } = problem.prepared.trajectories;
  const shape = { ...(mirror && { mirror }), winding: new WindingNumber(rest, sequence.rest.triangles) };
  const coarse = problem.coarser(Math.max(SAMPLE, MANY_CLUSTERS * SEARCH_SLOTS));
  const start = bestStart(coarse, options, stageOf(context, 0, 0.6));
  const steps = new WeightSteps(problem.numerics, problem.graph, Math.max(SEARCH_SLOTS, options.weights));
  const system = coarse === problem ? start.system : onAllVertices(problem, steps, start.system, options.weights);
  if (coarse !== problem) start.system.dispose();
  const hung = { tree: start.tree, joints: start.joints };
  const solved = fitTidily(problem, steps, system, hung, options, shape, stageOf(context, 0.6, 1));
  steps.dispose();
  return solved;
}

/** Refines a skeleton, and again without the bones that turned out to do nothing. */
function fitTidily(
  problem: FitProblem,
  steps: WeightSteps,
  system: SkinningSystem,
  hung: JointedTree,
  options: SkeletonOptions,
  shape: BodyShape,
  context: RunContext | undefined,
): SolvedSkeleton {
  const strict = { ...options, keepJoints: false };
  let solved = fitStrictly(problem, steps, system, hung, strict, shape, context);
  for (let k = 0; k < MOST_TIDYINGS; k++) {
    const gone = untidyBones(solved);
    if (gone.length === 0) break;
    const fewer = withoutBones(solved, gone);
    solved.system.dispose();
    const rounds = Math.min(options.rounds, TIDY_ROUNDS);
    const { iterations } = solved;
    solved = fitStrictly(problem, steps, fewer.system, fewer.hung, { ...strict, rounds }, shape, context);
    solved = { ...solved, iterations: solved.iterations + iterations };
  }
  return solved;
}

/** Numbers of clusters to start from. */
function startsOf({ n }: FitProblem, { clusters, bones }: SkeletonOptions): number[] {
  if (clusters !== 'auto') return [clusters];
  if (bones === 'auto') return [CLUSTERS];
  const starts = CLUSTERS_PER_BONE.map((factor) => Math.ceil(factor * bones));
  if (MANY_CLUSTERS > Math.max(...starts)) starts.push(MANY_CLUSTERS);
  return [...new Set(starts.map((count) => Math.min(count, n)))];
}

/** The start whose skeleton has the lowest value of the pruning objective after the trial rounds. */
function bestStart(problem: FitProblem, options: SkeletonOptions, context: RunContext | undefined): SolvedSkeleton {
  const { numerics, graph, n, S, prepared } = problem;
  const { bones, weights, worth, restStiffness, root } = options;
  const steps = new WeightSteps(numerics, graph, Math.max(SEARCH_SLOTS, weights));
  const search: Omit<PruneOptions, 'clusters'> = {
    bones: bones === 'auto' ? Number.POSITIVE_INFINITY : bones,
    worth: bones === 'auto' ? worth : Math.min(worth, WORTH_OF_GIVEN),
    negligible: n * S * (NEGLIGIBLE * diagonalOf(boundsOf(prepared.trajectories.rest))) ** 2,
    restStiffness,
  };
  const starts = startsOf(problem, options);
  const trial = { ...options, keepJoints: false, rounds: Math.min(options.rounds, TRIAL_ROUNDS) };
  let best: SolvedSkeleton | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [k, clusters] of starts.entries()) {
    const stage = (from: number, to: number) => stageOf(context, (k + from) / starts.length, (k + to) / starts.length);
    const loose = prunedBones(problem, steps, { ...search, clusters }, stage(0, 0.6));
    const hung = spanningTree(loose, (links) => rootBone(problem, loose, links, root, context));
    const system = steps.withFewerSlots(loose, weights);
    loose.dispose();
    const solved = fitStrictly(problem, steps, system, hung, trial, {}, stage(0.6, 1));
    solved.system.measureError();
    const value = search.worth * solved.system.m + 0.5 * log(solved.system.totalError() + search.negligible);
    const lost = value < least ? best : solved;
    if (value < least) [best, least] = [solved, value];
    lost?.system.dispose();
  }
  steps.dispose();
  return best as SolvedSkeleton;
}

/** The bones of a system on a sample, with weights for all vertices. The caller disposes both. */
function onAllVertices(
  problem: FitProblem,
  steps: WeightSteps,
  sample: SkinningSystem,
  slots: number,
): SkinningSystem {
  const system = problem.system(sample.m, slots);
  system.editTransforms().set(sample.transforms.view);
  const scope = problem.numerics.scope();
  const count = Math.min(2 * slots, system.m);
  const candidates = scope.i32(problem.n * count);
  system.nearestBones(candidates, count);
  system.solveWeightsAmong(candidates, count);
  scope.dispose();
  for (let k = 0; k < SPREADING; k++) {
    steps.swap(system, 1);
    steps.diffuse(system);
  }
  steps.swap(system, 1);
  return system;
}
