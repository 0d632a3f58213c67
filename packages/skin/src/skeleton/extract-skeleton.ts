/**
 * A mesh animation as a skeleton: joints, a hierarchy, weights and rotations, the door to the methods.
 *
 * Reference: Le, Deng. Mesh animation decomposition and compression. SIGGRAPH course 2014, section 2.
 */

import type { Numerics } from '@pelt/math';
import {
  type Clip,
  InputError,
  type MeshSequence,
  type Rig,
  type RunContext,
  resolveOptions,
  type SequenceErrors,
  stageOf,
  UsageError,
  validateMeshSequence,
  vertexCount,
} from '@pelt/model';
import { FitProblem } from '../decompose/fit-problem.ts';
import { linearSequenceErrors } from '../shared/sequence-errors.ts';
import { nameByPlace } from './bone-names.ts';
import { deAguiarSkeleton } from './de-aguiar.ts';
import { fitGivenSkeleton } from './given-skeleton.ts';
import { haslerSkeleton } from './hasler.ts';
import { type JointLimits, jointLimits } from './joint-limits.ts';
import { leDengSkeleton } from './le-deng.ts';
import { mirrorBones } from './mirror-bones.ts';
import { type MirrorPlane, mirrorPlane } from './mirror-plane.ts';
import { SKELETON_DEFAULTS, type SkeletonOptions } from './options.ts';
import { schaeferYukselSkeleton } from './schaefer-yuksel.ts';
import { type SolvedSkeleton, skeletonRig } from './skeleton-rig.ts';

/** Root mean square distance of mirrored vertices, in radii, beyond which a rest pose has no mirror plane. */
const LOPSIDED = 0.1;

export interface SkeletonFit {
  readonly rig: Rig;
  readonly clip: Clip;
  readonly error: SequenceErrors;
  /** Rounds of weights, rotations and joints. */
  readonly iterations: number;
  /** How far each joint turns in the clip; undefined for the root. */
  readonly limits: readonly (JointLimits | undefined)[];
  /** For each bone its mirror image: itself, or −1 for none. Only with `symmetry`. */
  readonly partners: readonly number[] | undefined;
}

/** Vertices should be welded: two vertices of a seam are solved as two vertices. */
export function extractSkeleton(
  sequence: MeshSequence,
  options: Partial<SkeletonOptions>,
  numerics: Numerics,
  context?: RunContext,
): SkeletonFit {
  const resolved = resolveOptions('extractSkeleton', SKELETON_DEFAULTS, options);
  validateMeshSequence(sequence);
  if (sequence.rest.positions.length === 0) throw new InputError('extractSkeleton: the mesh has no vertices');
  requireOptions(resolved, vertexCount(sequence.rest));
  numerics.signal = context?.signal;
  try {
    context?.onProgress?.({ stage: 'reading the motion', fraction: 0 });
    const problem = FitProblem.of(sequence, numerics, context);
    const mirror = resolved.symmetry ? requireMirror(problem) : undefined;
    const solved = solve(problem, sequence, resolved, mirror, stageOf(context, 0.05, 1));
    try {
      const images = solved.partners ?? (mirror && mirrorBones(solved.system, mirror));
      const paired = { ...solved, ...(images && { partners: images }) };
      const { rig, clip, partners } = skeletonRig(sequence, problem.prepared, paired, nameByPlace);
      const error = linearSequenceErrors(sequence, rig, clip);
      return { rig, clip, error, iterations: solved.iterations, limits: jointLimits(rig.bones, clip), partners };
    } finally {
      solved.system.dispose();
    }
  } finally {
    numerics.signal = undefined;
  }
}

function solve(
  problem: FitProblem,
  sequence: MeshSequence,
  options: SkeletonOptions,
  mirror: MirrorPlane | undefined,
  context: RunContext,
): SolvedSkeleton {
  if (options.given) return fitGivenSkeleton(problem, options.given, options, mirror, context);
  switch (options.method) {
    case 'schaefer-yuksel':
      return schaeferYukselSkeleton(problem, sequence, options, context);
    case 'de-aguiar':
      return deAguiarSkeleton(problem, sequence, options, context);
    case 'hasler':
      return haslerSkeleton(problem, options, context);
    default:
      return leDengSkeleton(problem, options, mirror, context);
  }
}

function requireMirror({ prepared }: FitProblem): MirrorPlane {
  const mirror = mirrorPlane(prepared.trajectories.rest);
  if (mirror.error > LOPSIDED) {
    const percent = (100 * mirror.error).toFixed(1);
    throw new InputError(
      `the rest pose is no mirror image of itself: vertices are ${percent} % of its radius off; do without symmetry`,
    );
  }
  return mirror;
}

function requireOptions(options: SkeletonOptions, n: number): void {
  const counts: (keyof SkeletonOptions)[] = ['bones', 'weights', 'rounds'];
  for (const name of counts) {
    const value = Number(options[name]);
    const unlimited = name === 'bones' && value === Number.POSITIVE_INFINITY;
    if (!unlimited && (!Number.isInteger(value) || value < 1)) {
      throw new UsageError(`extractSkeleton: ${name} is ${value}; it must be a whole number from 1`);
    }
  }
  if (!Number.isInteger(options.clusters) || options.clusters < 0) {
    throw new UsageError(`extractSkeleton: clusters is ${options.clusters}; it must be a whole number from 0`);
  }
  const { root } = options;
  if (typeof root === 'number' && !(Number.isInteger(root) && root >= 0 && root < n)) {
    throw new UsageError(`extractSkeleton: root is vertex ${root}; the mesh has vertices 0 to ${n - 1}`);
  }
  for (const name of ['worth', 'tolerance', 'restStiffness', 'jointPull'] as const) {
    if (!(options[name] >= 0))
      throw new UsageError(`extractSkeleton: ${name} is ${options[name]}; it must be 0 or more`);
  }
}
