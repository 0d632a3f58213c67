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
  const own = given ?? quaternionOf(rotation, node.order);
  const before = node.before[3] === 1 ? own : multiplyQuaternions(node.before, own);
  const turn = node.after[3] === 1 ? before : multiplyQuaternions(before, node.after);
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
  let [x, y, z, w] = [0, 0, 0, 1];
  for (const axis of ORDERS[order]) {
    if (degrees[axis] === 0) continue;
    const half = (degrees[axis] * RADIANS) / 2;
    const [s, c] = [sin(half), cos(half)];
    const [x0, y0, z0] = [x, y, z];
    // The turn about one axis, times what there is.
    if (axis === 0) {
      [x, y, z] = [c * x0 + s * w, c * y0 - s * z0, c * z0 + s * y0];
      w = c * w - s * x0;
    } else if (axis === 1) {
      [x, y, z] = [c * x0 + s * z0, c * y0 + s * w, c * z0 - s * x0];
      w = c * w - s * y0;
    } else {
      [x, y, z] = [c * x0 - s * y0, c * y0 + s * x0, c * z0 + s * w];
      w = c * w - s * z0;
    }
  }
  return Float64Array.of(x, y, z, w);
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
