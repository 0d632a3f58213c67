/**
 * Places the skeleton of a motion capture inside a mesh by landmarks, and retargets its motion.
 *
 * A similarity transform takes the skeleton to the landmarks. The residual at each named joint is then removed exactly,
 * and interpolated along the chains between named joints, so that the others keep their relative positions.
 *
 * Reference: Umeyama. Least-squares estimation of transformation parameters between two point patterns. 1991 (the
 * similarity).
 */
import { properRotation } from '@pelt/math';
import {
  type Bone,
  type Clip,
  InputError,
  nameBodyJoints,
  type SkeletonJoint,
  type SkeletonMotion,
  validateSkeletonMotion,
} from '@pelt/model';
import { retargetClip, rotated } from './retarget-clip.ts';

type Place = readonly [number, number, number];

/** A captured skeleton inside a mesh. */
export interface PlacedSkeleton {
  /** J bones at rest */
  readonly bones: readonly Bone[];
  /** End points of leaf bones in model space: bone → position. */
  readonly tips: ReadonlyMap<number, Place>;
  /** The retargeted motion. */
  readonly clip: Clip;
}

/** Fewer landmarks do not determine a similarity. */
const FEWEST = 3;

/**
 * Places a captured skeleton inside a mesh, and retargets its motion.
 *
 * @param data  a captured motion of J joints, and the positions of at least three of them in model space: by their own
 *              name, or by that of the body joint
 *
 * @example
 * {@includeCode ../../../examples/place-skeleton.ts}
 */
export function placeSkeleton({
  motion,
  landmarks,
}: {
  readonly motion: SkeletonMotion;
  readonly landmarks: ReadonlyMap<string, Place>;
}): PlacedSkeleton {
  validateSkeletonMotion(motion);
  const { joints } = motion;
  const origins = restOrigins(joints);
  const named = namedJoints(joints, landmarks);
  const { scale, rotation, move } = similarity(origins, named);
  const fitted = new Float64Array(origins.length);
  for (let j = 0; j < joints.length; j++) fitted.set(move(origins.subarray(3 * j, 3 * j + 3)), 3 * j);
  shareOut(joints, fitted, named);
  const turned = alignments(joints, origins, fitted, rotation);
  const tips = new Map<number, Place>();
  joints.forEach(({ tip }, j) => {
    if (tip) tips.set(j, tipAt(fitted, j, rotated(turned, 9 * j, rotated(rotation, 0, tip)), scale));
  });
  const bones = joints.map(({ name, parent }, j): Bone => {
    const [x, y, z] = fitted.subarray(3 * j, 3 * j + 3);
    return { name, parent, rest: Float64Array.of(1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z) };
  });
  return { bones, tips, clip: retargetClip(motion, fitted, rotation, turned, scale) };
}

function restOrigins(joints: readonly SkeletonJoint[]): Float64Array {
  const origins = new Float64Array(3 * joints.length);
  joints.forEach(({ parent, offset }, j) => {
    for (let axis = 0; axis < 3; axis++) {
      origins[3 * j + axis] = offset[axis] + (parent < 0 ? 0 : origins[3 * parent + axis]);
    }
  });
  return origins;
}

/** Positions of the joints that landmarks name. */
function namedJoints(joints: readonly SkeletonJoint[], landmarks: ReadonlyMap<string, Place>): Map<number, Place> {
  const own = joints.map((joint) => joint.name);
  const common = nameBodyJoints(own);
  const named = new Map<number, Place>();
  for (const [name, place] of landmarks) {
    const j = own.includes(name) ? own.indexOf(name) : common.indexOf(name);
    if (j < 0) throw new InputError(`placeSkeleton: there is no joint '${name}'; the skeleton has ${own.join(', ')}`);
    named.set(j, place);
  }
  if (named.size < FEWEST) {
    throw new InputError(`placeSkeleton: ${named.size} landmarks are too few; name ${FEWEST} joints or more`);
  }
  return named;
}

/** The similarity that takes the named joints nearest to their landmarks. */
function similarity(origins: Float64Array, named: ReadonlyMap<number, Place>) {
  const mean = (places: readonly (readonly number[])[]) =>
    [0, 1, 2].map((axis) => places.reduce((sum, place) => sum + place[axis], 0) / places.length);
  const from = [...named.keys()].map((j) => [...origins.subarray(3 * j, 3 * j + 3)]);
  const to = [...named.values()];
  const [fromMean, toMean] = [mean(from), mean(to)];
  const moments = new Float64Array(9);
  let spread = 0;
  from.forEach((place, k) => {
    for (let r = 0; r < 3; r++) {
      spread += (place[r] - fromMean[r]) ** 2;
      for (let c = 0; c < 3; c++) moments[3 * r + c] += (place[r] - fromMean[r]) * (to[k][c] - toMean[c]);
    }
  });
  if (!(spread > 0)) {
    throw new InputError(
      'placeSkeleton: all joints with landmarks coincide at rest; name joints at different positions',
    );
  }
  const rotation = new Float64Array(9);
  properRotation(moments, 0, rotation, 0);
  let along = 0;
  for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) along += rotation[3 * r + c] * moments[3 * c + r];
  const scale = along / spread;
  if (!(scale > 0))
    throw new InputError(
      'placeSkeleton: the landmarks do not match the skeleton; check whether left and right are exchanged',
    );
  const move = (place: ArrayLike<number>) => {
    const offset = [0, 1, 2].map((axis) => scale * (place[axis] - fromMean[axis]));
    return rotated(rotation, 0, offset).map((value, axis) => value + toMean[axis]);
  };
  return { scale, rotation, move };
}

/** Moves the named joints to their landmarks, and the others by interpolation between the named ones of their chain. */
function shareOut(joints: readonly SkeletonJoint[], fitted: Float64Array, named: ReadonlyMap<number, Place>): void {
  const missing = new Map(
    [...named].map(([j, place]) => [j, place.map((value, axis) => value - fitted[3 * j + axis])]),
  );
  const length = joints.map(({ parent }, j) => (parent < 0 ? 0 : distance(fitted, j, parent)));
  const moves = joints.map((_, j): readonly number[] => {
    const here = missing.get(j);
    if (here) return here;
    const above = nearestAbove(joints, length, missing, j);
    const below = nearestBelow(joints, length, missing, j);
    if (above && below) {
      const share = below.way / (above.way + below.way || 1);
      return above.move.map((value, axis) => share * value + (1 - share) * below.move[axis]);
    }
    return (above ?? below)?.move ?? [0, 0, 0];
  });
  moves.forEach((move, j) => {
    for (let axis = 0; axis < 3; axis++) fitted[3 * j + axis] += move[axis];
  });
}

type Found = { readonly way: number; readonly move: readonly number[] };

function nearestAbove(
  joints: readonly SkeletonJoint[],
  length: readonly number[],
  missing: ReadonlyMap<number, readonly number[]>,
  joint: number,
): Found | undefined {
  let way = 0;
  for (let j = joint; j >= 0; j = joints[j].parent) {
    const move = missing.get(j);
    if (move) return { way, move };
    way += length[j];
  }
  return undefined;
}

/** The mean over the branches below of the nearest named joint. */
function nearestBelow(
  joints: readonly SkeletonJoint[],
  length: readonly number[],
  missing: ReadonlyMap<number, readonly number[]>,
  joint: number,
): Found | undefined {
  const here = missing.get(joint);
  if (here) return { way: 0, move: here };
  const found = joints.flatMap(({ parent }, child) => {
    const below = parent === joint ? nearestBelow(joints, length, missing, child) : undefined;
    return below ? [{ way: below.way + length[child], move: below.move }] : [];
  });
  if (found.length === 0) return undefined;
  const mean = (value: (entry: Found) => number) => found.reduce((sum, entry) => sum + value(entry), 0) / found.length;
  return { way: mean(({ way }) => way), move: [0, 1, 2].map((axis) => mean(({ move }) => move[axis])) };
}

/** J × 9: for each joint the rotation from the captured directions of its bones, rotated, to those in the mesh. */
function alignments(
  joints: readonly SkeletonJoint[],
  origins: Float64Array,
  fitted: Float64Array,
  rotation: Float64Array,
): Float64Array {
  const result = new Float64Array(9 * joints.length);
  const moments = new Float64Array(9);
  joints.forEach(({ parent }, j) => {
    moments.fill(0);
    let count = 0;
    joints.forEach((child, k) => {
      if (child.parent !== j) return;
      const was = unit(
        rotated(
          rotation,
          0,
          [0, 1, 2].map((axis) => origins[3 * k + axis] - origins[3 * j + axis]),
        ),
      );
      const is = unit([0, 1, 2].map((axis) => fitted[3 * k + axis] - fitted[3 * j + axis]));
      if (!was || !is) return;
      count++;
      for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) moments[3 * r + c] += was[r] * is[c];
    });
    // A joint without a direction of its own follows its parent.
    if (count > 0) properRotation(moments, 0, result, 9 * j);
    else if (parent >= 0) result.copyWithin(9 * j, 9 * parent, 9 * parent + 9);
    else result.set([1, 0, 0, 0, 1, 0, 0, 0, 1], 9 * j);
  });
  return result;
}

function tipAt(fitted: Float64Array, j: number, direction: readonly number[], scale: number): Place {
  const [x, y, z] = direction.map((value, axis) => fitted[3 * j + axis] + scale * value);
  return [x, y, z];
}

function unit(v: readonly number[]): number[] | undefined {
  const length = Math.hypot(...v);
  return length > 0 ? v.map((value) => value / length) : undefined;
}

function distance(points: Float64Array, a: number, b: number): number {
  return Math.hypot(...[0, 1, 2].map((axis) => points[3 * a + axis] - points[3 * b + axis]));
}
