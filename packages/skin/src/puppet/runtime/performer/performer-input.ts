/**
 * What comes before a puppet's filters: a performer's joints, turned upright and forward, freed of what a camera gets wrong.
 */
import { atan2 } from '@pelt/math';
import type { Motion } from '@pelt/model';
import { axisRotation, shortestRotation } from '../subtree.ts';
import { BodyPrior } from './body-prior.ts';
import type { PerformerCalibration } from './calibrate-performer.ts';

/** Largest correction of a leg that looks bent while its owner stands straight, in radians. */
const LARGEST_CORRECTION = 0.6;
/** Cosine of the angle from how a segment stood, from which on it is no longer corrected. */
const UNCORRECTED = 0.5;

/** What is known of a performer beforehand. */
export interface PerformerKnowledge {
  readonly calibration: PerformerCalibration | undefined;
  /** Whether joints are corrected by what is known of any body. */
  readonly prior: boolean;
  readonly camera: Motion['camera'] | undefined;
}

/** Correction of a segment of a leg: what it carries turns about its upper joint. */
interface LegCorrection {
  readonly from: number;
  readonly carried: Int32Array;
  /** 3: how it stood, a unit vector */
  readonly stood: Float64Array;
  /** 3: axis of the rotation to straight down; 1: its angle */
  readonly turn: Float64Array;
}

export class PerformerInput {
  /** J × 3 */
  readonly positions: Float64Array;
  /** J */
  readonly confidence: Float64Array;
  readonly #rotation: Float64Array | undefined;
  readonly #prior: BodyPrior | undefined;
  readonly #legs: readonly LegCorrection[];
  readonly #matrix = new Float64Array(9);
  readonly #vector = new Float64Array(3);

  /** @param joints  J names */
  constructor(joints: readonly string[], { calibration, prior, camera }: PerformerKnowledge) {
    this.positions = new Float64Array(3 * joints.length);
    this.confidence = new Float64Array(joints.length);
    this.#rotation = calibration?.rotation;
    const sight = camera === 'picture' ? (calibration?.sight ?? Float64Array.of(0, 0, 1)) : undefined;
    this.#prior = prior ? new BodyPrior({ joints, lengths: calibration?.lengths, sight }) : undefined;
    this.#legs = calibration?.straight ? legCorrections(joints, calibration.neutral) : [];
  }

  reset(): void {
    this.#prior?.reset();
  }

  /** Overwrites `positions` and `confidence`. */
  update(
    joints: Float32Array | Float64Array,
    confidence: Float32Array | Float64Array | undefined,
    seconds: number,
  ): void {
    const p = this.positions;
    const R = this.#rotation;
    for (let k = 0; k < p.length; k += 3) {
      const x = joints[k];
      const y = joints[k + 1];
      const z = joints[k + 2];
      p[k] = R ? R[0] * x + R[1] * y + R[2] * z : x;
      p[k + 1] = R ? R[3] * x + R[4] * y + R[5] * z : y;
      p[k + 2] = R ? R[6] * x + R[7] * y + R[8] * z : z;
    }
    for (let j = 0; j < this.confidence.length; j++) this.confidence[j] = confidence ? confidence[j] : 1;
    for (let k = 0; k < this.#legs.length; k++) this.#correct(this.#legs[k]);
    this.#prior?.apply(p, this.confidence, seconds);
  }

  #correct({ from, carried, stood, turn }: LegCorrection): void {
    const p = this.positions;
    const v = this.#vector;
    for (let r = 0; r < 3; r++) v[r] = p[3 * carried[0] + r] - p[3 * from + r];
    const length = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (!(length > 0)) return;
    // As it stood all of it; half way to horizontal nothing.
    const cosine = (v[0] * stood[0] + v[1] * stood[1] + v[2] * stood[2]) / length;
    const part = Math.min(1, Math.max(0, (cosine - UNCORRECTED) / (1 - UNCORRECTED)));
    if (part === 0) return;
    const R = this.#matrix;
    axisRotation(turn[0], turn[1], turn[2], turn[3] * part * part * (3 - 2 * part), R);
    for (let k = 0; k < carried.length; k++) {
      const at = 3 * carried[k];
      for (let r = 0; r < 3; r++) v[r] = p[at + r] - p[3 * from + r];
      for (let r = 0; r < 3; r++) {
        p[at + r] = p[3 * from + r] + R[3 * r] * v[0] + R[3 * r + 1] * v[1] + R[3 * r + 2] * v[2];
      }
    }
  }
}

/** From how thighs and shins stood to straight down, hips first. */
function legCorrections(joints: readonly string[], neutral: Float64Array): LegCorrection[] {
  const down = Float64Array.of(0, -1, 0);
  return ['left', 'right'].flatMap((side) => {
    const index = (place: string) => joints.indexOf(side + place);
    const chain = ['Hip', 'Knee', 'Ankle'].map(index);
    if (chain.includes(-1)) return [];
    const below = ['Knee', 'Ankle', 'Heel', 'Toes'].map(index).filter((j) => j >= 0);
    return [0, 1].map((k) => {
      const stood = unit(neutral, chain[k], chain[k + 1]);
      const rotation = new Float64Array(9);
      shortestRotation(stood, down, LARGEST_CORRECTION, rotation);
      return { from: chain[k], carried: Int32Array.from(below.slice(k)), stood, turn: axisAngle(rotation) };
    });
  });
}

function unit(p: Float64Array, from: number, to: number): Float64Array {
  const v = Float64Array.from([0, 1, 2], (k) => p[3 * to + k] - p[3 * from + k]);
  const length = Math.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2);
  return length > 0 ? v.map((value) => value / length) : Float64Array.of(0, -1, 0);
}

/** Axis and angle of a rotation of less than a half turn. */
function axisAngle(R: Float64Array): Float64Array {
  const v = [R[7] - R[5], R[2] - R[6], R[3] - R[1]];
  const sine = Math.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2);
  const angle = atan2(sine, R[0] + R[4] + R[8] - 1);
  return sine > 0 ? Float64Array.of(v[0] / sine, v[1] / sine, v[2] / sine, angle) : Float64Array.of(1, 0, 0, 0);
}
