/**
 * Ground that is not level: the character goes up and down with the lower of its feet, and the other legs bend to stand on
 * what is higher. Poses come from level ground, so that only the difference in height is added.
 */
import { exp } from '@pelt/math';
import type { ContactLimb } from './contacts.ts';

/** Time constants in seconds with which the body, and a foot, follow the ground: a step is climbed, not jumped. */
const BODY_FOLLOWS = 0.12;
const FOOT_FOLLOWS = 0.04;

/** Height of the ground above the level one at a place. */
export type GroundHeight = (x: number, z: number) => number;

export class UnevenGround {
  readonly #limbs: readonly ContactLimb[];
  readonly #ground: GroundHeight;
  /** Height under each foot, which follows the ground. */
  readonly #under: Float64Array;
  readonly #point = new Float64Array(3);
  readonly #shift = new Float64Array(3);
  #rise = 0;
  #started = false;

  constructor(limbs: readonly ContactLimb[], ground: GroundHeight) {
    this.#limbs = limbs;
    this.#ground = ground;
    this.#under = new Float64Array(limbs.length);
  }

  reset(): void {
    this.#started = false;
  }

  /**
   * @param seconds     since the last frame
   * @param transforms  m × 12; updated in place
   */
  apply(seconds: number, transforms: Float64Array): void {
    if (this.#limbs.length === 0) return;
    const [body, foot] = this.#started ? [1 - exp(-seconds / BODY_FOLLOWS), 1 - exp(-seconds / FOOT_FOLLOWS)] : [1, 1];
    this.#started = true;
    let lowest = Number.POSITIVE_INFINITY;
    for (let k = 0; k < this.#limbs.length; k++) {
      this.#limbs[k].soles[0](transforms, this.#point);
      const height = this.#ground(this.#point[0], this.#point[2]);
      if (Number.isFinite(height)) this.#under[k] += foot * (height - this.#under[k]);
      lowest = Math.min(lowest, this.#under[k]);
    }
    this.#rise += body * (lowest - this.#rise);
    for (let k = 7; k < transforms.length; k += 12) transforms[k] += this.#rise;
    for (let k = 0; k < this.#limbs.length; k++) {
      this.#shift[1] = this.#under[k] - this.#rise;
      if (Math.abs(this.#shift[1]) > 0) this.#limbs[k].limb.reach(transforms, this.#shift);
    }
  }
}
