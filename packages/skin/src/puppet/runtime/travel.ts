/**
 * Transfers the performer's global motion to the character: it starts at its rest position, follows the performer's
 * translation and heading, rotated and scaled, turns over with the performer, and leaves the ground when the performer does.
 * Travel is accumulated from frame to frame, so that a change of the measured size moves nothing.
 *
 * Reference: Sun. Example-based approach for real-time rigged character animation. 2017, §4.6: a translation and one
 * angle. The paper uses the height of the pelvis; here it is that of the lowest joint, since a crouch, which lowers the
 * pelvis, is part of the pose, while in a jump all joints leave the floor.
 */
import { atan2, cos, linearPart, multiply3, sin, transposed3 } from '@pelt/math';
import type { Bone } from '@pelt/model';
import type { BodyFrame } from './body-frame.ts';
import { posedOrigin } from './local-pose.ts';
import { axisRotation, turnInPlace } from './subtree.ts';

export interface TravelOptions {
  /** Units of the character per metre of the performer (of 1.75 m). */
  readonly scale: number;
  readonly turn: boolean;
  /** Whether it turns over with the performer too; true by default. */
  readonly tilt?: boolean;
  /** Heading of the performer that corresponds to the character's front; absent: the first. */
  readonly facing?: number | undefined;
}

/** Least height of a jump in metres, above the noise of trackers. */
const LOWEST_JUMP = 0.05;
/** Time constant in seconds of the floor's adaptation to a step, a slope or a tilted sensor. */
const FLOOR_FOLLOWS = 3;

export class Travel {
  readonly #options: TravelOptions;
  readonly #all: Int32Array;
  readonly #pivot: Float64Array;
  readonly #root: Bone;
  /** 3: the performer in the last frame */
  readonly #last = new Float64Array(3);
  /** 3: travel so far, in the performer's axes */
  readonly #travelled = new Float64Array(3);
  readonly #origin = new Float64Array(3);
  readonly #still = new Float64Array(3);
  #startHeading = 0;
  #floor = 0;
  #started = false;
  readonly #rotation = new Float64Array(9);
  readonly #shift = new Float64Array(3);

  /**
   * @param bones  m
   * @param pivot  3: the centre of rotation, the root at rest
   */
  constructor(bones: readonly Bone[], pivot: Float64Array, options: TravelOptions) {
    this.#options = options;
    this.#all = Int32Array.from(bones.keys());
    this.#root = bones[0];
    this.#pivot = pivot;
  }

  /** The next frame starts at the rest position. */
  reset(): void {
    this.#started = false;
  }

  /**
   * Removes from a pose of a pair what `apply` adds for the tilt of its performer. A body that is upside down has no heading
   * of its own: it is turned so that the root is as nearly as possible as in the neutral pose.
   */
  withoutTilt(frame: BodyFrame, transforms: Float64Array, neutral: Float64Array): Float64Array {
    const out = Float64Array.from(transforms);
    if (!this.#options.turn || !frame.isTilted) return out;
    const [root, first] = [new Float64Array(9), new Float64Array(9)];
    linearPart(out, 0, root, 0);
    linearPart(neutral, 0, first, 0);
    // The angle θ that maximises the trace of neutralᵀ tiltᵀ Ry(θ) root = Ry(θ) M, with M = root neutralᵀ tiltᵀ.
    multiply3(root, 0, transposed3(first), 0, root, 0);
    multiply3(root, 0, transposed3(frame.tilt), 0, root, 0);
    axisRotation(0, 1, 0, atan2(root[6] - root[2], root[0] + root[8]), this.#rotation);
    multiply3(transposed3(frame.tilt), 0, this.#rotation, 0, this.#rotation, 0);
    posedOrigin(this.#root, out, 0, this.#origin);
    turnInPlace(out, this.#all, this.#rotation, this.#origin, 0, this.#still);
    return out;
  }

  /**
   * @param seconds     since the last frame
   * @param transforms  m × 12; updated in place
   */
  apply(frame: BodyFrame, seconds: number, transforms: Float64Array): void {
    if (!this.#started) {
      this.#last.set(frame.origin);
      this.#travelled.fill(0);
      this.#startHeading = this.#options.facing ?? frame.heading;
      this.#floor = frame.lowest;
      this.#started = true;
    }
    const { scale, turn, tilt = true } = this.#options;
    if (scale === 0 && !turn) return;
    this.#floor = Math.min(
      frame.lowest,
      this.#floor + (frame.lowest - this.#floor) * Math.min(1, seconds / FLOOR_FOLLOWS),
    );

    if (turn && tilt && frame.isTilted) {
      posedOrigin(this.#root, transforms, 0, this.#origin);
      turnInPlace(transforms, this.#all, frame.tilt, this.#origin, 0, this.#still);
    }
    const c = cos(this.#startHeading);
    const s = sin(this.#startHeading);
    const factor = scale / frame.size;
    for (let r = 0; r < 3; r++) {
      this.#travelled[r] += (frame.origin[r] - this.#last[r]) * factor;
      this.#last[r] = frame.origin[r];
    }
    const x = this.#travelled[0];
    const z = this.#travelled[2];
    // The initial heading of the performer corresponds to the character's front.
    this.#shift[0] = c * x - s * z;
    this.#shift[1] = Math.max(0, (frame.lowest - this.#floor) / frame.size - LOWEST_JUMP) * scale;
    this.#shift[2] = s * x + c * z;
    axisRotation(0, 1, 0, turn ? frame.heading - this.#startHeading : 0, this.#rotation);
    turnInPlace(transforms, this.#all, this.#rotation, this.#pivot, 0, this.#shift);
  }
}
