/**
 * How many bones: the fewest that reach an error, or the knee of the error's curve.
 *
 * The errors of the rigid clusters for every count come from one pass; a finished fit's error is a nearly constant share
 * of its clusters'. So the search fits where that share foretells success, corrects the share, fits again, and from the
 * smallest fit that reached the error takes away bones one by one, each time the one that costs least, with a few rounds
 * in between.
 */

import type { SkinningSystem } from '@pelt/math';
import { NumericError, type RunContext, stageOf } from '@pelt/model';
import { type ClusterStage, startFromClusters, startFromLabels } from './cluster-start.ts';
import type { FitProblem } from './fit-problem.ts';
import type { BoneKind, RoundOptions } from './options.ts';

/** Clusters to begin with; doubled while they do not suffice. */
const FIRST_STAGES = 32;
/** Most bones that `auto` looks at. */
const KNEE_STAGES = 64;
/** Share of the clusters' error that a fit is first expected to have. */
const FIRST_SHARE = 0.3;
/** Fits from clusters before the bones are taken away one by one. */
const MOST_FITS = 4;
/** Rounds after a bone is taken away: the opening and one period. */
const PRUNING_ROUNDS = 16;
/** Errors are compared before rounding to float32; a fit must be this much below. */
const MARGIN = 0.999;

export interface CountedFit {
  readonly system: SkinningSystem;
  readonly iterations: number;
}

/** Errors (E_RMS) and labels of 1 … count clusters. */
function clusterStages(problem: FitProblem, count: number, context: RunContext | undefined): ClusterStage[] {
  const stages: ClusterStage[] = [];
  const system = problem.system(Math.min(count, problem.n), 1);
  try {
    startFromClusters(system, problem.numerics, problem.graph, context, (stage) => stages.push(stage));
  } finally {
    system.dispose();
  }
  return stages.map(({ error, labels }) => ({ error: problem.eRms(error), labels }));
}

/** The number of bones after which more bring less: the point of log error furthest below its chord. */
export function kneeOfBones(problem: FitProblem, most: number, context: RunContext | undefined): number {
  const stages = clusterStages(problem, Math.min(most, KNEE_STAGES), context);
  const logs = stages.map(({ error }) => Math.log(Math.max(error, EXACT)));
  const last = logs.length - 1;
  let knee = last;
  let furthest = 0;
  logs.forEach((log, k) => {
    const chord = logs[0] + ((logs[last] - logs[0]) * k) / Math.max(last, 1);
    if (chord - log > furthest) {
      furthest = chord - log;
      knee = k;
    }
  });
  // Where all frames are rigid motions of the rest pose, one bone is exact.
  return logs[0] <= Math.log(EXACT) ? 1 : knee + 1;
}

/** E_RMS below which float32 input cannot tell a fit from the truth. */
const EXACT = 1e-3;

/** Whether all frames are the rest pose, moved and turned as a whole: then one bone is all there is to find. */
export function isRigid(problem: FitProblem): boolean {
  const system = problem.system(1, 1);
  try {
    startFromLabels(system, problem.numerics, new Uint16Array(problem.n));
    system.measureError();
    return problem.eRms(system.totalError()) <= EXACT;
  } finally {
    system.dispose();
  }
}

/** The caller disposes the system. */
export function fewestBones(
  problem: FitProblem,
  maxError: number,
  most: number,
  slots: number,
  kind: BoneKind,
  options: RoundOptions,
  context: RunContext | undefined,
): CountedFit {
  let stages = clusterStages(problem, Math.min(FIRST_STAGES, most), context);
  let share = FIRST_SHARE;
  let iterations = 0;
  let low = 0;
  let found: { system: SkinningSystem; bones: number } | undefined;
  for (let fit = 0; fit < MOST_FITS; fit++) {
    const ceiling = found ? found.bones - 1 : most;
    while (!reached(stages, share, maxError) && stages.length < Math.min(ceiling, problem.n)) {
      const count = Math.min(2 * stages.length, ceiling);
      stages = disposedIfThrown([found?.system], () => clusterStages(problem, count, context));
    }
    const foretold = stages.findIndex(({ error }) => error * share <= maxError);
    const bones = Math.min(Math.max(foretold < 0 ? stages.length : foretold + 1, low + 1), ceiling, stages.length);
    if (bones <= low) break;
    const system = problem.system(bones, slots);
    const { labels } = stages[bones - 1];
    const stage = stageOf(context, fit / 6, (fit + 1) / 6);
    iterations += disposedIfThrown([system, found?.system], () => {
      startFromLabels(system, problem.numerics, labels);
      return problem.descend(system, kind, options, stage);
    });
    const error = problem.eRms(system.totalError());
    if (stages[bones - 1].error > 0) share = error / stages[bones - 1].error;
    if (error <= MARGIN * maxError) {
      found?.system.dispose();
      found = { system, bones };
    } else {
      system.dispose();
      low = bones;
      if (!found && bones >= Math.min(most, problem.n)) {
        throw new NumericError(
          `E_RMS is ${error.toPrecision(3)} with ${bones} bones, above ${maxError}; ` +
            'allow a larger error, more bones (--bones) or more weights (--weights)',
        );
      }
    }
    if (found && found.bones === low + 1) break;
  }
  if (!found) {
    throw new NumericError(`no number of bones up to ${low} reaches E_RMS ${maxError}; allow a larger error`);
  }
  const pruned = prune(problem, found.system, maxError, kind, options, stageOf(context, 0.7, 1));
  return { system: pruned.system, iterations: iterations + pruned.iterations };
}

function reached(stages: readonly ClusterStage[], share: number, maxError: number): boolean {
  return stages.some(({ error }) => error * share <= maxError);
}

/** Takes bones away while the error allows it. Disposes the system it is given unless it is the answer. */
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
    const before = system;
    const fewer = disposedIfThrown([before], () => withoutLeastBone(before));
    iterations += disposedIfThrown([before, fewer], () => {
      fewer.solveWeightsBySwaps(before.K, 0);
      return problem.descend(fewer, kind, { ...options, rounds: PRUNING_ROUNDS }, context);
    });
    if (problem.eRms(fewer.totalError()) > MARGIN * maxError) {
      fewer.dispose();
      break;
    }
    before.dispose();
    system = fewer;
  }
  return { system, iterations };
}

function withoutLeastBone(system: SkinningSystem): SkinningSystem {
  const costs = system.removalCosts();
  const out = costs.indexOf(costs.reduce((a, b) => Math.min(a, b)));
  const kept = Array.from(costs.keys()).filter((j) => j !== out);
  return system.withBones(kept, 0, Math.min(system.K, kept.length));
}

/** Does the work; where it is cancelled or fails, the systems go. */
function disposedIfThrown<T>(systems: readonly (SkinningSystem | undefined)[], work: () => T): T {
  try {
    return work();
  } catch (error) {
    for (const system of systems) system?.dispose();
    throw error;
  }
}
