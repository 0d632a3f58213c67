/**
 * Fewer weights a vertex: the door to the one-layer methods.
 *
 * Reference: Le, Deng. Mesh animation decomposition and compression. SIGGRAPH course 2014, sections 3.1–3.4.
 */

import type { Numerics, SkinningSystem } from '@pelt/math';
import {
  type Clip,
  type Rig,
  type RunContext,
  resolveOptions,
  type SequenceErrors,
  stageOf,
  UsageError,
} from '@pelt/model';
import { REDUCE_WEIGHTS_DEFAULTS, type ReduceWeightsOptions, WEIGHT_METHODS } from '../options.ts';
import { type ReductionInput, ReductionProblem } from '../reduction-problem.ts';
import { solveGeometric } from './geometric.ts';
import { kLargestWeights } from './k-largest.ts';
import { solvePoisson } from './poisson.ts';
import { solveRefit } from './refit.ts';
import { smoothWeights } from './smooth.ts';

export interface ReducedRig {
  readonly rig: Rig;
  readonly clips: readonly Clip[];
  /** Against the examples, or what the rig played before. */
  readonly error: SequenceErrors;
  /** Rounds of weights and bones, where the method has them. */
  readonly iterations: number;
}

/** Vertices should be welded: two vertices of a seam are solved as two vertices. */
export function reduceWeights(
  input: ReductionInput,
  options: Partial<ReduceWeightsOptions>,
  numerics: Numerics,
  context?: RunContext,
): ReducedRig {
  const resolved = resolveOptions('reduceWeights', REDUCE_WEIGHTS_DEFAULTS, options);
  const { method, weights: K } = resolved;
  if (!WEIGHT_METHODS.includes(method)) {
    throw new UsageError(`reduceWeights: there is no method '${method}'; there are ${WEIGHT_METHODS.join(', ')}`);
  }
  if (!Number.isInteger(K) || K < 1)
    throw new UsageError(`reduceWeights: weights is ${K}; it must be a whole number from 1`);
  numerics.signal = context?.signal;
  try {
    context?.onProgress?.({ stage: 'reading the motion', fraction: 0 });
    const problem = new ReductionProblem(input, numerics, context);
    const { iterations, ...reduced } = solve(problem, resolved, stageOf(context, 0.05, 1));
    return { ...reduced, error: problem.errors(reduced.rig, reduced.clips), iterations };
  } finally {
    numerics.signal = undefined;
  }
}

function solve(problem: ReductionProblem, options: ReduceWeightsOptions, context: RunContext | undefined) {
  const { method, weights: K } = options;
  const { mesh, weights, bones } = problem.input.rig;
  if (method === 'k-largest') return { ...problem.withWeights(kLargestWeights(weights, K)), iterations: 0 };
  if (method === 'smooth')
    return { ...problem.withWeights(smoothWeights(mesh, weights, bones.length, K)), iterations: 0 };
  const system = problem.system(K);
  try {
    const iterations = solveInto(problem, system, options, context);
    return { ...problem.result(system), iterations };
  } finally {
    system.dispose();
  }
}

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
