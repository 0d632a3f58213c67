/**
 * Fit an existing skeleton: its joints, hierarchy and names are kept; motion and weights are solved. Vertices start with
 * the bone whose segment is nearest in the rest pose (or with given weights), each bone with the rigid motion of its
 * vertices; the rounds are the usual ones, with fixed joints.
 */

import { SkeletonSystem, type SkinningSystem, skeletonTree } from '@pelt/kernels';
import { type Bone, IDENTITY_TRANSFORM, InputError, type RunContext, type SkinWeights, UsageError } from '@pelt/model';
import type { FitProblem } from '../decompose/fit-problem.ts';
import { loadWeights } from '../shared/load-weights.ts';
import { FRESH } from '../shared/search/weight-plan.ts';
import { WeightSteps } from '../shared/search/weight-steps.ts';
import type { JointedTree } from './joint-tree.ts';
import type { MirrorPlane } from './mirror-plane.ts';
import type { PlannedOptions } from './options.ts';
import type { SolvedSkeleton } from './skeleton-rig.ts';
import { fitStrictly } from './strict-fit.ts';

/** A skeleton whose joints `extractSkeleton` keeps. */
export interface GivenSkeleton {
  /** Parents before children, one root; in the rest pose of the sequence. */
  readonly bones: readonly Bone[];
  /** Initial weights of the sequence's vertices; by default each vertex follows the nearest bone. */
  readonly weights?: SkinWeights;
  /** Whether weights and rest pose are kept too, so that only the motion is solved. */
  readonly keepWeights?: boolean;
  /** Names of the joints that stay; the others move to where the motion has them. Absent: all stay. */
  readonly locked?: readonly string[];
}

/** Assumed length of a bone without children, relative to its parent's. */
const TIP = 0.5;
/** Sweeps and Gauss–Newton steps when only rotations are solved. */
const SWEEPS = 8;
const STEPS = 20;

/** The caller disposes the system. */
export function fitGivenSkeleton(
  problem: FitProblem,
  given: GivenSkeleton,
  options: PlannedOptions,
  mirror: MirrorPlane | undefined,
  context: RunContext | undefined,
): SolvedSkeleton {
  const { numerics, graph, prepared } = problem;
  const m = given.bones.length;
  const joints = new Float64Array(3 * m);
  given.bones.forEach(({ rest }, k) => {
    for (let d = 0; d < 3; d++)
      joints[3 * k + d] = (rest[4 * d + 3] - prepared.space.centre[d]) / prepared.space.radius;
  });
  const tree = skeletonTree(given.bones.map(({ parent }) => parent));
  const kept = given.keepWeights ? given.weights : undefined;
  const system = problem.system(m, kept?.slots ?? options.weights);
  if (given.weights) loadWeights(system, given.weights, true);
  else loadNearest(system, tree.parents, joints);
  const transforms = system.editTransforms();
  for (let k = 0; k < transforms.length; k += 12) transforms.set(IDENTITY_TRANSFORM, k);
  system.solveRigidBones(given.weights ? 8 : 1);
  if (kept) return { ...motionOnly(problem, system, { tree, joints }), bones: given.bones };
  const steps = new WeightSteps(numerics, graph, 2 * system.K);
  const staying = lockedBones(given);
  const strict = { ...options, keepJoints: staying ?? true, plan: FRESH, jointTurns: staying ? 2 : 1 };
  const hung = { tree, joints, ...(staying && { places: joints }) };
  const solved = fitStrictly(problem, steps, system, hung, strict, { ...(mirror && { mirror }) }, context);
  steps.dispose();
  return { ...solved, bones: staying ? movedBones(problem, given.bones, solved.joints, staying) : given.bones };
}

/** Indices of the bones whose joints stay while others move; the root turns about whatever point it likes, and stays. */
function lockedBones({ bones, locked }: GivenSkeleton): ReadonlySet<number> | undefined {
  if (!locked) return undefined;
  const unknown = locked.find((name) => bones.every((bone) => bone.name !== name));
  if (unknown !== undefined) {
    throw new UsageError(
      `the given skeleton has no joint '${unknown}' to lock; it has ${bones.map(({ name }) => name).join(', ')}`,
    );
  }
  return new Set(Array.from(bones.keys()).filter((k) => bones[k].parent < 0 || locked.includes(bones[k].name)));
}

/** The bones at other joints, in the space of the model; those that stay are as they were to the bit. */
function movedBones(
  { prepared: { space } }: FitProblem,
  bones: readonly Bone[],
  joints: Float64Array,
  staying: ReadonlySet<number>,
): Bone[] {
  return bones.map((bone, k) => {
    if (staying.has(k)) return bone;
    const rest = bone.rest.slice();
    for (let d = 0; d < 3; d++) rest[4 * d + 3] = space.centre[d] + space.radius * joints[3 * k + d];
    return { ...bone, rest };
  });
}

function motionOnly({ numerics }: FitProblem, system: SkinningSystem, { tree, joints }: JointedTree): SolvedSkeleton {
  const skeleton = new SkeletonSystem(numerics, system, tree, joints);
  skeleton.solveRotations(SWEEPS, STEPS);
  skeleton.writeTransforms();
  skeleton.dispose();
  return { system, tree, joints, iterations: 1 };
}

/**
 * Throws if the skeleton is not a single tree, or its weights do not match the mesh.
 *
 * @param n  number of vertices of the sequence
 */
export function requireGivenSkeleton(given: GivenSkeleton, n: number): void {
  const { bones, weights, keepWeights, locked } = given;
  if (keepWeights && locked)
    throw new UsageError('extractSkeleton: keepWeights keeps all joints as well; leave out locked');
  lockedBones(given);
  if (keepWeights && !weights)
    throw new UsageError('extractSkeleton: keepWeights needs weights; give them with the skeleton');
  const roots = bones.filter(({ parent }) => parent < 0);
  if (roots.length !== 1) {
    const names = roots.map(({ name }) => `'${name}'`).join(', ');
    throw new InputError(`the given skeleton has ${roots.length} roots (${names}); parent them all to one`);
  }
  if (weights && weights.bones.length !== n * weights.slots) {
    throw new InputError(
      `the given weights have ${weights.bones.length / weights.slots} vertices, the sequence ${n}; they must be the same`,
    );
  }
}

/** Gives every vertex weight 1 on the bone with the nearest segment. */
function loadNearest(system: SkinningSystem, parents: Int32Array, joints: Float64Array): void {
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

/** Segments from every joint to each child's; at the end of a chain, an extension of the last segment. */
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
