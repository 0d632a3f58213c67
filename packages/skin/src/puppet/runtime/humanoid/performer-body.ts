/**
 * Orientations of a performer's pelvis, chest and head from joint positions, relative to standing upright.
 *
 * Joints do not show how a tracker's skeleton stands: the spine of a capture file may lean back by 15° in an upright person.
 * A neutral pose, the performer standing upright, calibrates it: orientations are measured from there. Without one, the
 * line from hips to shoulders is taken to lean as the character's does at rest.
 */
import { atan2, cos, sin } from '@pelt/math';
import { multiplyByTransposed, setFrame } from './frames.ts';

/** The parts of a performer with an orientation of their own; the trunk is what joins hips and shoulders. */
export const PELVIS = 0;
export const CHEST = 1;
export const HEAD = 2;
export const TRUNK = 3;
const PARTS = 4;

const X = [1, 0, 0];

export class PerformerBody {
  /** 4 × 9: rotation of pelvis, chest, head and trunk from a person who stands upright and faces +Z */
  readonly rotations = new Float64Array(9 * PARTS);
  /** 3: midpoint of the hips */
  readonly hips = new Float64Array(3);
  readonly #index: {
    readonly hips: readonly [number, number];
    readonly shoulders: readonly [number, number];
    readonly spine: number;
    readonly neck: number;
    readonly head: number;
    readonly ears: readonly [number, number];
  };
  /** 4 × 9: the frames in the neutral pose */
  readonly #neutral = new Float64Array(9 * PARTS);
  readonly #frames = new Float64Array(9 * PARTS);
  readonly #shoulders = new Float64Array(3);
  readonly #left = new Float64Array(3);
  readonly #up = new Float64Array(3);
  readonly #sum = new Float64Array(3);
  readonly #line = new Float64Array(3);
  #calibrated = false;

  /**
   * @param joints  names in the order of the positions
   * @param trunk   3: from hips to shoulders at rest, in the axes left, up, front
   */
  constructor(joints: readonly string[], trunk: ArrayLike<number>) {
    const index = (name: string) => joints.indexOf(name);
    const pair = (name: string) => [index(`left${name}`), index(`right${name}`)] as const;
    const [hips, shoulders] = [pair('Hip'), pair('Shoulder')];
    const neck = index('neck');
    const tip = index('head tip');
    const head = tip >= 0 ? tip : Math.max(index('head'), index('nose'));
    this.#index = { hips, shoulders, spine: index('spine'), neck, head, ears: pair('Ear') };
    // The lines of hips and shoulders are wide and steady; what is between them and above is not.
    for (const part of [PELVIS, CHEST]) setFrame(X, 0, trunk, 0, this.#neutral, 9 * part);
    for (const part of [HEAD, TRUNK]) setFrame(trunk, 0, X, 0, this.#neutral, 9 * part);
  }

  /** Whether the head has an orientation; else it follows the chest. */
  get hasHead(): boolean {
    return this.#calibrated && this.#index.head >= 0;
  }

  /** Indices of the joints that are measured. */
  get joints(): number[] {
    const { hips, shoulders, spine, neck, head, ears } = this.#index;
    return [...hips, ...shoulders, spine, neck, head, ...ears].filter((j) => j >= 0);
  }

  /**
   * Takes a pose for standing upright, facing anywhere.
   *
   * @param positions  J × 3
   */
  calibrate(positions: ArrayLike<number>): void {
    this.#calibrated = true;
    this.#measureFrames(positions);
    // The heading is removed: the hips' line turns to +X.
    const at = 9 * PELVIS;
    const heading = atan2(-this.#frames[at + 6], this.#frames[at]);
    const turn = Float64Array.of(cos(heading), 0, -sin(heading), 0, 1, 0, sin(heading), 0, cos(heading));
    const frame = new Float64Array(9);
    for (let part = 0; part < PARTS; part++) {
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) {
          let sum = 0;
          for (let k = 0; k < 3; k++) sum += turn[3 * r + k] * this.#frames[9 * part + 3 * k + c];
          frame[3 * r + c] = sum;
        }
      }
      this.#neutral.set(frame, 9 * part);
    }
  }

  /** @param positions  J × 3 */
  measure(positions: ArrayLike<number>): void {
    this.#measureFrames(positions);
    for (let part = 0; part < PARTS; part++) {
      multiplyByTransposed(this.#frames, 9 * part, this.#neutral, 9 * part, this.rotations, 9 * part);
    }
  }

  /** Undetermined frames keep their last value. */
  #measureFrames(positions: ArrayLike<number>): void {
    const { hips, shoulders, spine, neck, head, ears } = this.#index;
    const [left, up] = [this.#left, this.#up];
    middle(positions, hips, this.hips);
    middle(positions, shoulders, this.#shoulders);
    // An uncalibrated spine says little about how the pelvis leans.
    const bends = this.#calibrated && spine >= 0;
    difference(positions, 3 * hips[0], positions, 3 * hips[1], left);
    if (bends) difference(positions, 3 * spine, this.hips, 0, up);
    else difference(this.#shoulders, 0, this.hips, 0, up);
    setFrame(left, 0, up, 0, this.#frames, 9 * PELVIS);

    difference(positions, 3 * shoulders[0], positions, 3 * shoulders[1], left);
    if (bends) difference(this.#shoulders, 0, positions, 3 * spine, up);
    setFrame(left, 0, up, 0, this.#frames, 9 * CHEST);

    // The hips' line and the shoulders' counter-rotate in a walk.
    for (let k = 0; k < 3; k++) {
      this.#sum[k] = left[k] + positions[3 * hips[0] + k] - positions[3 * hips[1] + k];
    }
    difference(this.#shoulders, 0, this.hips, 0, this.#line);
    setFrame(this.#line, 0, this.#sum, 0, this.#frames, 9 * TRUNK);

    if (head < 0) return;
    if (neck >= 0) difference(positions, 3 * head, positions, 3 * neck, up);
    else difference(positions, 3 * head, this.#shoulders, 0, up);
    if (ears[0] >= 0 && ears[1] >= 0) difference(positions, 3 * ears[0], positions, 3 * ears[1], left);
    setFrame(up, 0, left, 0, this.#frames, 9 * HEAD);
  }
}

function middle(positions: ArrayLike<number>, [a, b]: readonly [number, number], out: Float64Array): void {
  for (let k = 0; k < 3; k++) out[k] = (positions[3 * a + k] + positions[3 * b + k]) / 2;
}

/** out = a − b, three numbers each. */
function difference(a: ArrayLike<number>, aAt: number, b: ArrayLike<number>, bAt: number, out: Float64Array): void {
  for (let k = 0; k < 3; k++) out[k] = a[aAt + k] - b[bAt + k];
}
