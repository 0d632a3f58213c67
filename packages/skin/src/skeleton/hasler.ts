/**
 * Skeletons from LSSP: spectral clustering, sparse weights and Levenberg–Marquardt bones (see decompose/lssp), followed by
 * a spanning tree and joints. Without a number of bones it is that of the clusters, which the spectrum shows.
 *
 * Reference: Hasler, Thormählen, Rosenhahn, Seidel. Learning skeletons for shape and pose. 2010.
 */

import { type RunContext, stageOf } from '@pelt/model';
import type { FitProblem } from '../decompose/fit-problem.ts';
import { decomposeLssp, LSSP_ROUNDS, type LsspOptions } from '../decompose/lssp/lssp.ts';
import { pulledJoint } from './joint-tree.ts';
import type { SkeletonOptions } from './options.ts';
import { joinBones } from './single-pass.ts';
import type { SolvedSkeleton } from './skeleton-rig.ts';

/** The caller disposes the system. */
export function haslerSkeleton(
  problem: FitProblem,
  options: SkeletonOptions,
  context: RunContext | undefined,
): SolvedSkeleton {
  const { numerics, graph, prepared } = problem;
  const bones = options.bones === 'auto' ? options.bones : Math.min(options.bones, problem.n);
  const skin: LsspOptions = { bones, weights: options.weights };
  const system = decomposeLssp(prepared.trajectories, graph, skin, numerics, stageOf(context, 0, 0.95));
  return joinBones(problem, system, options.root, pulledJoint, LSSP_ROUNDS);
}
