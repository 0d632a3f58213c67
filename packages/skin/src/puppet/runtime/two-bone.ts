/**
 * Analytic two-bone inverse kinematics: the middle joint bends in its current plane (law of cosines), then the whole limb
 * rotates to the target. The end and its descendants keep their orientation, so that a foot stays flat.
 */
import { acos, adjugate3, distance3, length3, linearPart, multiply3, setIdentity3 } from '@pelt/math';
import type { Bone } from '@pelt/model';
import { posedOrigin } from './local-pose.ts';
import { axisRotation, shortestRotation, subtreeOf, turnInPlace } from './subtree.ts';

/** Largest extension of a limb: a straight limb would have no plane to bend in. */
const NEARLY_STRAIGHT = 0.9995;

export class TwoBoneLimb {
  readonly #bones: readonly Bone[];
  /** Upper, lower, end. */
  readonly #chain: readonly [number, number, number];
  readonly #subtrees: readonly Int32Array[];
  readonly #joints = new Float64Array(9);
  readonly #rotation = new Float64Array(9);
  readonly #kept = new Float64Array(9);
  readonly #from = new Float64Array(3);
  readonly #to = new Float64Array(3);
  readonly #still = new Float64Array(3);

  /** The limb that ends in a bone; undefined without two ancestors of non-zero length below the root. */
  static endingIn(bones: readonly Bone[], end: number): TwoBoneLimb | undefined {
    const lower = proximal(bones, end);
    const upper = lower < 0 ? -1 : proximal(bones, lower);
    if (upper < 0 || bones[upper].parent < 0) return undefined;
    return new TwoBoneLimb(bones, [upper, lower, end]);
  }

  private constructor(bones: readonly Bone[], chain: readonly [number, number, number]) {
    this.#bones = bones;
    this.#chain = chain;
    this.#subtrees = chain.map((bone) => subtreeOf(bones, bone));
  }

  /**
   * Moves the end's joint by `shift`, within the reach of the limb.
   *
   * @param transforms  m × 12; updated in place
   * @param shift       3
   */
  reach(transforms: Float64Array, shift: Float64Array): void {
    const joints = this.#joints;
    const [upper, lower, end] = this.#chain;
    this.#locate(transforms, upper, 0);
    this.#locate(transforms, lower, 3);
    this.#locate(transforms, end, 6);
    linearPart(transforms, 12 * end, this.#kept, 0);
    const a = distance3(joints, 3, joints, 0);
    const b = distance3(joints, 6, joints, 3);
    const now = distance3(joints, 6, joints, 0);
    for (let r = 0; r < 3; r++) this.#to[r] = joints[6 + r] + shift[r] - joints[r];
    const wanted = length3(this.#to, 0);
    if (!(a > 0 && b > 0 && now > 0 && wanted > 0)) return;
    const reached = Math.min(Math.max(wanted, Math.abs(a - b) / NEARLY_STRAIGHT), (a + b) * NEARLY_STRAIGHT);

    // Bend the middle joint from its current angle to the one of the required distance.
    this.#bend(transforms, middleAngle(a, b, reached) - middleAngle(a, b, now));
    this.#locate(transforms, end, 6);
    for (let r = 0; r < 3; r++) this.#from[r] = joints[6 + r] - joints[r];
    shortestRotation(this.#from, this.#to, Math.PI, this.#rotation);
    turnInPlace(transforms, this.#subtrees[0], this.#rotation, joints, 0, this.#still);

    // Rotate the end and its descendants back around its joint.
    this.#locate(transforms, end, 6);
    backRotation(this.#kept, transforms, 12 * end, this.#rotation);
    turnInPlace(transforms, this.#subtrees[2], this.#rotation, joints, 6, this.#still);
  }

  /** Bends the middle joint by an angle in the plane of the three joints. */
  #bend(transforms: Float64Array, angle: number): void {
    const j = this.#joints;
    const ax = j[0] - j[3];
    const ay = j[1] - j[4];
    const az = j[2] - j[5];
    const bx = j[6] - j[3];
    const by = j[7] - j[4];
    const bz = j[8] - j[5];
    let x = ay * bz - az * by;
    let y = az * bx - ax * bz;
    let z = ax * by - ay * bx;
    const size = Math.sqrt(x * x + y * y + z * z);
    // A straight limb has no plane: it stays straight.
    if (!(size > 1e-9 * (ax * ax + ay * ay + az * az))) return;
    x /= size;
    y /= size;
    z /= size;
    axisRotation(x, y, z, angle, this.#rotation);
    turnInPlace(transforms, this.#subtrees[1], this.#rotation, j, 3, this.#still);
  }

  #locate(transforms: Float64Array, bone: number, at: number): void {
    posedOrigin(this.#bones[bone], transforms, 12 * bone, this.#joints, at);
  }
}

/** The nearest ancestor at a different position; −1 for none. */
function proximal(bones: readonly Bone[], bone: number): number {
  const here = bones[bone].rest;
  for (let p = bones[bone].parent; p >= 0; p = bones[p].parent) {
    const { rest } = bones[p];
    if (rest[3] !== here[3] || rest[7] !== here[7] || rest[11] !== here[11]) return p;
  }
  return -1;
}

/** Angle between the sides a and b of a triangle, opposite c. */
function middleAngle(a: number, b: number, c: number): number {
  return acos(Math.min(1, Math.max(-1, (a * a + b * b - c * c) / (2 * a * b))));
}

/** The rotation kept · A⁻¹ that takes a transform's linear part A, a rotation times `kept`, back to `kept`. */
function backRotation(kept: Float64Array, transforms: Float64Array, at: number, out: Float64Array): void {
  // A = Q kept with Q a rotation, so Qᵀ = kept A⁻¹; by cofactors, A⁻¹ = adj(A)/det A.
  const determinant = adjugate3(transforms, at, out, 0, 4);
  if (determinant === 0) {
    setIdentity3(out, 0);
    return;
  }
  multiply3(kept, 0, out, 0, out, 0);
  for (let k = 0; k < 9; k++) out[k] /= determinant;
}
