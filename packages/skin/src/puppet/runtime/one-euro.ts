/**
 * 1€ filter for the joints of a live body: steady at rest, without lag in fast motion.
 *
 * Reference: Casiez, Roussel, Vogel. 1€ filter: a simple speed-based low-pass filter for noisy input in interactive
 * systems. CHI 2012. A first-order low-pass filter lags τ = 1/(2π cutoff) seconds behind a steady motion; the cutoff grows
 * with the speed from its minimum, whose τ is therefore an upper bound of the lag: the option `delay`. The three
 * coordinates of a joint share one cutoff, by its speed in space, so that the result does not depend on the axes.
 *
 * A joint that is lost moves with the trunk, by the mean motion of the trunk's joints, so that a lost arm or hip is not left
 * behind in space.
 */
import type { SmoothingOptions } from '../options.ts';
import { LOST_CONFIDENCE } from './lost.ts';

/** Time constant of the speed's filter: a cutoff of 1 Hz, as in the paper. */
const SPEED_DELAY = 1 / (2 * Math.PI);

export class JointFilter {
  /** J × 3 smoothed positions */
  readonly positions: Float64Array;
  /** J: 1 once a joint has been seen */
  readonly seen: Uint8Array;
  /** J: 1 while a joint is lost */
  readonly lost: Uint8Array;
  /** J × 3 raw positions */
  readonly #raw: Float64Array;
  readonly #velocities: Float64Array;
  /** J: time of the last frame with the joint, in seconds */
  readonly #lastSeen: Float64Array;
  /** J: index of each joint in the input of `update` */
  readonly #source: Int32Array;
  /** J: 1 for a joint of the trunk */
  readonly #trunk: Uint8Array;
  /** J × 3: positions in the last frame */
  readonly #before: Float64Array;
  /** J: 1 for a joint that is tracked in this frame and was in the last */
  readonly #steady: Uint8Array;
  readonly #delay: number;
  readonly #speedCoefficient: number;

  /** Whether the last update found a joint that had been lost. */
  returned = false;

  /**
   * @param source  J: index of each joint in the input of `update`
   * @param trunk   J: 1 for a joint of the trunk
   */
  constructor(source: Int32Array, options: SmoothingOptions, trunk?: Uint8Array) {
    const joints = source.length;
    this.positions = new Float64Array(joints * 3);
    this.seen = new Uint8Array(joints);
    this.lost = new Uint8Array(joints);
    this.#before = new Float64Array(joints * 3);
    this.#steady = new Uint8Array(joints);
    this.#raw = new Float64Array(joints * 3);
    this.#velocities = new Float64Array(joints * 3);
    this.#lastSeen = new Float64Array(joints);
    this.#source = source;
    this.#trunk = trunk ?? new Uint8Array(joints);
    this.#delay = options.delay;
    this.#speedCoefficient = options.speedCoefficient;
  }

  reset(): void {
    this.seen.fill(0);
    this.lost.fill(0);
    this.returned = false;
    this.positions.fill(0);
    this.#velocities.fill(0);
  }

  /**
   * Advances all joints by one frame; those that are lost or not finite move with the trunk.
   *
   * @param joints      3 numbers per joint
   * @param confidence  one number per joint; by default all are trusted
   * @param time        in seconds
   * @param unit        the performer's size, in units of the positions per metre
   */
  update(
    joints: Float32Array | Float64Array,
    confidence: Float32Array | Float64Array | undefined,
    time: number,
    unit: number,
  ): void {
    // One loop without a call per joint, since numbers that are passed to calls may be boxed.
    const { positions: p, seen, lost } = this;
    const v = this.#velocities;
    const raw = this.#raw;
    this.#before.set(p);
    this.returned = false;
    for (let j = 0; j < this.#source.length; j++) {
      const from = this.#source[j];
      const at = 3 * j;
      const x = joints[3 * from];
      const y = joints[3 * from + 1];
      const z = joints[3 * from + 2];
      const known = confidence === undefined || confidence[from] >= LOST_CONFIDENCE;
      const wasTracked = lost[j] === 0 && seen[j] === 1;
      lost[j] = known && Number.isFinite(x + y + z) ? 0 : 1;
      this.#steady[j] = wasTracked && lost[j] === 0 ? 1 : 0;
      if (lost[j] === 1) continue;
      if (!wasTracked && seen[j] === 1) this.returned = true;
      const seconds = time - this.#lastSeen[j];
      this.#lastSeen[j] = time;
      if (seen[j] === 0 || this.#delay === 0 || !(seconds > 0)) {
        seen[j] = 1;
        p[at] = raw[at] = x;
        p[at + 1] = raw[at + 1] = y;
        p[at + 2] = raw[at + 2] = z;
        continue;
      }
      const a = seconds / (seconds + SPEED_DELAY);
      v[at] += a * ((x - raw[at]) / seconds - v[at]);
      v[at + 1] += a * ((y - raw[at + 1]) / seconds - v[at + 1]);
      v[at + 2] += a * ((z - raw[at + 2]) / seconds - v[at + 2]);
      raw[at] = x;
      raw[at + 1] = y;
      raw[at + 2] = z;
      const speed = Math.sqrt(v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2]) / unit;
      const delay = 1 / (1 / this.#delay + 2 * Math.PI * this.#speedCoefficient * speed);
      const b = seconds / (seconds + delay);
      p[at] += b * (x - p[at]);
      p[at + 1] += b * (y - p[at + 1]);
      p[at + 2] += b * (z - p[at + 2]);
    }
    this.#carryLost();
  }

  /** Moves lost joints by the mean motion of the trunk's joints, or of all where none of these is tracked. */
  #carryLost(): void {
    const { positions: p, lost, seen } = this;
    const J = lost.length;
    let trunk = 0;
    let all = 0;
    for (let j = 0; j < J; j++) {
      if (this.#steady[j] === 0) continue;
      all++;
      trunk += this.#trunk[j];
    }
    if (all === 0 || all === J) return;
    for (let k = 0; k < 3; k++) {
      let sum = 0;
      for (let j = 0; j < J; j++) {
        if (this.#steady[j] === 0 || (trunk > 0 && this.#trunk[j] === 0)) continue;
        sum += p[3 * j + k] - this.#before[3 * j + k];
      }
      const mean = sum / (trunk > 0 ? trunk : all);
      for (let j = 0; j < J; j++) if (lost[j] === 1 && seen[j] === 1) p[3 * j + k] += mean;
    }
  }
}
