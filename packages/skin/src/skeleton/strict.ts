/**
 * The default method, on a sample of the vertices and frames: bones of skin that is blended linearly are found in the motion of
 * patches (subspace-start.ts). Otherwise, a given number of bones is searched for (strict-search.ts); as
 * many as are worth it are pruned from more clusters than needed and connected by a spanning tree. Both are then refined on
 * all of them with exact joints (strict-rounds.ts), again without the bones that turn out to do nothing.
 *
 * Reference: Le, Deng. Robust and accurate skeletal rigging from mesh sequences. 2014, whose joints are soft constraints.
 */

import type { SkinningSystem } from '@pelt/kernels';
import { log } from '@pelt/math';
import { boundsOf, diagonalOf, type MeshSequence, type RunContext, stageOf } from '@pelt/model';
import type { FitProblem } from '../decompose/fit-problem.ts';
import { WindingNumber } from '../shared/mesh/winding-number.ts';
import { cheapestFirst } from '../shared/search/moves.ts';
import { FRESH, SETTLED, type WeightPlan } from '../shared/search/weight-plan.ts';
import { WeightSteps } from '../shared/search/weight-steps.ts';
import { carriedSkeleton } from './carry-skeleton.ts';
import { type JointedTree, rehung, spanningTree } from './joint-tree.ts';
import type { BodyShape } from './jointed-bones.ts';
import { type MirrorPlane, mirrorPlane } from './mirror-plane.ts';
import { withMirroredBones } from './mirrored-bones.ts';
import { type Candidate, withFewerBones } from './moves.ts';
import type { PlannedOptions } from './options.ts';
import { type PruneOptions, prunedBones } from './prune-bones.ts';
import { rootBone } from './root-bone.ts';
import type { SolvedSkeleton } from './skeleton-rig.ts';
import { fitStrictly } from './strict-fit.ts';
import { type SearchOptions, searchSkeleton } from './strict-search.ts';
import { subspaceStart } from './subspace-start.ts';
import { untidyBones } from './tidy-bones.ts';

/** Root mean square error that counts as zero, relative to the diagonal of the rest pose. */
const NEGLIGIBLE = 2e-4;

/** The caller disposes the system. */
export function strictSkeleton(
  problem: FitProblem,
  sequence: MeshSequence,
  options: PlannedOptions,
  mirror: MirrorPlane | undefined,
  context: RunContext | undefined,
): SolvedSkeleton {
  const { numerics, graph, prepared } = problem;
  const { bones, weights, root, search } = options;
  const steps = new WeightSteps(numerics, graph, Math.max(search.slots, 2 * weights));
  const winding = new WindingNumber(prepared.trajectories.rest, sequence.rest.triangles);
  const opening = stageOf(context, 0, 0.5);
  const start =
    bones === 'auto'
      ? leastStart(problem, sequence, options, mirror, winding, opening)
      : sampledStart(problem, { ...options, bones, winding }, mirror !== undefined, opening);
  const hung = rehung(start, (links) => rootBone(problem, start.system, links, root, context));
  const shape = { ...(mirror && { mirror }), winding };
  if ('exact' in start) {
    const rounds = Math.min(options.rounds, search.exactRounds);
    const kept = { ...options, keepJoints: true, plan: SETTLED, jointTurns: 1, rounds };
    const solved = fitStrictly(problem, steps, start.system, hung, kept, shape, stageOf(context, 0.5, 1));
    steps.dispose();
    return solved;
  }
  // A skeleton that was refined on a sample has settled.
  const plan = bones === 'auto' ? SETTLED : FRESH;
  const rounds = bones === 'auto' ? Math.min(options.rounds, search.tidyRounds) : options.rounds;
  const solved = fitTidily(
    problem,
    steps,
    start.system,
    hung,
    { ...options, rounds },
    plan,
    shape,
    stageOf(context, 0.5, 1),
  );
  steps.dispose();
  return solved;
}

/** Refines a skeleton, and again without the bones that turned out to do nothing. */
function fitTidily(
  problem: FitProblem,
  steps: WeightSteps,
  system: SkinningSystem,
  hung: JointedTree,
  options: PlannedOptions,
  plan: WeightPlan,
  shape: BodyShape,
  context: RunContext | undefined,
): SolvedSkeleton {
  const strict = { ...options, keepJoints: false, plan, jointTurns: options.search.jointTurns };
  let solved = fitStrictly(problem, steps, system, hung, strict, shape, halving(context, 0));
  for (let k = 0; k < options.search.tidyings; k++) {
    const gone = untidyBones(solved, options.search);
    if (gone.length === 0) break;
    const { system: fewer, ...left } = withFewerBones(solved, gone);
    solved.system.dispose();
    const rounds = Math.min(options.rounds, options.search.tidyRounds);
    const { iterations } = solved;
    solved = fitStrictly(
      problem,
      steps,
      fewer,
      left,
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
  options: PlannedOptions,
  shape: BodyShape,
  goal: Objective,
  context: RunContext | undefined,
): SolvedSkeleton {
  const rounds = Math.min(options.rounds, options.search.tidyRounds);
  const strict = { ...options, keepJoints: false, plan: SETTLED, jointTurns: options.search.jointTurns, rounds };
  let best = start;
  let least = objectiveOf(best.system, goal);
  for (let k = 0; best.system.m > 1; k++) {
    const costs = best.system.removalCosts();
    costs[best.tree.order[0]] = Number.POSITIVE_INFINITY;
    const [cheapest] = cheapestFirst(costs);
    const { system, ...hung } = withFewerBones(best, [cheapest]);
    const trial = fitStrictly(problem, steps, system, hung, strict, shape, halving(context, k));
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

/** The skeleton with a mirror image for every bone, unless that costs more error than an asymmetric motion may. */
function pairStrictly(
  problem: FitProblem,
  steps: WeightSteps,
  start: SolvedSkeleton,
  options: PlannedOptions,
  shape: BodyShape & { readonly mirror: MirrorPlane },
  context: RunContext,
): SolvedSkeleton {
  const { search } = options;
  start.system.measureError();
  const most = (1 + search.paired) ** 2 * start.system.totalError();
  const { system, ...hung } = withMirroredBones(start, shape.mirror);
  const rounds = Math.min(options.rounds, search.tidyRounds);
  const stage = stageOf(context, 0.9, 1);
  const trial = fitTidily(problem, steps, system, hung, { ...options, rounds }, SETTLED, shape, stage);
  trial.system.measureError();
  const [taken, left] = trial.system.totalError() <= most ? [trial, start] : [start, trial];
  left.system.dispose();
  return { ...taken, iterations: start.iterations + trial.iterations };
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
  options: PlannedOptions & Objective,
  context: RunContext,
): Candidate {
  let clusters = Math.min(options.clusters === 'auto' ? options.search.clusters : options.clusters, problem.n);
  // The number of attempts is unknown, and usually one: each takes 80 % of the progress that is left.
  let done = 0;
  const prune = () => {
    const stage = stageOf(context, done, 0.8 + 0.2 * done);
    done = 0.8 + 0.2 * done;
    return prunedBones(problem, steps, { ...options, clusters, bones: clusters }, stage);
  };
  let loose = prune();
  const most = Math.min(options.search.clusters, problem.n);
  while (loose.m > options.search.mostKept * clusters && clusters < most) {
    loose.dispose();
    clusters = Math.min(2 * clusters, most);
    loose = prune();
  }
  const hung = spanningTree(loose, () => 0);
  const system = steps.withFewerSlots(loose, options.weights);
  loose.dispose();
  return { system, ...hung };
}

/**
 * As many bones as are worth it, found and refined on a sample of the vertices and of the frames that add most.
 *
 * Measured on rigs of artists, baked to meshes over all of their clips (settings chosen on two, checked on two others):
 * joints found within a fortieth of the size from 0.66 to 0.75 of those that matter, in half the time on all frames. Tried
 * and left out: 32 or 100 frames, 60 or 120 clusters, a tenth of the worth, the mirror image of every frame as well (the
 * same joints in three times the time), bones compared by the logarithms of the vertices' errors (fewer joints found).
 */
function leastStart(
  problem: FitProblem,
  sequence: MeshSequence,
  options: PlannedOptions,
  whole: MirrorPlane | undefined,
  winding: WindingNumber,
  context: RunContext,
): Candidate & { readonly exact?: true } {
  const { search, worth } = options;
  const exact = exactStart(problem, sequence, options, whole, winding, stageOf(context, 0, 0.5));
  if (exact) return exact;
  const sample = problem.sample(4 * search.vertices, search.autoFrames, 'different');
  const { problem: small } = sample;
  const mirror = whole && mirrorPlane(small.prepared.trajectories.rest, context);
  const shape = { winding, ...(mirror && { mirror }) };
  const objective = { worth, negligible: negligibleError(small) };
  const steps = new WeightSteps(small.numerics, small.graph, Math.max(search.slots, 2 * options.weights));
  const loose = looseStart(small, steps, { ...options, ...objective }, stageOf(context, 0, 0.5));
  const refined = fitTidily(small, steps, loose.system, loose, options, FRESH, shape, stageOf(context, 0.5, 0.8));
  const pruned = pruneStrictly(small, steps, refined, options, shape, objective, stageOf(context, 0.8, 0.9));
  const paired = mirror ? pairStrictly(small, steps, pruned, options, { ...shape, mirror }, context) : pruned;
  steps.dispose();
  return carriedSkeleton(sample, paired, problem);
}

/**
 * The bones that the motion of patches gives (subspace-start.ts), if they nearly reproduce the motion, refined on a sample;
 * else undefined.
 */
function exactStart(
  problem: FitProblem,
  sequence: MeshSequence,
  options: PlannedOptions,
  whole: MirrorPlane | undefined,
  winding: WindingNumber,
  context: RunContext,
): (Candidate & { readonly exact: true }) | undefined {
  const { weights, search, clusters } = options;
  if (clusters !== 'auto') return undefined;
  const sample = problem.exactSample(sequence, 4 * search.vertices, 2 * search.frames);
  const { problem: small } = sample;
  const { numerics, graph, n, S, prepared } = small;
  const makeSteps = (slots: number) => new WeightSteps(numerics, graph, slots);
  // One plane for both, with the images of the vertices of each.
  const mirror = whole && {
    ...mirrorPlane(prepared.trajectories.rest, context),
    normal: whole.normal,
    offset: whole.offset,
  };
  const mirrors = mirror && { all: whole, sampled: mirror };
  const found = subspaceStart(problem, sequence, sample, weights, search, mirrors, makeSteps, stageOf(context, 0, 0.7));
  if (!found) return undefined;
  const { error, system } = found;
  if (error > n * S * (search.nearlyExact * diagonalOf(boundsOf(prepared.trajectories.rest))) ** 2) {
    system.dispose();
    return undefined;
  }
  const steps = makeSteps(2 * weights);
  // Motion says where joints are better than where bones meet, which is a rough guess where many blend.
  const hung = rehung({ ...found, places: found.joints }, (links) =>
    rootBone(small, system, links, options.root, context),
  );
  const rounds = Math.min(options.rounds, search.tidyRounds);
  const shape = { winding, ...(mirror && { mirror }) };
  const stage = stageOf(context, 0.7, 1);
  const refined = fitTidily(small, steps, system, hung, { ...options, rounds }, SETTLED, shape, stage);
  steps.dispose();
  return { ...carriedSkeleton(sample, refined, problem), exact: true };
}

/** Bones found on a sample of the vertices and frames. */
function sampledStart(
  problem: FitProblem,
  options: PlannedOptions & Pick<SearchOptions, 'bones' | 'winding'>,
  symmetric: boolean,
  context: RunContext,
): Candidate {
  const { search: plan } = options;
  const sample = problem.sample(Math.max(plan.vertices, 1.5 * plan.seed * options.bones), plan.frames);
  const worth = Math.min(options.worth, plan.worthOfGiven);
  const mirror = symmetric ? mirrorPlane(sample.problem.prepared.trajectories.rest, context) : undefined;
  const search = { ...options, worth, negligible: negligibleError(sample.problem), ...(mirror && { mirror }) };
  return carriedSkeleton(sample, searchSkeleton(sample.problem, search, context), problem);
}
