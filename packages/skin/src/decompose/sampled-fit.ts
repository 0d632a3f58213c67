/**
 * SSDR by way of a sample. The local minimum that a descent ends in is decided by its initialisation and by the first
 * rounds of diffusion, and both are better on a sample of the vertices than on all of them: a candidate bone reaches as
 * many rings in a tenth of the rounds, and a round costs a tenth. So several initialisations descend on a sample of the
 * vertices and frames, the better of them further, and the best continues on the full mesh, where a few rounds are
 * enough.
 *
 * The sample is found by geometry (see `coarseGraph`) and the initialisations are compared after their descent, so that
 * the order of the vertices, the coordinate system and seams have little say in the result.
 *
 * With the rest pose kept, the sample gives 5 to 12 % less error than the same initialisation on the full mesh, and the
 * best of four initialisations 5 to 8 % less than the first. Tried and left out: uniting the bones of two results and
 * removing the least useful (no gain over the better of the two), moving the least useful bones to where the error is
 * largest (0 to 5 % for as many descents again), half as many clusters again and pruning (no gain).
 */
import type { SkinningSystem } from '@pelt/math';
import { type RunContext, stageOf } from '@pelt/model';
import { WeightSteps } from '../shared/weight-steps.ts';
import type { CountedFit } from './bone-count.ts';
import { type Seeding, startFromClusters, WORST_VERTEX } from './cluster-start.ts';
import type { FitProblem, ProblemSample } from './fit-problem.ts';
import type { BoneKind, RoundOptions } from './options.ts';
import { OPENING } from './ssdr.ts';

/** Vertices and frames of the sample; at least so many vertices per bone. */
const VERTICES = 1500;
const VERTICES_PER_BONE = 30;
const FRAMES = 64;
/** An initialisation: where clusters are seeded, and how many times the final weights per vertex it begins with. */
interface Start {
  readonly seeding: Seeding;
  readonly slots: number;
}

const SEEDINGS: readonly Seeding[] = [
  WORST_VERTEX,
  { vertices: 10, rings: 1 },
  { vertices: 20, rings: 2 },
  { vertices: 20, rings: 6 },
];
const FEWER_STARTS: readonly Start[] = SEEDINGS.map((seeding, k) => ({ seeding, slots: k % 2 === 0 ? 1 : 1.5 }));
/** With few bones each decides more, and a round costs less. */
const MORE_STARTS: readonly Start[] = [1, 1.5].flatMap((slots) => SEEDINGS.map((seeding) => ({ seeding, slots })));
const FEW_BONES = 6;
/** Rounds of each initialisation: the opening and a period, then, with the final weights per vertex, another period. */
const [OPENING_ROUNDS, TRIAL_ROUNDS] = [15, 8];
/** Initialisations that go on after that, and their rounds: six periods. */
const FINALISTS = 2;
const FINAL_ROUNDS = 45;
/** Rounds on the full mesh: at most four periods. */
const FULL_ROUNDS = 29;
/** Candidate bones of a vertex when weights are carried over from the sample. */
const CANDIDATES = 12;
/** Sweeps over the bones that carry the motion from sampled frames to those between. */
const SWEEPS = 8;
/** Shares of the progress at which the trials, the finals and all rounds are done. */
const [TRIED, SAMPLED] = [0.3, 0.5];

export interface SampledOptions extends RoundOptions {
  readonly weights: number;
}

/** The best of several initialisations on a sample, refined on the full mesh. The caller disposes the system. */
export function fitFromSample(
  problem: FitProblem,
  bones: number,
  kind: BoneKind,
  options: SampledOptions,
  context: RunContext | undefined,
): CountedFit {
  const sample = problem.sample(Math.max(VERTICES, VERTICES_PER_BONE * bones), FRAMES);
  const start = bestStart(sample.problem, bones, kind, options, context);
  const onAll = stageOf(context, SAMPLED, 1);
  const carried = sample.problem === problem ? start.system : carryOver(sample, start.system, problem, kind);
  if (carried !== start.system) start.system.dispose();
  const rounds = Math.min(FULL_ROUNDS, options.rounds);
  const iterations = problem.descend(carried, kind, { ...options, rounds }, onAll, 0);
  return { system: carried, iterations: start.iterations + iterations };
}

function bestStart(
  problem: FitProblem,
  bones: number,
  kind: BoneKind,
  options: SampledOptions,
  context: RunContext | undefined,
): CountedFit {
  let iterations = 0;
  const descend = (system: SkinningSystem, most: number, stage: RunContext | undefined, opening: number) => {
    const rounds = Math.min(most, options.rounds);
    iterations += problem.descend(system, kind, { ...options, rounds }, stage, opening, false);
  };
  const starts = bones <= FEW_BONES ? MORE_STARTS : FEWER_STARTS;
  let systems = starts.map(({ seeding, slots }, k) => {
    const trial = stageOf(context, (TRIED * k) / starts.length, (TRIED * (k + 1)) / starts.length);
    const system = problem.system(bones, Math.round(slots * options.weights));
    startFromClusters(system, problem.numerics, problem.graph, trial, undefined, seeding);
    descend(system, OPENING_ROUNDS, stageOf(trial, 0, 0.7), OPENING);
    const wanted = withSlots(problem, system, options.weights);
    descend(wanted, TRIAL_ROUNDS, stageOf(trial, 0.7, 1), 0);
    return wanted;
  });
  systems = keepBest(systems, FINALISTS);
  systems.forEach((system, k) => {
    const [from, to] = [k, k + 1].map((turn) => TRIED + ((SAMPLED - TRIED) * turn) / FINALISTS);
    descend(system, FINAL_ROUNDS, stageOf(context, from, to), 0);
  });
  const [system] = keepBest(systems, 1);
  return { system, iterations };
}

/** The system with at most `slots` weights per vertex; the one given is disposed if that is another. */
function withSlots({ numerics, graph }: FitProblem, system: SkinningSystem, slots: number): SkinningSystem {
  if (system.K <= slots) return system;
  const steps = new WeightSteps(numerics, graph, system.K);
  const fewer = steps.withFewerSlots(system, slots);
  steps.dispose();
  system.dispose();
  return fewer;
}

/** The systems of least error, in order of it; the others are disposed. */
function keepBest(systems: readonly SkinningSystem[], count: number): SkinningSystem[] {
  const errors = new Map(systems.map((system) => [system, system.totalError()]));
  const error = (system: SkinningSystem) => errors.get(system) ?? 0;
  const order = [...systems].sort((a, b) => error(a) - error(b));
  for (const system of order.slice(count)) system.dispose();
  return order.slice(0, count);
}

/**
 * Bones and weights of a sample on the full problem. A vertex chooses among the bones of its nearest sampled vertex and
 * of that one's neighbours; a frame between sampled ones starts from the last of them.
 */
function carryOver(
  { problem: coarse, owner, frames }: ProblemSample,
  from: SkinningSystem,
  problem: FitProblem,
  kind: BoneKind,
): SkinningSystem {
  const { m, K } = from;
  const system = problem.system(m, K);
  const transforms = system.editTransforms();
  for (let t = 0, f = 0; t < problem.S; t++) {
    if (f + 1 < frames.length && frames[f + 1] <= t) f++;
    transforms.set(from.transforms.view.subarray(f * m * 12, (f + 1) * m * 12), t * m * 12);
  }
  const count = Math.min(CANDIDATES, m);
  const lists = nearbyBones(from, coarse, count);
  const scope = problem.numerics.scope();
  const candidates = scope.i32(problem.n * count);
  owner.forEach((own, i) => {
    if (own < 0) candidates.view.fill(-1, i * count, (i + 1) * count);
    else candidates.view.set(lists.subarray(own * count, (own + 1) * count), i * count);
  });
  if (frames.length < problem.S) {
    carryWeights(system, from, owner);
    if (kind === 'rigid') system.solveRigidBones(SWEEPS);
    else system.solveAffineBones();
  }
  system.solveWeightsAmong(candidates, count);
  scope.dispose();
  return system;
}

/** Gives every vertex the weights of its nearest sampled vertex. */
function carryWeights(system: SkinningSystem, from: SkinningSystem, owner: Int32Array): void {
  const { K } = system;
  const { bones, weights } = system.editWeights();
  owner.forEach((own, i) => {
    if (own < 0) return;
    bones.set(from.boneIndices.view.subarray(own * K, (own + 1) * K), i * K);
    weights.set(from.weights.view.subarray(own * K, (own + 1) * K), i * K);
  });
}

/** n × count bones of each vertex and its neighbours by decreasing weight, −1 behind the last. */
function nearbyBones(
  { m, K, boneIndices, weights }: SkinningSystem,
  { n, graph }: FitProblem,
  count: number,
): Int32Array {
  const out = new Int32Array(n * count).fill(-1);
  const sums = new Float64Array(m);
  const [bones, w] = [boneIndices.view, weights.view];
  const add = (i: number, factor: number) => {
    for (let s = i * K; s < (i + 1) * K; s++) sums[bones[s]] += factor * w[s];
  };
  for (let i = 0; i < n; i++) {
    sums.fill(0);
    const [begin, end] = [graph.starts[i], graph.starts[i + 1]];
    add(i, Math.max(end - begin, 1));
    for (let e = begin; e < end; e++) add(graph.neighbours[e], 1);
    const order = Array.from(sums.keys()).filter((j) => sums[j] > 0);
    order.sort((a, b) => sums[b] - sums[a] || a - b);
    out.set(order.slice(0, count), i * count);
  }
  return out;
}
