/**
 * Eases a character back after joints of the performer were lost: the pose does not jump to where the performer is by then.
 *
 * Inertialisation: at the moment of the return, the difference of the last pose from the new one is taken, as the rotation
 * of every bone relative to its parent and the position of the roots, and added to the poses that follow, fading. The motion
 * goes on underneath, and nothing is mixed that would be out of step.
 *
 * Reference: Bollo. Inertialization: high-performance animation transitions in Gears of War. GDC 2018.
 */
import {
  adjugate3,
  distance3,
  linearPart,
  multiply3,
  polarDecomposition,
  rotate3,
  rotationLog,
  setIdentity3,
} from '@pelt/math';
import type { Bone } from '@pelt/model';
import { posedOrigin } from './local-pose.ts';
import { axisRotation } from './subtree.ts';

/** Largest mean speed of a bone on its way back, in heights of the character per second. */
const FASTEST = 0.6;
/** Least time in seconds, and difference in heights below which there is nothing to ease. */
const SHORTEST = 0.1;
const ALIKE = 0.005;

export class PoseEasing {
  readonly #bones: readonly Bone[];
  readonly #height: number;
  /** m × 12: the last pose */
  readonly #last: Float64Array;
  /** m × 3: logarithms of the rotations that are left */
  readonly #turns: Float64Array;
  /** m × 3: shifts that are left, of roots */
  readonly #shifts: Float64Array;
  /** Seconds that are left, and seconds in all. */
  readonly #time = new Float64Array(2);
  #hasLast = false;
  readonly #origins: Float64Array;
  readonly #linear = new Float64Array(9);
  readonly #inverse = new Float64Array(9);
  readonly #rotation = new Float64Array(9);
  readonly #offset = new Float64Array(3);
  readonly #turned = new Float64Array(3);

  constructor(bones: readonly Bone[], height: number) {
    this.#bones = bones;
    this.#height = height;
    this.#last = new Float64Array(12 * bones.length);
    this.#turns = new Float64Array(3 * bones.length);
    this.#shifts = new Float64Array(3 * bones.length);
    this.#origins = new Float64Array(6 * bones.length);
  }

  reset(): void {
    this.#hasLast = false;
    this.#time.fill(0);
  }

  /**
   * @param seconds     since the last frame
   * @param returned    whether joints that were lost are tracked again
   * @param transforms  m × 12; updated in place
   */
  apply(seconds: number, returned: boolean, transforms: Float64Array): void {
    if (returned && this.#hasLast) this.#start(transforms);
    const time = this.#time;
    if (time[0] > 0) {
      time[0] = Math.max(0, time[0] - seconds);
      const left = time[0] / time[1];
      this.#offsetBy(left * left * (3 - 2 * left), transforms);
    }
    this.#last.set(transforms);
    this.#hasLast = true;
  }

  /** Takes the difference of the last pose from this one. */
  #start(transforms: Float64Array): void {
    const bones = this.#bones;
    const [from, to] = [new Float64Array(3), new Float64Array(3)];
    let farthest = 0;
    bones.forEach((bone, j) => {
      posedOrigin(bone, this.#last, 12 * j, from);
      posedOrigin(bone, transforms, 12 * j, to);
      farthest = Math.max(farthest, distance3(from, 0, to, 0) / this.#height);
      for (let r = 0; r < 3; r++) this.#shifts[3 * j + r] = bone.parent < 0 ? from[r] - to[r] : 0;
      const [last, now] = [this.#last, transforms].map((pose) => localRotation(pose, j, bone.parent));
      const turn = new Float64Array(9);
      for (let k = 0; k < 9; k++) {
        for (let e = 0; e < 3; e++) turn[k] += last[3 * Math.floor(k / 3) + e] * now[3 * (k % 3) + e];
      }
      rotationLog(turn, 0, this.#turns, 3 * j);
    });
    this.#time.fill(farthest > ALIKE ? Math.max(SHORTEST, farthest / FASTEST) : 0);
  }

  /** Adds a share of the difference to a pose. */
  #offsetBy(share: number, transforms: Float64Array): void {
    const bones = this.#bones;
    const m = bones.length;
    const origins = this.#origins;
    for (let j = 0; j < m; j++) posedOrigin(bones[j], transforms, 12 * j, origins, 3 * (m + j));
    const last = this.#last;
    for (let j = 0; j < m; j++) {
      const { parent, rest } = bones[j];
      const x = this.#turns[3 * j];
      const y = this.#turns[3 * j + 1];
      const z = this.#turns[3 * j + 2];
      const angle = Math.sqrt(x * x + y * y + z * z);
      if (angle > 0) axisRotation(x / angle, y / angle, z / angle, share * angle, this.#rotation);
      else setIdentity3(this.#rotation, 0);
      linearPart(transforms, 12 * j, this.#linear, 0);
      if (parent < 0) {
        multiply3(this.#rotation, 0, this.#linear, 0, this.#linear, 0);
        for (let r = 0; r < 3; r++) origins[3 * j + r] = origins[3 * (m + j) + r] + share * this.#shifts[3 * j + r];
      } else {
        // With A the pose, B the eased one and T the turn: B = B(parent) T A(parent)⁻¹ A.
        const determinant = adjugate3(transforms, 12 * parent, this.#inverse, 0, 4);
        if (determinant === 0) setIdentity3(this.#inverse, 0);
        else for (let k = 0; k < 9; k++) this.#inverse[k] /= determinant;
        for (let r = 0; r < 3; r++) this.#offset[r] = origins[3 * (m + j) + r] - origins[3 * (m + parent) + r];
        rotate3(this.#inverse, 0, this.#offset, 0, this.#turned, 0);
        multiply3(this.#inverse, 0, this.#linear, 0, this.#linear, 0);
        multiply3(this.#rotation, 0, this.#linear, 0, this.#linear, 0);
        linearPart(last, 12 * parent, this.#inverse, 0);
        multiply3(this.#inverse, 0, this.#linear, 0, this.#linear, 0);
        rotate3(this.#inverse, 0, this.#turned, 0, this.#offset, 0);
        for (let r = 0; r < 3; r++) origins[3 * j + r] = origins[3 * parent + r] + this.#offset[r];
      }
      for (let r = 0; r < 3; r++) {
        const row = 12 * j + 4 * r;
        for (let c = 0; c < 3; c++) last[row + c] = this.#linear[3 * r + c];
        last[row + 3] = origins[3 * j + r] - last[row] * rest[3] - last[row + 1] * rest[7] - last[row + 2] * rest[11];
      }
    }
    transforms.set(last);
  }
}

/** Rotation of a bone relative to its parent, without stretch. */
function localRotation(pose: Float64Array, j: number, parent: number): Float64Array {
  const linear = new Float64Array(9);
  linearPart(pose, 12 * j, linear, 0);
  if (parent >= 0) {
    const inverse = new Float64Array(9);
    const determinant = adjugate3(pose, 12 * parent, inverse, 0, 4);
    if (determinant !== 0) {
      for (let k = 0; k < 9; k++) inverse[k] /= determinant;
      multiply3(inverse, 0, linear, 0, linear, 0);
    }
  }
  const rotation = new Float64Array(9);
  polarDecomposition(linear, 0, rotation, 0, new Float64Array(9), 0);
  return rotation;
}
