/**
 * Transfers the performer's global motion to the character: it starts at its rest position, follows the performer's
 * translation and heading, rotated and scaled, and leaves the ground when the performer does.
 *
 * Reference: Sun. Example-based approach for real-time rigged character animation. 2017, §4.6: a translation and one
 * angle. The paper uses the height of the pelvis; here it is that of the lowest joint, since a crouch, which lowers the
 * pelvis, is part of the pose, while in a jump all joints leave the floor.
 */
import { cos, sin } from '@pelt/math';
import type { BodyFrame } from './body-frame.ts';
import { axisRotation, turnInPlace } from './subtree.ts';

export interface TravelOptions {
  /** Units of the character per metre of the performer (of 1.75 m). */
  readonly scale: number;
  readonly turn: boolean;
}

/** Least height of a jump in metres, above the noise of trackers. */
const LOWEST_JUMP = 0.05;
/** Time constant in seconds of the floor's adaptation to a step, a slope or a tilted sensor. */
const FLOOR_FOLLOWS = 3;

export class Travel {
  readonly #options: TravelOptions;
  readonly #all: Int32Array;
  readonly #pivot: Float64Array;
  readonly #start = new Float64Array(3);
  #startHeading = 0;
  #floor = 0;
  #started = false;
  readonly #rotation = new Float64Array(9);
  readonly #shift = new Float64Array(3);

  /**
   * @param bones  m
   * @param pivot  3: the centre of rotation, the root at rest
   */
  constructor(bones: number, pivot: Float64Array, options: TravelOptions) {
    this.#options = options;
    this.#all = Int32Array.from({ length: bones }, (_, j) => j);
    this.#pivot = pivot;
  }

  /** The next frame starts at the rest position. */
  reset(): void {
    this.#started = false;
  }

  /**
   * @param seconds     since the last frame
   * @param transforms  m × 12; updated in place
   */
  apply(frame: BodyFrame, seconds: number, transforms: Float64Array): void {
    if (!this.#started) {
      this.#start.set(frame.origin);
      this.#startHeading = frame.heading;
      this.#floor = frame.lowest;
      this.#started = true;
    }
    const { scale, turn } = this.#options;
    if (scale === 0 && !turn) return;
    this.#floor = Math.min(
      frame.lowest,
      this.#floor + (frame.lowest - this.#floor) * Math.min(1, seconds / FLOOR_FOLLOWS),
    );

    const c = cos(this.#startHeading);
    const s = sin(this.#startHeading);
    const factor = scale / frame.size;
    const x = (frame.origin[0] - this.#start[0]) * factor;
    const z = (frame.origin[2] - this.#start[2]) * factor;
    // The initial heading of the performer corresponds to the character's front.
    this.#shift[0] = c * x - s * z;
    this.#shift[1] = Math.max(0, (frame.lowest - this.#floor) / frame.size - LOWEST_JUMP) * scale;
    this.#shift[2] = s * x + c * z;
    axisRotation(0, 1, 0, turn ? frame.heading - this.#startHeading : 0, this.#rotation);
    turnInPlace(transforms, this.#all, this.#rotation, this.#pivot, 0, this.#shift);
  }
}
