/**
 * Skeletons from LSSP: spectral clustering, sparse weights and Levenberg–Marquardt bones (see decompose/lssp), followed by
 * a spanning tree and joints.
 *
 * Reference: Hasler, Thormählen, Rosenhahn, Seidel. Learning skeletons for shape and pose. 2010.
 */

import { type RunContext, stageOf } from '@pelt/model';
import type { FitProblem } from '../decompose/fit-problem.ts';
import { decomposeLssp, LSSP_ROUNDS } from '../decompose/lssp/lssp.ts';
import { pulledJoint } from './joint-tree.ts';
import type { SkeletonOptions } from './options.ts';
import { COMPARED_BONES, joinBones } from './single-pass.ts';
import type { SolvedSkeleton } from './skeleton-rig.ts';

/** The caller disposes the system. */
export function haslerSkeleton(
  problem: FitProblem,
  options: SkeletonOptions,
  context: RunContext | undefined,
): SolvedSkeleton {
  const { numerics, graph, prepared } = problem;
  const wanted = options.bones === 'auto' ? COMPARED_BONES : options.bones;
  const bones = Math.min(wanted, problem.n);
  const skin = { bones, weights: options.weights };
  const system = decomposeLssp(prepared.trajectories, graph, skin, numerics, stageOf(context, 0, 0.95));
  return joinBones(problem, system, options.root, pulledJoint, LSSP_ROUNDS);
}
