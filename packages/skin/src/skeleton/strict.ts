/**
 * The default method. A given number of bones is searched for on a sample of the vertices and frames (strict-search.ts);
 * as many as are worth it are pruned from more clusters than needed and connected by a spanning tree. Both are refined with
 * exact joints (strict-rounds.ts), again without the bones that turn out to do nothing.
 *
 * Reference: Le, Deng. Robust and accurate skeletal rigging from mesh sequences. 2014, whose joints are soft constraints.
 */

import type { SkinningSystem } from '@pelt/kernels';
import { log } from '@pelt/math';
import { boundsOf, diagonalOf, type MeshSequence, type RunContext, stageOf } from '@pelt/model';
import type { FitProblem } from '../decompose/fit-problem.ts';
import { WindingNumber } from '../shared/mesh/winding-number.ts';
import { WeightSteps } from '../shared/weight-steps.ts';
import type { Candidate } from './added-bone.ts';
import { carriedSkeleton } from './carry-skeleton.ts';
import { type JointedTree, rehung, spanningTree } from './joint-tree.ts';
import { type MirrorPlane, mirrorPlane } from './mirror-plane.ts';
import type { SkeletonOptions } from './options.ts';
import { type PruneOptions, prunedBones, SEARCH_SLOTS } from './prune-bones.ts';
import { rootBone } from './root-bone.ts';
import type { SolvedSkeleton } from './skeleton-rig.ts';
import { type BodyShape, fitStrictly } from './strict-fit.ts';
import { type SearchOptions, searchSkeleton } from './strict-search.ts';
import { untidyBones, withoutBones } from './tidy-bones.ts';
import { FRESH, SETTLED } from './weight-plan.ts';

/** Clusters when the number of bones is chosen automatically. */
const CLUSTERS = 60;
/**
 * If pruning keeps more than this share of the clusters, it had too few to choose from and starts again from twice as many,
 * up to the default number: on cloth, pruning would keep most of any number.
 */
const MOST_KEPT = 0.6;
/** Vertices and frames of the sample on which a given number of bones is searched for; at least so many per bone. */
const VERTICES = 1000;
const VERTICES_PER_BONE = 30;
const FRAMES = 48;
/** Rounds after bones were removed, and how often that is done at most. */
const TIDY_ROUNDS = 22;
const MOST_TIDYINGS = 4;
/** Alternations of joints and rotations per round on all vertices, where weights take most of the time. */
const JOINT_TURNS = 2;
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
  const { numerics, graph, prepared } = problem;
  const { bones, weights, worth, root } = options;
  const steps = new WeightSteps(numerics, graph, Math.max(SEARCH_SLOTS, 2 * weights));
  const objective = { worth, negligible: negligibleError(problem) };
  const winding = new WindingNumber(prepared.trajectories.rest, sequence.rest.triangles);
  const opening = stageOf(context, 0, 0.5);
  const start =
    bones === 'auto'
      ? looseStart(problem, steps, { ...options, ...objective }, opening)
      : sampledStart(problem, { ...options, bones, winding }, mirror !== undefined, opening);
  const hung = rehung(start, (links) => rootBone(problem, start.system, links, root, context));
  const shape = { ...(mirror && { mirror }), winding };
  const refined = fitTidily(
    problem,
    steps,
    start.system,
    hung,
    options,
    shape,
    stageOf(context, 0.5, bones === 'auto' ? 0.8 : 1),
  );
  const solved =
    bones === 'auto'
      ? pruneStrictly(problem, steps, refined, options, shape, objective, stageOf(context, 0.8, 1))
      : refined;
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
  const strict = { ...options, keepJoints: false, plan: FRESH, jointTurns: JOINT_TURNS };
  let solved = fitStrictly(problem, steps, system, hung, strict, shape, halving(context, 0));
  for (let k = 0; k < MOST_TIDYINGS; k++) {
    const gone = untidyBones(solved);
    if (gone.length === 0) break;
    const fewer = withoutBones(solved, gone);
    solved.system.dispose();
    const rounds = Math.min(options.rounds, TIDY_ROUNDS);
    const { iterations } = solved;
    solved = fitStrictly(
      problem,
      steps,
      fewer.system,
      fewer.hung,
      { ...strict, rounds, plan: SETTLED },
      shape,
      halving(context, k + 1),
    );
    solved = { ...solved, iterations: solved.iterations + iterations };
  }
  return solved;
}

/**
 * Removes the least important bone as long as that lowers the objective of the search, now that joints are exact: where
 * unconstrained bones had a use for one more, a skeleton may have none.
 */
function pruneStrictly(
  problem: FitProblem,
  steps: WeightSteps,
  start: SolvedSkeleton,
  options: SkeletonOptions,
  shape: BodyShape,
  goal: Objective,
  context: RunContext | undefined,
): SolvedSkeleton {
  const rounds = Math.min(options.rounds, TIDY_ROUNDS);
  const strict = { ...options, keepJoints: false, plan: SETTLED, jointTurns: JOINT_TURNS, rounds };
  let best = start;
  let least = objectiveOf(best.system, goal);
  for (let k = 0; best.system.m > 1; k++) {
    const costs = best.system.removalCosts();
    costs[best.tree.order[0]] = Number.POSITIVE_INFINITY;
    const cheapest = costs.indexOf(costs.reduce((a, b) => Math.min(a, b)));
    const fewer = withoutBones(best, [cheapest]);
    const trial = fitStrictly(problem, steps, fewer.system, fewer.hung, strict, shape, halving(context, k));
    const value = objectiveOf(trial.system, goal);
    if (!(value < least)) {
      trial.system.dispose();
      break;
    }
    best.system.dispose();
    [best, least] = [{ ...trial, iterations: best.iterations + trial.iterations }, value];
  }
  return best;
}

/** Half of what is left of a stage, for the k-th of steps whose number is not known. */
function halving(context: RunContext | undefined, k: number): RunContext {
  return stageOf(context, 1 - 2 ** -k, 1 - 2 ** -(k + 1));
}

type Objective = Pick<PruneOptions, 'worth' | 'negligible'>;

/** τm + log √(E + ε), see prune-bones.ts. */
function objectiveOf(system: SkinningSystem, { worth, negligible }: Objective): number {
  system.measureError();
  return worth * system.m + 0.5 * log(system.totalError() + negligible);
}

/** Total squared error that counts as zero. */
function negligibleError({ n, S, prepared }: FitProblem): number {
  return n * S * (NEGLIGIBLE * diagonalOf(boundsOf(prepared.trajectories.rest))) ** 2;
}

/** Bones pruned on all vertices, as many as are worth it, and joined. */
function looseStart(
  problem: FitProblem,
  steps: WeightSteps,
  options: SkeletonOptions & Objective,
  context: RunContext,
): Candidate {
  let clusters = Math.min(options.clusters === 'auto' ? CLUSTERS : options.clusters, problem.n);
  // The number of attempts is unknown, and usually one: each takes 80 % of the progress that is left.
  let done = 0;
  const prune = () => {
    const stage = stageOf(context, done, 0.8 + 0.2 * done);
    done = 0.8 + 0.2 * done;
    return prunedBones(problem, steps, { ...options, clusters, bones: clusters }, stage);
  };
  let loose = prune();
  const most = Math.min(CLUSTERS, problem.n);
  while (loose.m > MOST_KEPT * clusters && clusters < most) {
    loose.dispose();
    clusters = Math.min(2 * clusters, most);
    loose = prune();
  }
  const hung = spanningTree(loose, () => 0);
  const system = steps.withFewerSlots(loose, options.weights);
  loose.dispose();
  return { system, ...hung };
}

/** Bones found on a sample of the vertices and frames. */
function sampledStart(
  problem: FitProblem,
  options: SkeletonOptions & Pick<SearchOptions, 'bones' | 'winding'>,
  symmetric: boolean,
  context: RunContext,
): Candidate {
  const sample = problem.sample(Math.max(VERTICES, VERTICES_PER_BONE * options.bones), FRAMES);
  const worth = Math.min(options.worth, WORTH_OF_GIVEN);
  const mirror = symmetric ? mirrorPlane(sample.problem.prepared.trajectories.rest, context) : undefined;
  const search = { ...options, worth, negligible: negligibleError(sample.problem), ...(mirror && { mirror }) };
  return carriedSkeleton(sample, searchSkeleton(sample.problem, search, context), problem);
}
