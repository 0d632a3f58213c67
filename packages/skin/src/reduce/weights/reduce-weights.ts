/**
 * Entry point: reduce the number of weights per vertex by one of the one-layer methods.
 *
 * Reference: Le, Deng. Mesh animation decomposition and compression. SIGGRAPH course 2014, sections 3.1–3.4.
 */

import type { SkinningSystem } from '@pelt/kernels';
import { interruptible, type Run, type RunContext, resolveOptions, stageOf, UsageError } from '@pelt/model';
import { REDUCE_WEIGHTS_DEFAULTS, type ReduceWeightsOptions, WEIGHT_METHODS } from '../options.ts';
import { type ReducedRig, type ReductionInput, ReductionProblem } from '../reduction-problem.ts';
import { solveGeometric } from './geometric.ts';
import { kLargestWeights } from './k-largest.ts';
import { solvePoisson } from './poisson.ts';
import { solveRefit } from './refit.ts';
import { smoothWeights } from './smooth.ts';

/**
 * Reduces the weights of a rig to at most K per vertex, with as little change of what it plays as the method allows.
 *
 * @param input    a rig of n vertices and m bones with at least one clip
 * @param options  method, maximum weights per vertex, and whether bones may move
 * @param run      kernels, cancelling and progress
 *
 * @example
 * {@includeCode ../../../examples/reduce-weights.ts}
 */
export function reduceWeights(input: ReductionInput, options: Partial<ReduceWeightsOptions>, run: Run): ReducedRig {
  const resolved = resolveOptions('reduceWeights', REDUCE_WEIGHTS_DEFAULTS, options);
  const { method, weights: K } = resolved;
  if (!WEIGHT_METHODS.includes(method)) {
    throw new UsageError(`reduceWeights: unknown method '${method}'; use one of ${WEIGHT_METHODS.join(', ')}`);
  }
  if (!Number.isInteger(K) || K < 1)
    throw new UsageError(`reduceWeights: weights is ${K}; it must be an integer of at least 1`);
  return interruptible(run, () => {
    run.onProgress?.({ stage: 'reading the motion', fraction: 0 });
    return solve(new ReductionProblem(input, run), resolved, stageOf(run, 0.05, 1));
  });
}

function solve(problem: ReductionProblem, options: ReduceWeightsOptions, context: RunContext): ReducedRig {
  const { method, weights: K } = options;
  const { rig } = problem;
  const { clips } = problem.input;
  if (method === 'k-largest')
    return problem.finished({ rig: { ...rig, weights: kLargestWeights(rig.weights, K) }, clips });
  if (method === 'smooth') {
    const weights = smoothWeights(rig.mesh, rig.weights, rig.bones.length, K, context);
    return problem.finished({ rig: { ...rig, weights }, clips });
  }
  const system = problem.system(K);
  const iterations = solveInto(problem, system, options, context);
  const solved = problem.solved(system);
  system.dispose();
  return problem.finished(solved, iterations);
}

/** Leaves the weights in a system of K slots; returns the number of rounds. */
function solveInto(
  problem: ReductionProblem,
  system: SkinningSystem,
  options: ReduceWeightsOptions,
  context: RunContext | undefined,
): number {
  switch (options.method) {
    case 'geometric':
      solveGeometric(problem, system);
      return 0;
    case 'poisson':
      solvePoisson(problem, system, context);
      return 0;
    default:
      return solveRefit(problem, system, options, context);
  }
}
