/**
 * SSDR by way of a sample. The local minimum that a descent ends in is decided by its initialisation and by the first
 * rounds of diffusion, and both are better on a sample of the vertices than on all of them: a candidate bone reaches as
 * many rings in a tenth of the rounds, and a round costs a tenth. So two initialisations descend on a sample of the vertices
 * and frames, the better one breathes there (see `breathe`) and continues on the full mesh, where a few rounds are enough.
 * With a rest pose that is kept all has to come from bones and weights: four initialisations breathe, and the best takes
 * over what the others have found better (see `exchangeAmong`), for 3 % less error than the better of two.
 *
 * The sample is found by geometry (see `coarseGraph`) and the initialisations are compared after their descent, so that
 * the order of the vertices, the coordinate system and seams have little say in the result.
 *
 * With the rest pose kept, the sample gives 5 to 12 % less error than the same initialisation on the full mesh.
 * Tried and left out: docs/experiments/ssdr.md.
 */
import type { SkinningSystem } from '@pelt/kernels';
import { type RunContext, stageOf } from '@pelt/model';
import { meritOf, type RestPose } from '../shared/rest-pose.ts';
import { type Seeding, startFromClusters } from '../shared/search/cluster-start.ts';
import { solveLooseBones } from '../shared/search/loose-bones.ts';
import { WeightSteps } from '../shared/search/weight-steps.ts';
import type { CountedFit } from './bone-count.ts';
import { breathe } from './breathing.ts';
import { carryMotion, carryWeights, solveWeightsNearby } from './carry-sample.ts';
import { exchangeAmong } from './exchange.ts';
import type { FitProblem, ProblemSample } from './fit-problem.ts';
import type { BoneKind, RoundOptions } from './options.ts';
import { clusterSeeding, roundsOf } from './plan.ts';
import { startFromRegions, wantsRegions } from './region-start.ts';
import type { Descent } from './ssdr.ts';

/** Shares of the progress at which the trials, the breaths, the exchange of parts, what follows it, and the sample are done. */
const [TRIED, BREATHED, EXCHANGED, UNITED, SAMPLED] = [0.15, 0.4, 0.5, 0.54, 0.6];

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
  const { plan } = problem;
  const sample = problem.sample(Math.max(plan.vertices, 1.5 * plan.seed * bones), plan.frames);
  const start = bestStart(sample.problem, bones, kind, options, context);
  const onAll = stageOf(context, SAMPLED, 1);
  const carried = sample.problem === problem ? start.system : carryOver(sample, start.system, problem, kind);
  if (carried !== start.system) start.system.dispose();
  const rounds = Math.min(roundsOf(plan).onAll, options.rounds);
  const iterations = problem.descend(carried, kind, { ...options, rounds }, onAll, { opening: 0, prices: [1, 1] });
  return { system: carried, iterations: start.iterations + iterations };
}

/** The best of several initialisations on the sample itself. The caller disposes the system. */
export function bestStart(
  problem: FitProblem,
  bones: number,
  kind: BoneKind,
  options: SampledOptions,
  context: RunContext | undefined,
): CountedFit {
  const { plan } = problem;
  const stages = roundsOf(plan);
  let iterations = 0;
  const descend = (system: SkinningSystem, most: number, stage: RunContext, descent: Partial<Descent>) => {
    const rounds = Math.min(most, options.rounds);
    iterations += problem.descend(system, kind, { ...options, rounds }, stage, { ...descent, settle: false });
  };
  // Where clusters are seeded, and how many times the final weights per vertex they begin with.
  const seeding = clusterSeeding(plan);
  const { numerics, graph } = problem;
  const clusters = (chosen: Seeding) => (system: SkinningSystem, stage: RunContext) =>
    startFromClusters(system, numerics, graph, chosen, stage);
  const starts = [
    { begin: clusters(seeding), slots: 1 },
    {
      begin: clusters({ ...seeding, vertices: plan.seed / 2, rings: 1 }),
      slots: plan.otherSlots,
    },
    ...(options.restPose === 'keep' && options.rounds >= stages.converged
      ? [
          { begin: clusters({ ...seeding, vertices: (3 * plan.seed) / 4 }), slots: (1 + plan.otherSlots) / 2 },
          {
            begin: clusters({ ...seeding, vertices: (3 * plan.seed) / 2, rings: 1 }),
            slots: 2 * plan.otherSlots - 1,
          },
        ]
      : []),
  ];
  const tried = ({ begin, slots }: (typeof starts)[number], trial: RunContext) => {
    const system = problem.system(bones, Math.round(slots * options.weights));
    begin(system, trial);
    descend(system, stages.opening, stageOf(trial, 0, 0.7), {});
    const wanted = withSlots(problem, system, options.weights);
    descend(wanted, stages.period, stageOf(trial, 0.7, 1), { opening: 0 });
    return wanted;
  };
  const systems = starts.map((start, k) =>
    tried(start, stageOf(context, (TRIED * k) / starts.length, (TRIED * (k + 1)) / starts.length)),
  );
  if (wantsRegions(problem, bones, Math.min(...systems.map((system) => meritOf(system, options.restPose))))) {
    const begin = (system: SkinningSystem, stage: RunContext) => startFromRegions(system, problem, stage);
    systems.push(tried({ begin, slots: 1 }, stageOf(context, TRIED, TRIED)));
  }
  const chosen = options.restPose === 'keep' ? systems : [bestOf(systems, options.restPose)];
  /** Parts of all fits in the best of them, which then breathes once more. */
  const exchanged = (fits: readonly SkinningSystem[]) => {
    const result = exchangeAmong(problem, fits, kind, options, stageOf(context, BREATHED, EXCHANGED));
    const again = breathe(problem, result.system, kind, options, stageOf(context, EXCHANGED, UNITED));
    iterations += result.iterations + again.iterations;
    return again.system;
  };
  const breathed = chosen.map((start, k) => {
    if (options.rounds < stages.converged) return start;
    const share = (BREATHED - TRIED) / chosen.length;
    const breathing = stageOf(context, TRIED + share * k, TRIED + share * (k + 1));
    descend(start, stages.unbreathed, stageOf(breathing, 0, 0.1), { opening: 0 });
    const result = breathe(problem, start, kind, options, stageOf(breathing, 0.1, 1));
    iterations += result.iterations;
    return result.system;
  });
  const united = breathed.length > 1 && options.rounds >= stages.converged;
  const system = united ? exchanged(breathed) : bestOf(breathed, options.restPose);
  descend(system, stages.breathed, stageOf(context, UNITED, SAMPLED), { opening: 0, prices: [0, 1] });
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

/** The system of least error; the others are disposed. */
function bestOf(systems: readonly SkinningSystem[], restPose: RestPose): SkinningSystem {
  const merits = systems.map((system) => meritOf(system, restPose));
  const best = merits.indexOf(merits.reduce((a, b) => Math.min(a, b)));
  systems.forEach((system, k) => {
    if (k !== best) system.dispose();
  });
  return systems[best];
}

/** Bones and weights of a sample on the full problem. */
function carryOver(sample: ProblemSample, from: SkinningSystem, problem: FitProblem, kind: BoneKind): SkinningSystem {
  const system = carryMotion(sample, from, problem);
  if (sample.frames.length < problem.S) {
    carryWeights(system, from, sample.owner);
    solveLooseBones(system, kind, 2 * problem.plan.sweeps);
  }
  solveWeightsNearby(system, sample, from, problem);
  return system;
}
