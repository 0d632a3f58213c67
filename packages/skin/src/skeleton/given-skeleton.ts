/**
 * The user's own skeleton: its joints, hierarchy and names stay, motion and weights are solved. Vertices begin with the
 * bone whose segment is nearest in the rest pose (or with weights that are given), each bone with the rigid motion of its
 * vertices; from there the rounds go as ever, but for the joints, which stay.
 */

import { SkeletonSystem, type SkinningSystem, skeletonTree } from '@pelt/math';
import { type Bone, IDENTITY_TRANSFORM, InputError, type RunContext, type SkinWeights, UsageError } from '@pelt/model';
import type { FitProblem } from '../decompose/fit-problem.ts';
import { loadWeights } from '../shared/load-weights.ts';
import type { JointedTree } from './joint-tree.ts';
import type { MirrorPlane } from './mirror-plane.ts';
import type { SkeletonOptions } from './options.ts';
import type { SolvedSkeleton } from './skeleton-rig.ts';
import { fitStrictly } from './strict-fit.ts';
import { WeightSteps } from './weight-steps.ts';

export interface GivenSkeleton {
  /** Parents before children, one root; in the rest pose of the sequence. */
  readonly bones: readonly Bone[];
  /** Weights to begin with, of the sequence's vertices; absent: nearest bones. */
  readonly weights?: SkinWeights;
  /** The weights stay too, and so does the rest pose: only the motion is solved. */
  readonly keepWeights?: boolean;
}

/** How far a bone without children is taken to reach on beyond its joint, as a share of its parent's length. */
const TIP = 0.5;
/** Sweeps and steps for rotations that nothing else follows. */
const SWEEPS = 8;
const STEPS = 20;

/** The caller disposes the system. */
export function fitGivenSkeleton(
  problem: FitProblem,
  given: GivenSkeleton,
  options: SkeletonOptions,
  mirror: MirrorPlane | undefined,
  context: RunContext | undefined,
): SolvedSkeleton {
  const { numerics, graph, prepared } = problem;
  const m = given.bones.length;
  const joints = new Float64Array(3 * m);
  given.bones.forEach(({ rest }, k) => {
    for (let d = 0; d < 3; d++) joints[3 * k + d] = (rest[4 * d + 3] - prepared.centre[d]) / prepared.radius;
  });
  const tree = skeletonTree(given.bones.map(({ parent }) => parent));
  const kept = given.keepWeights ? given.weights : undefined;
  const system = problem.system(m, kept?.slots ?? options.weights);
  try {
    const steps = new WeightSteps(numerics, graph, system.K);
    try {
      if (given.weights) loadWeights(system, given.weights, true);
      else beginWithNearest(system, tree.parents, joints);
      const transforms = system.editTransforms();
      for (let k = 0; k < transforms.length; k += 12) transforms.set(IDENTITY_TRANSFORM, k);
      system.solveRigidBones(given.weights ? 8 : 1);
      if (kept) return { ...motionAlone(problem, system, { tree, joints }), bones: given.bones };
      const strict = { ...options, keepJoints: true };
      const solved = fitStrictly(problem, steps, system, { tree, joints }, strict, mirror, context);
      return { ...solved, bones: given.bones };
    } finally {
      steps.dispose();
    }
  } catch (error) {
    system.dispose();
    throw error;
  }
}

function motionAlone({ numerics }: FitProblem, system: SkinningSystem, { tree, joints }: JointedTree): SolvedSkeleton {
  const skeleton = new SkeletonSystem(numerics, system, tree, joints);
  try {
    skeleton.solveRotations(SWEEPS, STEPS);
    skeleton.writeTransforms();
    return { system, tree, joints, iterations: 1 };
  } finally {
    skeleton.dispose();
  }
}

/**
 * Throws where the skeleton is not one tree, or its weights are not those of the mesh.
 *
 * @param n  vertices of the sequence
 */
export function requireGivenSkeleton({ bones, weights, keepWeights }: GivenSkeleton, n: number): void {
  if (keepWeights && !weights) throw new UsageError('extractSkeleton: keepWeights needs the weights to keep');
  const roots = bones.filter(({ parent }) => parent < 0);
  if (roots.length !== 1) {
    const names = roots.map(({ name }) => `'${name}'`).join(', ');
    throw new InputError(`the given skeleton has ${roots.length} roots (${names}); hang them all from one`);
  }
  if (weights && weights.bones.length !== n * weights.slots) {
    throw new InputError(`the given weights are for ${weights.bones.length / weights.slots} vertices, not for ${n}`);
  }
}

/** Every vertex wholly to the bone with the nearest segment. */
function beginWithNearest(system: SkinningSystem, parents: Int32Array, joints: Float64Array): void {
  const { n, m, K, rest } = system;
  const { bones, weights } = system.editWeights();
  const segments = segmentsOf(parents, joints, m);
  for (let i = 0; i < n; i++) {
    let least = Number.POSITIVE_INFINITY;
    for (const { bone, from, along } of segments) {
      const d = squaredDistance(rest.view, 3 * i, from, along);
      if (d >= least) continue;
      least = d;
      bones[i * K] = bone;
    }
    weights[i * K] = 1;
  }
}

interface Segment {
  readonly bone: number;
  readonly from: ArrayLike<number>;
  readonly along: readonly number[];
}

/** From every joint to each of its children's; beyond the last joint of a chain in the direction it came. */
function segmentsOf(parents: Int32Array, joints: Float64Array, m: number): Segment[] {
  const segments: Segment[] = [];
  const origin = (k: number) => joints.subarray(3 * k, 3 * k + 3);
  for (let k = 0; k < m; k++) {
    const children = Array.from(parents.keys()).filter((c) => parents[c] === k);
    for (const c of children) {
      segments.push({ bone: k, from: origin(k), along: [0, 1, 2].map((d) => origin(c)[d] - origin(k)[d]) });
    }
    if (children.length > 0) continue;
    const p = parents[k];
    const along = [0, 1, 2].map((d) => (p < 0 ? 0 : TIP * (origin(k)[d] - origin(p)[d])));
    segments.push({ bone: k, from: origin(k), along });
  }
  return segments;
}

function squaredDistance(p: Float64Array, at: number, from: ArrayLike<number>, along: readonly number[]): number {
  let squared = 0;
  let product = 0;
  for (let d = 0; d < 3; d++) {
    squared += along[d] ** 2;
    product += along[d] * (p[at + d] - from[d]);
  }
  const share = squared > 0 ? Math.min(Math.max(product / squared, 0), 1) : 0;
  let sum = 0;
  for (let d = 0; d < 3; d++) sum += (p[at + d] - from[d] - share * along[d]) ** 2;
  return sum;
}
