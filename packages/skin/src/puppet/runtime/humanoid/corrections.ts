/**
 * What pairs of poses add to a direct retarget of a humanoid: the motion of every bone from the pose that the direct
 * retarget gives for the performer of a pair to the character of the pair.
 *
 * With A the linear part of a bone's transform and d its shift relative to its parent, D the direct pose and Y the pair's,
 * E = A(D)⁻¹ A(Y) and t = d(Y) − d(D). For bones that the direct retarget does not drive (fingers, collars), which follow
 * their parents, A is relative to the parent. A limb that the direct retarget points in the right direction has a twist for
 * E, and blends of twists leave the direction as it is; motions relative to the parent would not.
 */
import { adjugate3, linearPart, multiply3, rotate3, setIdentity3 } from '@pelt/math';
import type { Bone } from '@pelt/model';
import { posedOrigin } from '../local-pose.ts';

export class Corrections {
  readonly #bones: readonly Bone[];
  /** m: 1 where the direct retarget drives the bone */
  readonly #driven: Uint8Array;
  readonly #origins: Float64Array;
  readonly #inverse = new Float64Array(9);
  readonly #linear = new Float64Array(9);
  readonly #step = new Float64Array(9);
  readonly #offset = new Float64Array(3);
  readonly #turned = new Float64Array(3);

  constructor(bones: readonly Bone[], driven: Uint8Array) {
    this.#bones = bones;
    this.#driven = driven;
    this.#origins = new Float64Array(6 * bones.length);
  }

  /**
   * E and t of all bones as a pose of bones without parents, so that they are learnt and blended as poses are.
   *
   * @param direct     m × 12
   * @param character  m × 12
   * @returns          m × 12: E, with the origin of the bone shifted by t
   */
  between(direct: Float64Array, character: Float64Array): Float64Array {
    const out = new Float64Array(direct.length);
    const from = new Float64Array(3);
    this.#bones.forEach(({ rest }, j) => {
      this.#measure(direct, j);
      invert(this.#linear, this.#inverse);
      const inverse = this.#inverse.slice();
      from.set(this.#offset);
      this.#measure(character, j);
      multiply3(inverse, 0, this.#linear, 0, this.#step, 0);
      for (let r = 0; r < 3; r++) {
        const row = 12 * j + 4 * r;
        for (let c = 0; c < 3; c++) out[row + c] = this.#step[3 * r + c];
        const origin = rest[4 * r + 3] + this.#offset[r] - from[r];
        out[row + 3] = origin - out[row] * rest[3] - out[row + 1] * rest[7] - out[row + 2] * rest[11];
      }
    });
    return out;
  }

  /** Linear part of a driven bone, or relative to the parent; and the shift d. */
  #measure(transforms: Float64Array, j: number): void {
    const { parent, rest } = this.#bones[j];
    linearPart(transforms, 12 * j, this.#linear, 0);
    posedOrigin(this.#bones[j], transforms, 12 * j, this.#turned);
    if (parent < 0) {
      for (let r = 0; r < 3; r++) this.#offset[r] = this.#turned[r] - rest[4 * r + 3];
      return;
    }
    linearPart(transforms, 12 * parent, this.#step, 0);
    invert(this.#step, this.#inverse);
    if (this.#driven[j] === 0) multiply3(this.#inverse, 0, this.#linear, 0, this.#linear, 0);
    const above = new Float64Array(3);
    posedOrigin(this.#bones[parent], transforms, 12 * parent, above);
    for (let r = 0; r < 3; r++) above[r] = this.#turned[r] - above[r];
    rotate3(this.#inverse, 0, above, 0, this.#offset, 0);
    for (let r = 0; r < 3; r++) this.#offset[r] -= rest[4 * r + 3] - this.#bones[parent].rest[4 * r + 3];
  }

  /**
   * Applies corrections to a direct pose; allocates nothing.
   *
   * @param corrections  m × 12, as from `between`
   * @param direct       m × 12
   * @param out          m × 12; overwritten; may not alias `direct`
   */
  apply(corrections: Float64Array, direct: Float64Array, out: Float64Array): void {
    const bones = this.#bones;
    const m = bones.length;
    const origins = this.#origins;
    const offset = this.#offset;
    const turned = this.#turned;
    // Origins of the direct pose, then of the corrected one.
    for (let j = 0; j < m; j++) posedOrigin(bones[j], direct, 12 * j, origins, 3 * (m + j));
    for (let j = 0; j < m; j++) {
      const { parent, rest } = bones[j];
      linearPart(direct, 12 * j, this.#linear, 0);
      posedOrigin(bones[j], corrections, 12 * j, offset);
      for (let r = 0; r < 3; r++) offset[r] -= rest[4 * r + 3];
      if (parent < 0) {
        // Only the height of a root is a matter of pose: its place and heading are global motion.
        for (let r = 0; r < 3; r++) origins[3 * j + r] = origins[3 * (m + j) + r] + (r === 1 ? offset[r] : 0);
      } else {
        // A(out, parent) A(direct, parent)⁻¹ carries what hangs on the parent along.
        linearPart(direct, 12 * parent, this.#step, 0);
        invert(this.#step, this.#inverse);
        linearPart(out, 12 * parent, this.#step, 0);
        rotate3(this.#step, 0, offset, 0, turned, 0);
        multiply3(this.#step, 0, this.#inverse, 0, this.#step, 0);
        if (this.#driven[j] === 0) multiply3(this.#step, 0, this.#linear, 0, this.#linear, 0);
        for (let r = 0; r < 3; r++) {
          origins[3 * j + r] = origins[3 * parent + r] + turned[r];
          offset[r] = origins[3 * (m + j) + r] - origins[3 * (m + parent) + r];
        }
        rotate3(this.#step, 0, offset, 0, turned, 0);
        for (let r = 0; r < 3; r++) origins[3 * j + r] += turned[r];
      }
      linearPart(corrections, 12 * j, this.#step, 0);
      multiply3(this.#linear, 0, this.#step, 0, this.#linear, 0);
      for (let r = 0; r < 3; r++) {
        const row = 12 * j + 4 * r;
        for (let c = 0; c < 3; c++) out[row + c] = this.#linear[3 * r + c];
        out[row + 3] = origins[3 * j + r] - out[row] * rest[3] - out[row + 1] * rest[7] - out[row + 2] * rest[11];
      }
    }
  }
}

/** out = A⁻¹, or the identity where A is singular. */
function invert(a: Float64Array, out: Float64Array): void {
  const determinant = adjugate3(a, 0, out, 0);
  if (determinant === 0) setIdentity3(out, 0);
  else for (let k = 0; k < 9; k++) out[k] /= determinant;
}
