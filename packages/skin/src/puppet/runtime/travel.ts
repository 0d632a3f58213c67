/**
 * The performer's global motion on the character: it starts where it rests, goes where the performer goes, turned and
 * scaled, and leaves the ground when the performer does.
 *
 * Reference: Sun. Example-based approach for real-time rigged character animation. 2017, §4.6: a translation and one
 * angle. The height there is the pelvis's; here it is that of the lowest joint, since a crouch lowers the pelvis and is
 * part of the pose already, while in a jump all joints leave the floor.
 */
import { cos, sin } from '@pelt/math';
import type { BodyFrame } from './body-frame.ts';
import { axisRotation, turnInPlace } from './subtree.ts';

export interface TravelOptions {
  /** Character units for a metre of the performer (of 1.75 m). */
  readonly scale: number;
  readonly turn: boolean;
}

/** Metres by which the lowest joint must rise before it counts as a jump: trackers shake. */
const LOWEST_JUMP = 0.05;
/** Seconds in which the floor follows a performer who keeps above it: a step, a slope, a tilted sensor. */
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
   * @param pivot  3, about which the character turns: its root, at rest
   */
  constructor(bones: number, pivot: Float64Array, options: TravelOptions) {
    this.#options = options;
    this.#all = Int32Array.from({ length: bones }, (_, j) => j);
    this.#pivot = pivot;
  }

  /** The next frame starts anew, from where the character rests. */
  reset(): void {
    this.#started = false;
  }

  /**
   * @param seconds     since the last frame
   * @param transforms  m × 12, changed in place
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
    // The way the performer faced at the start is the character's front.
    this.#shift[0] = c * x - s * z;
    this.#shift[1] = Math.max(0, (frame.lowest - this.#floor) / frame.size - LOWEST_JUMP) * scale;
    this.#shift[2] = s * x + c * z;
    axisRotation(0, 1, 0, turn ? frame.heading - this.#startHeading : 0, this.#rotation);
    turnInPlace(transforms, this.#all, this.#rotation, this.#pivot, 0, this.#shift);
  }
}
