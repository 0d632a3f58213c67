/**
 * Where an FBX node sits in its parent:
 *
 *   T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹
 *
 * with T, R, S the animated translation, rotation (Euler angles in the node's order) and scale, and offsets, pivots and
 * pre- and post-rotations that stand. The linear part is a rotation by a scale, so that the whole is a translation,
 * rotation and scale of glTF, whose translation moves with R and S where there are pivots.
 */
import { cos, sin } from '@pelt/math';
import type { Trs } from '../gltf/transform.ts';
import type { FbxObject, FbxObjects } from './fbx-objects.ts';

export type Vector = ArrayLike<number>;

/** The axes of a rotation order, first turned first. */
const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 2, 0],
  [1, 0, 2],
  [2, 0, 1],
  [2, 1, 0],
] as const;
/** Whether a child takes its parent's scale. */
const INHERIT_NO_SCALE = 2;

export interface FbxTransform {
  readonly translation: Vector;
  readonly rotation: Vector;
  readonly scale: Vector;
  /** Index into the six orders. */
  readonly order: number;
  readonly before: Float64Array;
  /** Inverse of the post-rotation. */
  readonly after: Float64Array;
  readonly rotationOffset: Vector;
  readonly rotationPivot: Vector;
  readonly scaleOffset: Vector;
  readonly scalePivot: Vector;
  readonly hasPivots: boolean;
  /** The parent's scale does not reach this node. */
  readonly unscaled: boolean;
}

/** @param unit  metres of a unit of the file */
export function transformOf(objects: FbxObjects, model: FbxObject, unit: number): FbxTransform {
  const zero = [0, 0, 0];
  const angles = (name: string) => objects.vector(model, name, zero);
  const lengths = (name: string) => objects.vector(model, name, zero).map((value) => value * unit);
  const [rotationOffset, rotationPivot] = [lengths('RotationOffset'), lengths('RotationPivot')];
  const [scaleOffset, scalePivot] = [lengths('ScalingOffset'), lengths('ScalingPivot')];
  const order = objects.number(model, 'RotationOrder', 0);
  const after = quaternionOf(angles('PostRotation'), 0);
  for (let k = 0; k < 3; k++) after[k] = -after[k];
  return {
    translation: lengths('Lcl Translation'),
    rotation: angles('Lcl Rotation'),
    scale: objects.vector(model, 'Lcl Scaling', [1, 1, 1]),
    order: order > 0 && order < ORDERS.length ? Math.floor(order) : 0,
    before: quaternionOf(angles('PreRotation'), 0),
    after,
    rotationOffset,
    rotationPivot,
    scaleOffset,
    scalePivot,
    hasPivots: [...rotationPivot, ...scaleOffset, ...scalePivot].some((value) => value !== 0),
    unscaled: objects.number(model, 'InheritType', 1) === INHERIT_NO_SCALE,
  };
}

/**
 * The local transform at given values of the animated properties.
 *
 * @param given  a quaternion in place of the angles
 */
export function localTrs(
  node: FbxTransform,
  translation: Vector,
  rotation: Vector,
  scale: Vector,
  out: Trs,
  given?: Float64Array,
): Trs {
  const turn = multiplyQuaternions(
    multiplyQuaternions(node.before, given ?? quaternionOf(rotation, node.order)),
    node.after,
  );
  const { rotationOffset, rotationPivot, scaleOffset, scalePivot } = node;
  for (let k = 0; k < 3; k++) {
    out.translation[k] = translation[k] + rotationOffset[k];
    out.scale[k] = scale[k];
  }
  if (node.hasPivots) {
    const arm = [0, 1, 2].map((k) => scaleOffset[k] + scalePivot[k] * (1 - scale[k]) - rotationPivot[k]);
    const turned = rotate(turn, arm);
    for (let k = 0; k < 3; k++) out.translation[k] += rotationPivot[k] + turned[k];
  }
  out.rotation.set(turn);
  return out;
}

export const RADIANS = Math.PI / 180;

/** Unit quaternion x, y, z, w of Euler angles in degrees. */
export function quaternionOf(degrees: Vector, order: number): Float64Array {
  let q: Float64Array = Float64Array.of(0, 0, 0, 1);
  for (const axis of ORDERS[order]) {
    if (degrees[axis] === 0) continue;
    const half = (degrees[axis] * RADIANS) / 2;
    const turn = Float64Array.of(0, 0, 0, cos(half));
    turn[axis] = sin(half);
    q = multiplyQuaternions(turn, q);
  }
  return q;
}

/** a · b: first b, then a. */
export function multiplyQuaternions(a: Vector, b: Vector): Float64Array {
  return Float64Array.of(
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  );
}

export function rotate(q: Vector, v: Vector): number[] {
  // v + 2 w (u × v) + 2 u × (u × v), with u the vector part.
  const cross = (a: Vector, b: Vector) => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ];
  const t = cross(q, v);
  const tt = cross(q, t);
  return [0, 1, 2].map((k) => v[k] + 2 * (q[3] * t[k] + tt[k]));
}
