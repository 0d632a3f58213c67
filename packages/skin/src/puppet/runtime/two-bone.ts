/**
 * Analytic two-bone inverse kinematics: the middle joint bends (law of cosines), then the whole limb rotates to the target.
 * The end and its descendants keep their orientation, so that a foot stays flat.
 *
 * A limb bends in its current plane. A nearly straight limb has no plane, or the wrong one: knees of captured people appear
 * to bend backwards by a degree or two. There it bends about its hinge, which is learnt from the poses in which it is bent:
 * the mean of upper × lower in the axes of the upper bone, which bent poses dominate.
 */
import { acos, adjugate3, atan2, distance3, exp, length3, linearPart, multiply3, setIdentity3 } from '@pelt/math';
import type { Bone } from '@pelt/model';
import { posedOrigin } from './local-pose.ts';
import { axisRotation, shortestRotation, subtreeOf, turnInPlace } from './subtree.ts';

/** Extension from which on the reach is softened, so that a limb does not snap straight. */
const NEARLY_STRAIGHT = 0.97;
/** Largest extension. */
const STRAIGHTEST = 0.9995;
/** Sine of the bend at which the current plane and the hinge have equal weight. */
const EQUAL_WEIGHT = 0.17; // 10°
/** Mean sine of the bend below which poses show no hinge. */
const UNBENT = 0.01;

/** Hinge of a middle joint that points to the front, +Z, where nothing is known. */
const FORWARDS = [-1, 0, 0];

export class TwoBoneLimb {
  readonly #bones: readonly Bone[];
  /** Upper, lower, end. */
  readonly #chain: readonly [number, number, number];
  readonly #subtrees: readonly Int32Array[];
  /** 3: unit axis upper × lower, from the middle joint, in the axes of the upper bone at rest */
  readonly #hinge = new Float64Array(3);
  readonly #joints = new Float64Array(9);
  readonly #axis = new Float64Array(3);
  readonly #rotation = new Float64Array(9);
  readonly #kept = new Float64Array(9);
  readonly #from = new Float64Array(3);
  readonly #to = new Float64Array(3);
  readonly #still = new Float64Array(3);

  /** The bones of the limb that ends in a bone; undefined without two ancestors of non-zero length below the root. */
  static chainTo(bones: readonly Bone[], end: number): readonly [number, number, number] | undefined {
    const lower = proximal(bones, end);
    const upper = lower < 0 ? -1 : proximal(bones, lower);
    return upper < 0 || bones[upper].parent < 0 ? undefined : [upper, lower, end];
  }

  /**
   * @param chain  upper, lower, end
   * @param poses  m × 12 each: poses that show how the limb bends
   * @param body   bases: m, the bone that each bone moves with, by default its parent; hinge: 3, where poses show none
   */
  constructor(
    bones: readonly Bone[],
    chain: readonly [number, number, number],
    poses: readonly Float64Array[],
    body: { readonly bases?: Int32Array; readonly hinge?: ArrayLike<number> } = {},
  ) {
    this.#bones = bones;
    this.#chain = chain;
    const bases = body.bases ?? Int32Array.from(bones, (bone) => bone.parent);
    this.#subtrees = chain.map((bone) => subtreeOf(bases, bone));
    this.#learnHinge(poses, body.hinge ?? FORWARDS);
  }

  #learnHinge(poses: readonly Float64Array[], otherwise: ArrayLike<number>): void {
    const hinge = this.#hinge;
    const [upper] = this.#chain;
    let total = 0;
    for (const pose of poses) {
      this.#locateAll(pose);
      total += this.#cross();
      for (let k = 0; k < 3; k++) {
        for (let r = 0; r < 3; r++) hinge[k] += pose[12 * upper + 4 * r + k] * this.#axis[r];
      }
    }
    const length = length3(hinge, 0);
    if (length > UNBENT * total) for (let k = 0; k < 3; k++) hinge[k] /= length;
    else hinge.set(otherwise);
  }

  /**
   * Moves the end's joint by `shift`, within the reach of the limb.
   *
   * @param transforms  m × 12; updated in place
   * @param shift       3
   */
  reach(transforms: Float64Array, shift: Float64Array): void {
    const joints = this.#joints;
    const end = this.#chain[2];
    this.#locateAll(transforms);
    linearPart(transforms, 12 * end, this.#kept, 0);
    const a = distance3(joints, 3, joints, 0);
    const b = distance3(joints, 6, joints, 3);
    const now = distance3(joints, 6, joints, 0);
    for (let r = 0; r < 3; r++) this.#to[r] = joints[6 + r] + shift[r] - joints[r];
    const wanted = length3(this.#to, 0);
    if (!(a > 0 && b > 0 && now > 0 && wanted > 0)) return;
    const reached = Math.min(Math.max(wanted, Math.abs(a - b) / NEARLY_STRAIGHT), softReach(wanted, now, a + b));
    this.#bend(transforms, reached);
    this.#locate(transforms, end, 6);
    for (let r = 0; r < 3; r++) this.#from[r] = joints[6 + r] - joints[r];
    shortestRotation(this.#from, this.#to, Math.PI, this.#rotation);
    turnInPlace(transforms, this.#subtrees[0], this.#rotation, joints, 0, this.#still);

    // Rotate the end and its descendants back around its joint.
    this.#locate(transforms, end, 6);
    backRotation(this.#kept, transforms, 12 * end, this.#rotation);
    turnInPlace(transforms, this.#subtrees[2], this.#rotation, joints, 6, this.#still);
  }

  /** Bends the middle joint until the end is at a distance from the upper joint. */
  #bend(transforms: Float64Array, reached: number): void {
    const j = this.#joints;
    const n = this.#axis;
    const product = this.#cross();
    // Where the current plane is uncertain, the hinge decides.
    const upper = 12 * this.#chain[0];
    const weight = EQUAL_WEIGHT * product;
    for (let r = 0; r < 3; r++) {
      const row = upper + 4 * r;
      for (let k = 0; k < 3; k++) n[r] += weight * transforms[row + k] * this.#hinge[k];
    }
    const size = length3(n, 0);
    if (!(size > 1e-9 * product)) return;
    for (let r = 0; r < 3; r++) n[r] /= size;

    // With a and b from the middle joint, split along and across n, |a − b|² = |a|² + |b|² − 2 (a∥ b∥ + |a⊥| |b⊥| cos φ).
    let aa = 0;
    let bb = 0;
    let alongA = 0;
    let alongB = 0;
    let dot = 0;
    for (let r = 0; r < 3; r++) {
      const a = j[r] - j[3 + r];
      const b = j[6 + r] - j[3 + r];
      aa += a * a;
      bb += b * b;
      alongA += a * n[r];
      alongB += b * n[r];
      dot += a * b;
    }
    const across = Math.sqrt(Math.max(0, aa - alongA * alongA) * Math.max(0, bb - alongB * alongB));
    if (!(across > 0)) return;
    const sine = this.#tripleProduct(n) / across;
    const now = atan2(sine, (dot - alongA * alongB) / across);
    const cosine = ((aa + bb - reached * reached) / 2 - alongA * alongB) / across;
    const wanted = acos(Math.min(1, Math.max(-1, cosine)));
    // An angle below 0 is one beyond straight.
    axisRotation(n[0], n[1], n[2], wanted - (now < 0 ? now + 2 * Math.PI : now), this.#rotation);
    turnInPlace(transforms, this.#subtrees[1], this.#rotation, j, 3, this.#still);
  }

  /** Sets the axis to a × b, with a and b from the middle joint to the others; returns |a| |b|. */
  #cross(): number {
    const j = this.#joints;
    const ax = j[0] - j[3];
    const ay = j[1] - j[4];
    const az = j[2] - j[5];
    const bx = j[6] - j[3];
    const by = j[7] - j[4];
    const bz = j[8] - j[5];
    this.#axis[0] = ay * bz - az * by;
    this.#axis[1] = az * bx - ax * bz;
    this.#axis[2] = ax * by - ay * bx;
    return Math.sqrt((ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz));
  }

  /** n · (a × b) */
  #tripleProduct(n: Float64Array): number {
    const j = this.#joints;
    const ax = j[0] - j[3];
    const ay = j[1] - j[4];
    const az = j[2] - j[5];
    const bx = j[6] - j[3];
    const by = j[7] - j[4];
    const bz = j[8] - j[5];
    return n[0] * (ay * bz - az * by) + n[1] * (az * bx - ax * bz) + n[2] * (ax * by - ay * bx);
  }

  #locateAll(transforms: Float64Array): void {
    for (let k = 0; k < 3; k++) this.#locate(transforms, this.#chain[k], 3 * k);
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

/**
 * The distance that a limb of some length reaches for one that is wanted: the same up to nearly straight, then ever less of
 * it; never less than now, and never the whole length, since a straight limb has no plane to bend in.
 */
function softReach(wanted: number, now: number, length: number): number {
  const from = Math.max(NEARLY_STRAIGHT * length, Math.min(now, STRAIGHTEST * length));
  if (wanted <= from) return wanted;
  const room = STRAIGHTEST * length - from;
  return room > 0 ? from + room * (1 - exp((from - wanted) / room)) : from;
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
