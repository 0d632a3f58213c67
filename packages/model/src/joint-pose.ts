/**
 * Poses made by hand: what each bone does against its parent, in the axes of the rest pose.
 *
 * With A the linear part and x the posed origin of a bone, o its origin at rest and p its parent:
 *   A_j = A_p R_j diag(s_j),   x_j = x_p + A_p (o_j − o_p + d_j),   M_j = [A_j | x_j − A_j o_j].
 */
import { cos, rotationFromQuaternion, sin } from '@pelt/math';
import type { Pose } from './clip.ts';
import { InputError } from './errors.ts';
import { type Bone, TRANSFORM_SIZE } from './rig.ts';

type Vector = readonly [number, number, number];

/** What one bone does. Everything that is absent stays as at rest. */
export interface JointChange {
  /** Degrees about the model's x, then y, then z axis. */
  readonly degrees?: Vector;
  /** The same as a unit quaternion x, y, z, w; not beside `degrees`. */
  readonly quaternion?: readonly [number, number, number, number];
  /** From where the parent would carry the joint to where it shall be. */
  readonly translation?: Vector;
  /** Stretch along the model's axes; handed on to the children. */
  readonly scale?: Vector;
}

/** Changes by the bones' names; a bone that is not named keeps its place against its parent. */
export type JointPose = Readonly<Record<string, JointChange>>;

/**
 * Forward kinematics: the pose in which the named joints turn, move or scale relative to their parents. Throws
 * `InputError` where a change names no bone, or a name that two bones share.
 *
 * @param bones  m bones, parents before children
 * @example
 * {@includeCode ../examples/rig.ts}
 */
export function poseFromJoints(bones: readonly Bone[], joints: JointPose): Pose {
  requireBones(bones, joints);
  const transforms = new Float64Array(bones.length * TRANSFORM_SIZE);
  // Linear parts are read back from `transforms`; origins are kept here.
  const origins = new Float64Array(bones.length * 3);
  const rotation = new Float64Array(9);
  bones.forEach((bone, j) => {
    const change = Object.hasOwn(joints, bone.name) ? joints[bone.name] : {};
    rotationOf(change, rotation);
    const scale = change.scale ?? [1, 1, 1];
    const shift = change.translation ?? [0, 0, 0];
    const p = bone.parent;
    for (let row = 0; row < 3; row++) {
      let origin = p < 0 ? 0 : origins[3 * p + row];
      for (let k = 0; k < 3; k++) {
        const parentRow = p < 0 ? Number(row === k) : transforms[12 * p + 4 * row + k];
        origin += parentRow * (bone.rest[4 * k + 3] - (p < 0 ? 0 : bones[p].rest[4 * k + 3]) + shift[k]);
        for (let column = 0; column < 3; column++) {
          transforms[12 * j + 4 * row + column] += parentRow * rotation[3 * k + column] * scale[column];
        }
      }
      origins[3 * j + row] = origin;
      let moved = origin;
      for (let k = 0; k < 3; k++) moved -= transforms[12 * j + 4 * row + k] * bone.rest[4 * k + 3];
      transforms[12 * j + 4 * row + 3] = moved;
    }
  });
  return { transforms };
}

function requireBones(bones: readonly Bone[], joints: JointPose): void {
  for (const name of Object.keys(joints)) {
    const found = bones.filter((bone) => bone.name === name).length;
    if (found === 1) continue;
    const names = bones.map((bone) => bone.name);
    throw new InputError(
      found === 0
        ? `pose: there is no bone '${name}'; there are ${names.slice(0, 40).join(', ')}${names.length > 40 ? ' …' : ''}`
        : `pose: ${found} bones are called '${name}'; give them names of their own`,
    );
  }
}

/** 3 × 3, row-major. */
function rotationOf(change: JointChange, out: Float64Array): void {
  let [x, y, z, w] = change.quaternion ?? [0, 0, 0, 1];
  if (change.degrees) {
    const [a, b, c] = change.degrees.map((degrees) => (degrees * Math.PI) / 360);
    const [sa, sb, sc] = [sin(a), sin(b), sin(c)];
    const [ca, cb, cc] = [cos(a), cos(b), cos(c)];
    // Z · Y · X: the x rotation comes first.
    x = sa * cb * cc - ca * sb * sc;
    y = ca * sb * cc + sa * cb * sc;
    z = ca * cb * sc - sa * sb * cc;
    w = ca * cb * cc + sa * sb * sc;
  }
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  rotationFromQuaternion([x / length, y / length, z / length, w / length], 0, out, 0);
}
