/**
 * Where a humanoid is: its hips travel as the performer's do, scaled by the lengths of the legs, and its ankles are as high
 * above the floor, so that feet which stay on the performer's floor stay on the character's.
 *
 * Heights are those of the ankles, since soles differ, and since trackers do not keep the lengths of legs: the lower foot
 * decides. Travel is accumulated from frame to frame, so that a change of the measured scale moves nothing.
 */
import { distance3, exp } from '@pelt/math';
import type { HumanoidRest } from './humanoid-rest.ts';

/** Time constant in seconds of the floor's adaptation to a step, a slope or a tilted sensor. */
const FLOOR_FOLLOWS = 3;
/** Time constant in seconds of the measured lengths of the legs. */
const LENGTH_FOLLOWS = 1;
/** Height of ankles above the lowest joint, and length of a leg, of a person of 1.75 m who was not calibrated. */
const USUAL_ANKLE = 0.06;
const USUAL_LEG = 0.85;
/** Difference in height of the feet, in metres, at which the lower one has e times the weight. */
const LOWER_FOOT = 0.04;

export class Placement {
  /** 3: midpoint of the character's hips */
  readonly hips = new Float64Array(3);
  readonly #rest: HumanoidRest;
  readonly #ground: number;
  readonly #travel: number;
  /** Hip, knee, ankle of each leg; empty unless there are two. */
  readonly #legs: readonly (readonly number[])[];
  /** 2: heights at which the character's ankles belong; 2: their weights */
  readonly #ankles = new Float64Array(4);
  /** 3: the performer's hips in the last frame */
  readonly #last = new Float64Array(3);
  /** Floor, leg length, ankle height: in an array, since changing numbers in fields may be boxed. */
  readonly #measures = new Float64Array(3);
  #started = false;
  #calibrated = false;

  /**
   * @param joints  names in the order of the positions
   * @param ground  height of the character's floor
   * @param travel  scale of the horizontal travel
   */
  constructor(joints: readonly string[], rest: HumanoidRest, ground: number, travel: number) {
    this.#rest = rest;
    this.#ground = ground;
    this.#travel = travel;
    const legs = ['left', 'right'].map((side) => ['Hip', 'Knee', 'Ankle'].map((place) => joints.indexOf(side + place)));
    this.#legs = legs.flat().every((j) => j >= 0) ? legs : [];
  }

  /** Takes a pose for standing upright on the floor. */
  calibrate(positions: ArrayLike<number>): void {
    const floor = lowestOf(positions);
    this.#measures[0] = floor;
    const length = this.#legLength(positions, undefined);
    if (length > 0) this.#measures[1] = length;
    let ankles = 0;
    for (const leg of this.#legs) ankles += (positions[3 * leg[2] + 1] - floor) / this.#legs.length;
    this.#measures[2] = ankles;
    this.#calibrated = this.#legs.length > 0 && length > 0;
  }

  reset(): void {
    this.#started = false;
  }

  /**
   * @param positions  J × 3
   * @param lost       J: 1 where a joint is not tracked
   * @param hips       3: midpoint of the performer's hips
   * @param size       units of the positions per metre of a person of 1.75 m
   * @param world      9: from the performer's axes to the character's
   * @param seconds    since the last frame
   */
  update(
    positions: Float64Array,
    lost: Uint8Array,
    hips: Float64Array,
    size: number,
    world: Float64Array,
    seconds: number,
  ): void {
    const { hips: out } = this;
    const measures = this.#measures;
    const lowest = lowestOf(positions);
    const length = this.#legLength(positions, lost);
    if (!this.#started) {
      if (!this.#calibrated) {
        measures[0] = lowest;
        measures[1] = length > 0 ? length : USUAL_LEG * size;
        measures[2] = USUAL_ANKLE * size;
      }
      this.#last.set(hips);
      out.set(this.#rest.hips);
      this.#started = true;
    }
    measures[0] = Math.min(lowest, measures[0] + (lowest - measures[0]) * Math.min(1, seconds / FLOOR_FOLLOWS));
    if (length > 0) measures[1] += (length - measures[1]) * Math.min(1, seconds / LENGTH_FOLLOWS);

    const scale = this.#rest.legLength / measures[1];
    const x = this.#travel * scale * (hips[0] - this.#last[0]);
    const z = this.#travel * scale * (hips[2] - this.#last[2]);
    out[0] += world[0] * x + world[2] * z;
    out[1] = this.#rest.ankles + scale * (hips[1] - measures[0] - measures[2]);
    out[2] += world[6] * x + world[8] * z;
    this.#placeAnkles(positions, scale, LOWER_FOOT * size);
    // A performer below the floor, by an error of the tracker, does not pull the character under it.
    if (out[1] < this.#ground) out[1] = this.#ground;
    this.#last.set(hips);
  }

  /**
   * How much higher the character belongs, for where its ankles are.
   *
   * @param left   height of its left ankle
   * @param right  height of its right ankle
   */
  rise(left: number, right: number): number {
    const a = this.#ankles;
    if (this.#legs.length === 0) return 0;
    return (a[2] * (a[0] - left) + a[3] * (a[1] - right)) / (a[2] + a[3]);
  }

  #placeAnkles(positions: Float64Array, scale: number, softness: number): void {
    if (this.#legs.length === 0) return;
    const a = this.#ankles;
    const left = positions[3 * this.#legs[0][2] + 1];
    const right = positions[3 * this.#legs[1][2] + 1];
    const above = this.#measures[0] + this.#measures[2];
    a[0] = this.#rest.ankles + scale * (left - above);
    a[1] = this.#rest.ankles + scale * (right - above);
    a[2] = exp((Math.min(left, right) - left) / softness);
    a[3] = exp((Math.min(left, right) - right) / softness);
  }

  /** Mean length of the legs that are tracked; 0 where none is. */
  #legLength(positions: ArrayLike<number>, lost: Uint8Array | undefined): number {
    let sum = 0;
    let count = 0;
    for (let k = 0; k < this.#legs.length; k++) {
      const leg = this.#legs[k];
      if (lost !== undefined && (lost[leg[0]] !== 0 || lost[leg[1]] !== 0 || lost[leg[2]] !== 0)) continue;
      sum += distance3(positions, 3 * leg[0], positions, 3 * leg[1]);
      sum += distance3(positions, 3 * leg[1], positions, 3 * leg[2]);
      count++;
    }
    return count > 0 ? sum / count : 0;
  }
}

function lowestOf(positions: ArrayLike<number>): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (let k = 1; k < positions.length; k += 3) if (positions[k] < lowest) lowest = positions[k];
  return lowest;
}
