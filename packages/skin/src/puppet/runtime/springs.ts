/**
 * Secondary motion of loose parts (ears, tails, bellies): a point of each loose bone is attached by a damped spring to its
 * position in the pose, and the bone rotates to follow it.
 *
 * Each step solves y″ + 2ζω y′ + ω² y = 0 exactly for the displacement y, so that it is stable for every frame rate and
 * stiffness. Sun (2017, §6.2) leaves secondary motion as future work.
 */
import { cos, exp, length3, rotate3, sin, transformPoint } from '@pelt/math';
import type { Bone } from '@pelt/model';
import type { SpringOptions } from '../options.ts';
import { posedOrigin } from './local-pose.ts';
import { shortestRotation, subtreeOf, turnInPlace } from './subtree.ts';

/** Largest rotation of a bone out of its pose, in radians. */
const WIDEST_SWING = 1.2;

export class Springs {
  readonly #options: SpringOptions;
  readonly #loose: readonly { readonly bone: number; readonly subtree: Int32Array }[];
  readonly #bones: readonly Bone[];
  /** 3 per loose bone, at rest */
  readonly #tips: Float64Array;
  readonly #positions: Float64Array;
  readonly #velocities: Float64Array;
  #started = false;
  readonly #joint = new Float64Array(3);
  readonly #from = new Float64Array(3);
  readonly #to = new Float64Array(3);
  readonly #rotation = new Float64Array(9);
  readonly #still = new Float64Array(3);

  /**
   * @param loose  sorted indices of loose bones: parents come before their children
   * @param tips   3 per loose bone: the point that the spring is attached to, at rest, in model space
   */
  constructor(bones: readonly Bone[], loose: readonly number[], tips: Float64Array, options: SpringOptions) {
    this.#options = options;
    this.#bones = bones;
    const parents = Int32Array.from(bones, ({ parent }) => parent);
    this.#loose = loose.map((bone) => ({ bone, subtree: subtreeOf(parents, bone) }));
    this.#tips = tips;
    this.#positions = new Float64Array(tips.length);
    this.#velocities = new Float64Array(tips.length);
  }

  /** The next frame starts without motion. */
  reset(): void {
    this.#started = false;
  }

  /**
   * @param seconds     since the last frame
   * @param transforms  m × 12; updated in place
   */
  apply(seconds: number, transforms: Float64Array): void {
    for (let k = 0; k < this.#loose.length; k++) this.#swing(k, seconds, transforms);
    this.#started = true;
  }

  #swing(k: number, seconds: number, transforms: Float64Array): void {
    const { bone, subtree } = this.#loose[k];
    const joint = this.#joint;
    const from = this.#from;
    const to = this.#to;
    posedOrigin(this.#bones[bone], transforms, 12 * bone, joint);
    transformPoint(transforms, 12 * bone, this.#tips[3 * k], this.#tips[3 * k + 1], this.#tips[3 * k + 2], from, 0);
    for (let r = 0; r < 3; r++) {
      const tip = from[r];
      from[r] -= joint[r];
      if (!this.#started) {
        this.#positions[3 * k + r] = tip;
        this.#velocities[3 * k + r] = 0;
      } else if (seconds > 0) this.#step(3 * k + r, tip, seconds);
      to[r] = this.#positions[3 * k + r] - joint[r];
    }
    if (length3(from, 0) === 0 || length3(to, 0) === 0 || !this.#started) return;
    shortestRotation(from, to, WIDEST_SWING, this.#rotation);
    turnInPlace(transforms, subtree, this.#rotation, joint, 0, this.#still);
    // The bone does not stretch: the point returns to the sphere around the joint.
    rotate3(this.#rotation, 0, from, 0, to, 0);
    for (let r = 0; r < 3; r++) this.#positions[3 * k + r] = joint[r] + to[r];
  }

  /** One coordinate of the exact solution of the underdamped spring. */
  #step(at: number, target: number, seconds: number): void {
    const omega = 2 * Math.PI * this.#options.frequency;
    const decay = this.#options.damping * omega;
    const swing = omega * Math.sqrt(1 - this.#options.damping ** 2);
    const y = this.#positions[at] - target;
    const v = this.#velocities[at];
    const e = exp(-decay * seconds);
    const c = cos(swing * seconds);
    const s = sin(swing * seconds);
    const b = (v + decay * y) / swing;
    this.#positions[at] = target + e * (y * c + b * s);
    this.#velocities[at] = e * (v * c - ((omega * omega * y + decay * v) / swing) * s);
  }
}
