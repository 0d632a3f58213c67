/**
 * How many bones: the fewest that reach an error, or the knee of the error curve of blended fits.
 *
 * One clustering pass gives the error of the rigid clusters for every count; the error of a converged fit is a nearly
 * constant fraction of it. The search therefore fits at the count where that fraction predicts success, updates the
 * fraction, and fits again; from the smallest successful fit it then removes bones one by one, each time the cheapest,
 * with a few rounds in between.
 */

import type { SkinningSystem } from '@pelt/kernels';
import { log } from '@pelt/math';
import { type RunContext, stageOf } from '@pelt/model';
import { type ClusterStage, startFromClusters, startFromLabels } from '../shared/search/cluster-start.ts';
import { cheapestFirst, withoutBones } from '../shared/search/moves.ts';
import type { FitProblem } from './fit-problem.ts';
import type { BoneKind, RoundOptions } from './options.ts';
import { clusterSeeding, type FitPlan, roundsOf } from './plan.ts';
import { UnreachedError } from './unreached-error.ts';

/** Safety margin: errors are compared before weights are rounded to float32. */
const MARGIN = 0.999;

export interface CountedFit {
  readonly system: SkinningSystem;
  readonly iterations: number;
}

/** Errors (E_RMS) and labels of 1 … count clusters. */
function clusterStages(problem: FitProblem, count: number, context: RunContext | undefined): ClusterStage[] {
  const stages: ClusterStage[] = [];
  const system = problem.system(Math.min(count, problem.n), 1);
  startFromClusters(system, problem.numerics, problem.graph, clusterSeeding(problem.plan), context, (stage) =>
    stages.push(stage),
  );
  system.dispose();
  return stages.map(({ error, labels }) => ({ error: problem.eRms(error), labels }));
}

/**
 * The knee of the error curve of blended fits. On a sample of the mesh, twice as many bones are fitted as rigid clusters
 * suggest (clusters need several where a blend of two will do), then removed one by one, each time the cheapest, with a
 * few rounds in between. Where a rig moved the mesh, the curve is level beyond its number of bones, and the beginning of
 * that plateau is the answer; elsewhere it is the point of log error furthest below the chord.
 */
export function kneeOfBones(
  problem: FitProblem,
  slots: number,
  kind: BoneKind,
  options: RoundOptions,
  context: RunContext | undefined,
): number {
  const { plan } = problem;
  const { problem: sample } = problem.sample(plan.kneeVertices, plan.frames / 2);
  const clusters = clusterStages(sample, Math.min(sample.n, plan.kneeBones), context);
  if (clusters[0].error <= EXACT) return 1;
  const most = Math.min(
    2 *
      kneeOf(
        clusters.map(({ error }) => error),
        plan,
      ),
    clusters.length,
  );
  let system = sample.system(most, slots);
  startFromLabels(system, sample.numerics, clusters[most - 1].labels, clusterSeeding(plan));
  sample.descend(system, kind, { ...options, rounds: roundsOf(plan).counting }, stageOf(context, 0, 0.5), {
    settle: false,
  });
  const errors = new Array<number>(most);
  for (;;) {
    errors[system.m - 1] = sample.eRms(system.totalError());
    if (system.m === 1) break;
    const fewer = withoutLeastBone(system, slots);
    system.dispose();
    system = fewer;
    system.solveWeightsBySwaps(system.K, 0);
    const [from, to] = [1, 0].map((more) => 1 - (system.m + more - 1) / (2 * most));
    sample.descend(system, kind, { ...options, rounds: plan.swapping }, stageOf(context, from, to), {
      opening: 0,
      settle: false,
    });
  }
  system.dispose();
  return plateauOf(errors, plan) ?? kneeOf(errors, plan);
}

/**
 * The fewest bones after which many more gain little, as happens where a rig moved the mesh; undefined where the error
 * keeps falling.
 *
 * @param errors  of 1, 2, … bones
 */
function plateauOf(
  errors: readonly number[],
  { plateauBones, plateauError, nearlyExact }: FitPlan,
): number | undefined {
  for (let m = 1; m < errors.length; m++) {
    const more = m + Math.max(Math.ceil(plateauBones * m), 2);
    if (more > errors.length) return undefined;
    const least = errors.slice(m, more).reduce((a, b) => Math.min(a, b));
    if (Math.max(least, nearlyExact) >= plateauError * Math.max(errors[m - 1], nearlyExact)) return m;
  }
  return undefined;
}

/** @param errors  of 1, 2, … bones */
function kneeOf(errors: readonly number[], { nearlyExact }: FitPlan): number {
  // More bones never fit worse: a rise is a local minimum.
  const logs = errors.map((_, k) =>
    log(
      Math.max(
        errors.slice(0, k + 1).reduce((a, b) => Math.min(a, b)),
        nearlyExact,
      ),
    ),
  );
  const last = logs.length - 1;
  let knee = last;
  let furthest = 0;
  logs.forEach((value, k) => {
    const chord = logs[0] + ((logs[last] - logs[0]) * k) / Math.max(last, 1);
    if (chord - value > furthest) {
      furthest = chord - value;
      knee = k;
    }
  });
  return knee + 1;
}

/** E_RMS below which an error is indistinguishable from the rounding of float32 input. */
const EXACT = 1e-3;

/** Whether every frame is a rigid motion of the rest pose, so that one bone suffices. */
export function isRigid(problem: FitProblem): boolean {
  const system = problem.system(1, 1);
  startFromLabels(system, problem.numerics, new Uint16Array(problem.n), clusterSeeding(problem.plan));
  system.measureError();
  const error = problem.eRms(system.totalError());
  system.dispose();
  return error <= EXACT;
}

/** The fit with the fewest bones whose E_RMS is at most `maxError`. The caller disposes the system. */
export function fewestBones(
  problem: FitProblem,
  maxError: number,
  most: number,
  slots: number,
  kind: BoneKind,
  options: RoundOptions,
  context: RunContext | undefined,
): CountedFit {
  let stages = clusterStages(problem, Math.min(problem.plan.kneeBones / 2, most), context);
  let share = problem.plan.share;
  let iterations = 0;
  let low = 0;
  let found: { system: SkinningSystem; bones: number } | undefined;
  let last = Number.POSITIVE_INFINITY;
  for (let fit = 0; fit < problem.plan.fits; fit++) {
    const ceiling = found ? found.bones - 1 : most;
    while (!reached(stages, share, maxError) && stages.length < Math.min(ceiling, problem.n)) {
      stages = clusterStages(problem, Math.min(2 * stages.length, ceiling), context);
    }
    const foretold = stages.findIndex(({ error }) => error * share <= maxError);
    const bones = Math.min(Math.max(foretold < 0 ? stages.length : foretold + 1, low + 1), ceiling, stages.length);
    if (bones <= low) break;
    const system = problem.system(bones, slots);
    startFromLabels(system, problem.numerics, stages[bones - 1].labels, clusterSeeding(problem.plan));
    iterations += problem.descend(system, kind, options, stageOf(context, fit / 6, (fit + 1) / 6));
    const error = problem.eRms(system.totalError());
    if (stages[bones - 1].error > 0) share = error / stages[bones - 1].error;
    if (error <= MARGIN * maxError) {
      found?.system.dispose();
      found = { system, bones };
    } else {
      system.dispose();
      [low, last] = [bones, error];
      if (!found && bones >= Math.min(most, problem.n)) {
        throw new UnreachedError(error, bones, maxError);
      }
    }
    if (found && found.bones === low + 1) break;
  }
  if (!found) throw new UnreachedError(last, low, maxError);
  const pruned = prune(problem, found.system, maxError, kind, options, stageOf(context, 0.7, 1));
  return { system: pruned.system, iterations: iterations + pruned.iterations };
}

function reached(stages: readonly ClusterStage[], share: number, maxError: number): boolean {
  return stages.some(({ error }) => error * share <= maxError);
}

/** Removes bones while the error stays within the limit. Disposes `start` unless it is the answer. */
function prune(
  problem: FitProblem,
  start: SkinningSystem,
  maxError: number,
  kind: BoneKind,
  options: RoundOptions,
  context: RunContext | undefined,
): CountedFit {
  let system = start;
  let iterations = 0;
  while (system.m > 1) {
    const fewer = withoutLeastBone(system);
    fewer.solveWeightsBySwaps(system.K, 0);
    iterations += problem.descend(fewer, kind, { ...options, rounds: roundsOf(problem.plan).pruning }, context);
    if (problem.eRms(fewer.totalError()) > MARGIN * maxError) {
      fewer.dispose();
      break;
    }
    system.dispose();
    system = fewer;
  }
  return { system, iterations };
}

function withoutLeastBone(system: SkinningSystem, slots?: number): SkinningSystem {
  return withoutBones(system, cheapestFirst(system.removalCosts()).slice(0, 1), slots);
}
