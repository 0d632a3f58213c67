/**
 * Position, heading and size of a performer: what is factored out of a pose.
 *
 * Reference: Sun. Example-based approach for real-time rigged character animation. 2017, §4.3 and §4.6: translation and
 * one angle, that of the spine. The angle here is the twist about +Y of a frame of the trunk: the lines through both hips
 * and both shoulders together, since these counter-rotate in a walk and their sum does not, and the line between. Unlike
 * the direction of these lines it does not flip in a cartwheel. A trunk that leans is part of the pose; one that lies or
 * stands on its head is not: from 50° to 90° the lean becomes part of the global motion, as a rotation of the whole body. The size is the sum of the limb lengths relative to a person of
 * 1.75 m, so that it does not depend on the pose, and lengths are in that person's metres.
 */
import {
  acos,
  atan2,
  cos,
  distance3,
  length3,
  quaternionFromRotation,
  rotationFromQuaternion,
  setIdentity3,
  sin,
  slerp,
} from '@pelt/math';
import { setFrame } from './humanoid/frames.ts';

/** Stature of the person in whose metres performers are measured. */
export const USUAL_STATURE = 1.75;

/** From, to, and length in metres of a person of 1.75 m. */
const LIMBS: readonly (readonly [string, string, number])[] = [
  ['leftShoulder', 'leftElbow', 0.29],
  ['leftElbow', 'leftWrist', 0.26],
  ['rightShoulder', 'rightElbow', 0.29],
  ['rightElbow', 'rightWrist', 0.26],
  ['leftHip', 'leftKnee', 0.43],
  ['leftKnee', 'leftAnkle', 0.42],
  ['rightHip', 'rightKnee', 0.43],
  ['rightKnee', 'rightAnkle', 0.42],
];
/** Length of the trunk, which bends, and is measured only where no limb is visible. */
const TRUNK = 0.5;

/** Least length of a line with a direction, in metres. */
const SHORTEST_LINE = 0.02;

/** Square of the cosine of half the lean below which a trunk has no heading: a lean of 130°. */
const LEAST_TWIST = 0.18;
/** Leans in radians at which the trunk's rotation begins to be that of the whole body, and is. */
const LEANS = (50 * Math.PI) / 180;
const COSINE_LEANS = cos(LEANS);
const LIES = Math.PI / 2;
const UPWARDS = [0, 1, 0];
const NO_ROTATION = [0, 0, 0, 1];

export class BodyFrame {
  /** Centre of the pelvis. */
  readonly origin = new Float64Array(3);
  /** Angle around +Y from facing +Z, in radians, unwrapped: it exceeds 2π after a second turn to the left. */
  heading = 0;
  /** Units of the positions per metre of a person of 1.75 m. */
  size = 1;
  /** Height of the lowest joint. */
  lowest = 0;
  /** Whether the body as a whole is rotated: it lies, or stands on its head. */
  isTilted = false;
  /** 9: rotation of the whole body in the axes of its heading; the identity while it is upright. */
  readonly tilt = new Float64Array([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  /** Orthonormal rows: left, up, front, by heading and tilt. */
  readonly bodyAxes = new Float64Array([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  /** Orthonormal rows: left, up, front of the chest, with its lean and twist. */
  readonly chestAxes = new Float64Array([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  /** Midpoint of the shoulders. */
  readonly chestOrigin = new Float64Array(3);

  readonly #joints: number;
  readonly #hips: Line;
  readonly #shoulders: Line;
  /** Lower end of the line from the spine to the shoulders; −1 for the pelvis. */
  readonly #spine: number;
  readonly #limbs: Int32Array;
  readonly #limbLengths: Float64Array;
  /** Last measured length of each limb; 0 before. */
  readonly #measuredLengths: Float64Array;
  readonly #trunk = new Float64Array(9);
  readonly #left = new Float64Array(3);
  readonly #up = new Float64Array(3);
  readonly #quaternion = new Float64Array(4);
  #measured = false;
  #sized = false;

  /** @param joints  names in the order of the positions */
  constructor(joints: readonly string[]) {
    const index = (name: string) => joints.indexOf(name);
    this.#joints = joints.length;
    this.#hips = new Line(index('leftHip'), index('rightHip'), index('hips'));
    this.#shoulders = new Line(index('leftShoulder'), index('rightShoulder'), Math.max(index('chest'), index('neck')));
    this.#spine = index('spine');
    const present = LIMBS.filter(([from, to]) => index(from) >= 0 && index(to) >= 0);
    this.#limbs = Int32Array.from(present.flatMap(([from, to]) => [index(from), index(to)]));
    this.#limbLengths = Float64Array.from(present, (limb) => limb[2]);
    this.#measuredLengths = new Float64Array(present.length);
  }

  /** Discards the last heading, from which the next one is unwrapped. */
  reset(): void {
    this.#measured = false;
    this.heading = 0;
    this.#measuredLengths.fill(0);
  }

  /**
   * Measures one pose. What a pose does not determine, such as the heading of a person who lies on the side, keeps its
   * last value.
   *
   * @param positions  J × 3
   * @param seen       J: 0 for a joint without a position yet; by default all have one
   * @param lost       J: 1 for a joint that is not tracked now; by default none
   */
  measure(positions: Float32Array | Float64Array, seen?: Uint8Array, lost?: Uint8Array): void {
    this.#hips.measure(positions);
    this.#shoulders.measure(positions);
    this.#measureSize(positions, seen, lost);
    this.#measureOrigin(positions);
    this.#measureHeading();
    this.#measureChest(positions, seen);
    this.#measured = true;
  }

  /** Whether the hips and shoulders, if there are any, have been seen: a pose has no position without them. */
  isPlaced(seen: Uint8Array): boolean {
    return this.#hips.isSeen(seen) && this.#shoulders.isSeen(seen);
  }

  #measureSize(positions: Float32Array | Float64Array, seen?: Uint8Array, lost?: Uint8Array): void {
    let length = 0;
    let usual = 0;
    for (let k = 0; k < this.#limbs.length; k += 2) {
      const a = this.#limbs[k];
      const b = this.#limbs[k + 1];
      // A limb with a lost joint keeps the length that was measured while it was tracked.
      const isTracked = (seen === undefined || (seen[a] !== 0 && seen[b] !== 0)) && lost?.[a] !== 1 && lost?.[b] !== 1;
      if (isTracked) this.#measuredLengths[k >> 1] = distance3(positions, 3 * a, positions, 3 * b);
      if (this.#measuredLengths[k >> 1] === 0) continue;
      usual += this.#limbLengths[k >> 1];
      length += this.#measuredLengths[k >> 1];
    }
    if (length > 0) this.size = length / usual;
    else if (this.#hips.known && this.#shoulders.known) {
      const trunk = distance3(this.#hips.middle, 0, this.#shoulders.middle, 0);
      if (trunk > 0) this.size = trunk / TRUNK;
    }
    // Without joints of a body there are no limbs: the size of the first pose is used for all.
    else if (this.#limbs.length === 0 && !this.#sized) this.size = spread(positions, this.#joints);
    this.#sized = true;
  }

  #measureOrigin(positions: Float32Array | Float64Array): void {
    const { origin } = this;
    if (this.#hips.known) origin.set(this.#hips.middle);
    else {
      origin.fill(0);
      for (let k = 0; k < 3 * this.#joints; k++) origin[k % 3] += positions[k] / this.#joints;
    }
    this.chestOrigin.set(this.#shoulders.known ? this.#shoulders.middle : origin);
    let lowest = Number.POSITIVE_INFINITY;
    for (let j = 0; j < this.#joints; j++) if (positions[3 * j + 1] < lowest) lowest = positions[3 * j + 1];
    this.lowest = lowest;
  }

  /** The angle that takes +X, the left of a person facing +Z, to the performer's left; and the tilt. */
  #measureHeading(): void {
    const trunk = this.#trunk;
    const left = this.#left;
    const up = this.#up;
    for (let k = 0; k < 3; k++) {
      left[k] = this.#hips.left[k] + this.#shoulders.left[k];
      up[k] = this.chestOrigin[k] - this.origin[k];
    }
    const shortest = SHORTEST_LINE * this.size;
    const isUpright = !(length3(up, 0) > shortest);
    if (isUpright) up.set(UPWARDS);
    if (length3(left, 0) > shortest && setFrame(up, 0, left, 0, trunk, 0)) {
      // Columns up, left, −front.
      const sine = -trunk[2] - trunk[7];
      const cosine = trunk[1] - trunk[8];
      // Twice the cosine of half the lean, squared: 0 for a person upside down, who has no heading.
      if (sine * sine + cosine * cosine > (2 * LEAST_TWIST) ** 2) {
        const angle = atan2(sine, cosine);
        const turns = this.#measured ? Math.round((this.heading - angle) / (2 * Math.PI)) : 0;
        this.heading = angle + 2 * Math.PI * turns;
      }
    }
    const c = cos(this.heading);
    const s = sin(this.heading);
    this.isTilted = !isUpright && trunk[3] < COSINE_LEANS;
    if (this.isTilted) this.#measureTilt(c, s);
    else setIdentity3(this.tilt, 0);
    const axes = this.bodyAxes;
    const tilt = this.tilt;
    for (let k = 0; k < 3; k++) {
      axes[3 * k] = c * tilt[k] + s * tilt[6 + k];
      axes[3 * k + 1] = tilt[3 + k];
      axes[3 * k + 2] = -s * tilt[k] + c * tilt[6 + k];
    }
  }

  /** A share of the trunk's rotation from the heading. */
  #measureTilt(c: number, s: number): void {
    const trunk = this.#trunk;
    const tilt = this.tilt;
    const lean = acos(Math.min(1, Math.max(-1, trunk[3])));
    const part = Math.min(1, Math.max(0, (lean - LEANS) / (LIES - LEANS)));
    const share = part * part * (3 - 2 * part);
    // Ry(−heading) times the trunk's frame with columns left, up, front.
    for (let k = 0; k < 3; k++) {
      const column = k === 0 ? 1 : k === 1 ? 0 : 2;
      const sign = k === 2 ? -1 : 1;
      const x = sign * trunk[column];
      const y = sign * trunk[3 + column];
      const z = sign * trunk[6 + column];
      tilt[k] = c * x - s * z;
      tilt[3 + k] = y;
      tilt[6 + k] = s * x + c * z;
    }
    quaternionFromRotation(tilt, 0, this.#quaternion, 0);
    slerp(NO_ROTATION, 0, this.#quaternion, 0, share, this.#quaternion, 0);
    rotationFromQuaternion(this.#quaternion, 0, tilt, 0);
  }

  #measureChest(positions: Float32Array | Float64Array, seen: Uint8Array | undefined): void {
    const axes = this.chestAxes;
    const shortest = SHORTEST_LINE * this.size;
    const hasSpine = this.#spine >= 0 && (seen === undefined || seen[this.#spine] !== 0);
    const below = hasSpine ? positions : this.origin;
    const at = hasSpine ? 3 * this.#spine : 0;
    let ux = this.chestOrigin[0] - below[at];
    let uy = this.chestOrigin[1] - below[at + 1];
    let uz = this.chestOrigin[2] - below[at + 2];
    const up = Math.sqrt(ux * ux + uy * uy + uz * uz);
    let lx = this.#shoulders.left[0];
    let ly = this.#shoulders.left[1];
    let lz = this.#shoulders.left[2];
    if (up > shortest) {
      ux /= up;
      uy /= up;
      uz /= up;
      const along = lx * ux + ly * uy + lz * uz;
      lx -= along * ux;
      ly -= along * uy;
      lz -= along * uz;
    }
    const left = Math.sqrt(lx * lx + ly * ly + lz * lz);
    if (!(up > shortest && left > shortest)) {
      // The chest is undetermined: use the axes of the body.
      axes.set(this.bodyAxes);
      return;
    }
    lx /= left;
    ly /= left;
    lz /= left;
    axes[0] = lx;
    axes[1] = ly;
    axes[2] = lz;
    axes[3] = ux;
    axes[4] = uy;
    axes[5] = uz;
    axes[6] = ly * uz - lz * uy;
    axes[7] = lz * ux - lx * uz;
    axes[8] = lx * uy - ly * ux;
  }
}

/** The line between a left and a right joint, or the joint between where they are unknown. */
class Line {
  readonly middle = new Float64Array(3);
  /** From right to left. */
  readonly left = new Float64Array(3);
  readonly known: boolean;
  readonly #l: number;
  readonly #r: number;

  constructor(left: number, right: number, between: number) {
    const both = left >= 0 && right >= 0;
    this.#l = both ? left : between;
    this.#r = both ? right : between;
    this.known = this.#l >= 0;
  }

  isSeen(seen: Uint8Array): boolean {
    return !this.known || (seen[this.#l] !== 0 && seen[this.#r] !== 0);
  }

  measure(positions: Float32Array | Float64Array): void {
    if (!this.known) return;
    for (let k = 0; k < 3; k++) {
      const l = positions[3 * this.#l + k];
      const r = positions[3 * this.#r + k];
      this.middle[k] = (l + r) / 2;
      this.left[k] = l - r;
    }
  }
}

/** RMS distance of the joints from their mean; 1 where they coincide. */
function spread(positions: Float32Array | Float64Array, joints: number): number {
  let total = 0;
  for (let axis = 0; axis < 3; axis++) {
    let mean = 0;
    for (let j = 0; j < joints; j++) mean += positions[3 * j + axis] / joints;
    for (let j = 0; j < joints; j++) total += (positions[3 * j + axis] - mean) ** 2 / joints;
  }
  return total > 0 ? Math.sqrt(total) : 1;
}
