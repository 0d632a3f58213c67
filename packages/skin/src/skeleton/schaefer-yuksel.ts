/**
 * Skeletons by edge collapse: rigid clusters of triangles, weights, a spanning tree, and joints. A joint is the point that
 * both bones carry alike, in the directions that the motion determines; along the others (the axis of a hinge) it is the
 * point nearest to where the bones blend.
 *
 * Reference: Schaefer, Yuksel. Example-based skeleton extraction. 2007.
 */

import { symmetricEigen } from '@pelt/math';
import { type MeshSequence, type RunContext, stageOf } from '@pelt/model';
import type { FitProblem } from '../decompose/fit-problem.ts';
import { collapseClusters } from './collapse-clusters.ts';
import type { JointSolver } from './joint-tree.ts';
import type { SkeletonOptions } from './options.ts';
import { joinBones, skinFromClusters } from './single-pass.ts';
import type { SolvedSkeleton } from './skeleton-rig.ts';

/** Default number of bones, which the paper leaves to the user. */
const BONES = 24;
/** A direction is determined if its eigenvalue exceeds this fraction of the largest. */
const DETERMINED = 0.02;

/** The caller disposes the system. */
export function schaeferYukselSkeleton(
  problem: FitProblem,
  sequence: MeshSequence,
  options: SkeletonOptions,
  context: RunContext | undefined,
): SolvedSkeleton {
  const wanted = options.bones === 'auto' ? BONES : options.bones;
  const { labels, count } = collapseClusters(sequence, wanted, stageOf(context, 0, 0.95));
  const system = skinFromClusters(problem, labels, Math.max(count, 1), options.weights);
  return joinBones(problem, system, options.root, determinedJoint, 1);
}

/** prior + A⁺(b − A prior), where A⁺ is the pseudo-inverse in the determined directions. */
const determinedJoint: JointSolver = (A, b, prior) => {
  const { values, vectors } = symmetricEigen(A, 3);
  const joint = Float64Array.from(prior);
  const left = [0, 1, 2].map((r) => b[r] - [0, 1, 2].reduce((sum, c) => sum + A[3 * r + c] * prior[c], 0));
  for (let k = 0; k < 3; k++) {
    if (!(values[k] > DETERMINED * values[2])) continue;
    const along = [0, 1, 2].reduce((sum, r) => sum + vectors[3 * r + k] * left[r], 0) / values[k];
    for (let r = 0; r < 3; r++) joint[r] += along * vectors[3 * r + k];
  }
  return joint;
};
