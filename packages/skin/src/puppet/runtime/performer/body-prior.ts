/**
 * What is known of any body, against the noise of one camera: segments keep their lengths, knees do not bend forwards, and
 * a limb that is hidden does not fly.
 *
 * A camera measures across its line of sight well and along it badly. From the trunk outwards, each joint x takes the place
 * nearest to its measurement m at the distance of its segment's length from the joint p before it, where distances along
 * the line of sight count less:
 *
 *   minimise (x − m)ᵀ W (x − m) subject to |x − p| = l, W = I − (1 − w) d dᵀ, with d the line of sight,
 *
 * a secular equation in one multiplier (`nearestOnSphere`). A limb that is seen badly keeps its last direction beside the
 * trunk in part, a hidden one eases to how it hangs; it returns over a few frames.
 *
 * One pass over two dozen joints: an update allocates nothing.
 */
import { exp } from '@pelt/math';
import { setFrame } from '../humanoid/frames.ts';
import { LOST_CONFIDENCE } from '../lost.ts';
import { nearestOnSphere } from './nearest-on-sphere.ts';
import { SEGMENTS } from './segments.ts';
import { straightenKnee } from './straight-knee.ts';

/** Weight of a deviation along the line of sight: its noise is at least twice that across. */
const ALONG = 1 / 4;
/** Confidence of a joint that is trusted wholly, and the gain of one that is just not lost. */
const TRUSTED = 0.7;
const LEAST_GAIN = 0.4;
/** Time constants in seconds: with which a limb that returns is believed, and with which a hidden one comes to hang. */
const RETURNS_IN = 0.12;
const HANGS_IN = 0.8;
/** Share of a new measurement in the length of a segment that was not calibrated, and the least of it. */
const LEARNS = 0.02;

interface PriorSegment {
  readonly from: number;
  readonly to: number;
  readonly arm: boolean;
  /** 3: last direction in the axes of the trunk */
  readonly direction: Float64Array;
  /** 1: length; 1: gain, 0 to 1 */
  readonly state: Float64Array;
  /** 1 once it has been seen. */
  known: boolean;
}

export interface BodyPriorInput {
  /** Names of the J joints. */
  readonly joints: readonly string[];
  /** Lengths of `SEGMENTS`; 0 where unknown. */
  readonly lengths: Float64Array | undefined;
  /** 3: the line of sight of the camera; undefined where all directions are measured alike */
  readonly sight: Float64Array | undefined;
}

export class BodyPrior {
  readonly #segments: PriorSegment[];
  readonly #knees: readonly (readonly [number, number, number])[];
  readonly #trunkJoints: Int32Array;
  readonly #sight: Float64Array;
  readonly #along: number;
  readonly #frame = new Float64Array(9);
  readonly #up = new Float64Array(3);
  readonly #left = new Float64Array(3);
  readonly #wanted = new Float64Array(3);
  readonly #found = new Float64Array(3);
  #started = false;

  constructor({ joints, lengths, sight }: BodyPriorInput) {
    const index = (name: string) => joints.indexOf(name);
    this.#segments = SEGMENTS.flatMap(({ from, to, arm }, k) => {
      const length = lengths?.[k] ?? 0;
      const ends = { from: index(from), to: index(to) };
      if (ends.from < 0 || ends.to < 0) return [];
      const state = Float64Array.of(length, 1);
      return [{ ...ends, arm, direction: new Float64Array(3), state, known: false }];
    });
    const leg = (side: string) => ['Hip', 'Knee', 'Ankle'].map((place) => index(side + place));
    this.#knees = ['left', 'right'].map(leg).filter((chain) => !chain.includes(-1)) as unknown as [
      number,
      number,
      number,
    ][];
    this.#trunkJoints = Int32Array.from(['leftHip', 'rightHip', 'leftShoulder', 'rightShoulder'], index);
    this.#sight = sight ?? new Float64Array(3);
    this.#along = sight ? ALONG : 1;
  }

  reset(): void {
    this.#started = false;
    for (const segment of this.#segments) {
      segment.known = false;
      segment.state[1] = 1;
    }
  }

  /**
   * @param positions   J × 3; updated in place
   * @param confidence  J; updated in place: joints of limbs that were seen before are not lost
   * @param seconds     since the last frame
   */
  apply(positions: Float64Array, confidence: Float64Array, seconds: number): void {
    if (!this.#measureTrunk(positions, confidence)) return;
    for (let k = 0; k < this.#segments.length; k++) this.#place(this.#segments[k], positions, confidence, seconds);
    for (let k = 0; k < this.#knees.length; k++) straightenKnee(this.#knees[k], positions, this.#left);
    this.#started = true;
  }

  /** Axes of the trunk, from its four corners; false where these are not seen. */
  #measureTrunk(p: Float64Array, confidence: Float64Array): boolean {
    const [lh, rh, ls, rs] = this.#trunkJoints;
    if (lh < 0 || rh < 0 || ls < 0 || rs < 0) return false;
    for (let k = 0; k < 4; k++) if (!(confidence[this.#trunkJoints[k]] >= LOST_CONFIDENCE)) return this.#started;
    for (let r = 0; r < 3; r++) {
      this.#up[r] = p[3 * ls + r] + p[3 * rs + r] - p[3 * lh + r] - p[3 * rh + r];
      this.#left[r] = p[3 * ls + r] - p[3 * rs + r] + p[3 * lh + r] - p[3 * rh + r];
    }
    return setFrame(this.#up, 0, this.#left, 0, this.#frame, 0) || this.#started;
  }

  #place(segment: PriorSegment, p: Float64Array, confidence: Float64Array, seconds: number): void {
    const { direction, state } = segment;
    const [from, to] = [3 * segment.from, 3 * segment.to];
    const sure = confidence[segment.to];
    const isSeen = sure >= LOST_CONFIDENCE && Number.isFinite(p[to] + p[to + 1] + p[to + 2]);
    const isBased = confidence[segment.from] >= LOST_CONFIDENCE;
    if (!isBased || (!isSeen && !segment.known)) return;
    const wanted = this.#wanted;
    const found = this.#found;
    this.#believe(segment, isSeen, sure, seconds);
    if (isSeen) {
      for (let r = 0; r < 3; r++) wanted[r] = p[to + r] - p[from + r];
      this.#learnLength(state, wanted);
    }
    const gain = state[1];
    if (segment.known && gain < 1) {
      if (!isSeen) this.#hang(direction, seconds);
      for (let r = 0; r < 3; r++) {
        const kept =
          this.#frame[3 * r] * direction[0] +
          this.#frame[3 * r + 1] * direction[1] +
          this.#frame[3 * r + 2] * direction[2];
        wanted[r] = isSeen ? gain * wanted[r] + (1 - gain) * state[0] * kept : state[0] * kept;
      }
    }
    nearestOnSphere(wanted, state[0], this.#sight, this.#along, found);
    for (let r = 0; r < 3; r++) p[to + r] = p[from + r] + found[r];
    for (let c = 0; c < 3; c++) {
      direction[c] =
        (this.#frame[c] * found[0] + this.#frame[3 + c] * found[1] + this.#frame[6 + c] * found[2]) / state[0];
    }
    segment.known = true;
    confidence[segment.to] = Math.max(sure, LOST_CONFIDENCE);
  }

  /** The gain falls at once with the confidence, and rises over a few frames. */
  #believe(segment: PriorSegment, isSeen: boolean, sure: number, seconds: number): void {
    const part = Math.min(1, Math.max(0, (sure - LOST_CONFIDENCE) / (TRUSTED - LOST_CONFIDENCE)));
    const wanted = isSeen ? LEAST_GAIN + (1 - LEAST_GAIN) * part : 0;
    const { state } = segment;
    if (!segment.known || wanted <= state[1]) state[1] = segment.known ? wanted : 1;
    else state[1] += (wanted - state[1]) * (1 - exp(-seconds / RETURNS_IN));
  }

  /** A length that was not calibrated follows the measurements, slowly and by the sign of the difference: a median. */
  #learnLength(state: Float64Array, measured: Float64Array): void {
    const length = Math.sqrt(measured[0] * measured[0] + measured[1] * measured[1] + measured[2] * measured[2]);
    if (state[0] === 0) state[0] = length;
    else state[0] *= 1 + Math.max(-LEARNS, Math.min(LEARNS, LEARNS * (length / state[0] - 1)));
  }

  /** A hidden limb sinks to how it hangs from an upright trunk: against the trunk's first axis, up. */
  #hang(direction: Float64Array, seconds: number): void {
    const share = 1 - exp(-seconds / HANGS_IN);
    direction[0] += share * (-1 - direction[0]);
    direction[1] -= share * direction[1];
    direction[2] -= share * direction[2];
    const length = Math.sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
    if (length > 0) for (let r = 0; r < 3; r++) direction[r] /= length;
  }
}
