/**
 * Example-based puppetry: a performer drives a character through a few pairs of poses.
 *
 * A new pose of the performer is expressed by the performer's example poses (projection), and the character's poses are
 * blended with the same weights (interpolation); global motion is removed from the one and added to the other.
 *
 * Reference: Sun. Example-based approach for real-time rigged character animation. 2017, algorithm 1.
 *
 * All memory is allocated when the puppet is created; an update allocates nothing.
 */
import {
  InputError,
  type Pose,
  type Registration,
  type Rig,
  resolveOptions,
  UsageError,
  validateRegistration,
  validateRig,
} from '@pelt/model';
import { PUPPET_DEFAULTS, type PuppetOptions } from '../options.ts';
import { BodyFrame } from './body-frame.ts';
import { CharacterShape } from './character-shape.ts';
import { Contacts } from './contacts.ts';
import type { Projection } from './example-space.ts';
import type { PartFeatures } from './features.ts';
import type { Interpolation } from './interpolate.ts';
import { learnPairs } from './learn-pairs.ts';
import { JointFilter } from './one-euro.ts';
import { Springs } from './springs.ts';
import { Travel } from './travel.ts';

/** Stature of the person in whose metres performers are measured. */
const USUAL_STATURE = 1.75;

/** Least number of joints that pairs and performer must share. */
const FEWEST_JOINTS = 3;

/** What a puppet is made of. */
export interface PuppetData {
  /** The character, m bones. */
  readonly character: Rig;
  /** N pairs of a pose of the performer and a pose of the character. */
  readonly pairs: Registration;
  /** Names of the J joints that `update` gets, in order. */
  readonly performer: readonly string[];
}

/**
 * Creates a puppet: a character that follows a performer through pairs of poses.
 *
 * @example
 * {@includeCode ../../../examples/create-puppet.ts}
 */
export function createPuppet(data: PuppetData, options?: Partial<PuppetOptions>): Puppet {
  validateRig(data.character);
  validateRegistration(data.pairs, data.character.bones.length);
  return new Puppet(data, resolveOptions('createPuppet', PUPPET_DEFAULTS, options));
}

/** A character that follows a performer; an update allocates nothing. */
export class Puppet {
  /** Names of the P parts that are projected independently. */
  readonly parts: readonly string[];
  /** Names of the joints that are compared: those that the pairs and the performer share. */
  readonly joints: readonly string[];
  /** P × N weights of the last update, one row per part. */
  readonly weights: Float64Array;

  readonly #jointCount: number;
  readonly #filter: JointFilter;
  readonly #frame: BodyFrame;
  readonly #learnt: readonly {
    readonly encoder: PartFeatures;
    readonly projection: Projection;
    /** Pairs that are examples of this part. */
    readonly pairs: Int32Array;
    readonly features: Float64Array;
    readonly neutral: Float64Array;
    readonly weights: Float64Array;
  }[];
  readonly #pairCount: number;
  readonly #neutral: number;
  readonly #interpolation: Interpolation;
  readonly #travel: Travel;
  readonly #contacts: Contacts | undefined;
  readonly #springs: Springs | undefined;
  readonly #pose: Pose;
  #time = Number.NaN;

  constructor({ character, pairs: registration, performer }: PuppetData, options: PuppetOptions) {
    checkOptions(options);
    const common = registration.joints.filter((name) => performer.includes(name));
    if (common.length < FEWEST_JOINTS) {
      throw new InputError(
        `createPuppet: pairs and performer share ${common.length} joints, too few; the pairs have ` +
          `${registration.joints.join(', ')}; the performer has ${performer.join(', ')}`,
      );
    }
    this.#jointCount = performer.length;
    const source = Int32Array.from(common, (name) => performer.indexOf(name));
    this.#filter = new JointFilter(source, options);
    this.#frame = new BodyFrame(common);

    const learnt = learnPairs(character.bones, registration, common, this.#frame, options);
    this.#pairCount = registration.pairs.length;
    this.#neutral = registration.neutral;
    this.joints = learnt.joints.map((j) => common[j]);
    this.parts = learnt.parts.map(({ encoder }) => encoder.part.name);
    this.#learnt = learnt.parts.map((entry) => ({
      ...entry,
      features: Float64Array.from(entry.neutral),
      weights: new Float64Array(entry.pairs.length),
    }));
    this.#interpolation = learnt.interpolation;
    this.weights = new Float64Array(this.parts.length * this.#pairCount);

    const poses = registration.pairs.map((pair) => pair.character.transforms);
    const shape = new CharacterShape(character, [poses[registration.neutral], ...poses]);
    const scale = (options.travel * shape.height) / USUAL_STATURE;
    this.#travel = new Travel(character.bones.length, shape.pivot(), { scale, turn: options.turn });
    if (options.contacts) {
      const points = shape.contactPoints(options.contacts);
      this.#contacts = new Contacts(character.bones, points, shape.floor, shape.height);
    }
    if (options.loose.length > 0) {
      const loose = shape.looseBones(options.loose);
      this.#springs = new Springs(character.bones, loose, shape.tips(loose), {
        frequency: options.looseFrequency,
        damping: options.looseDamping,
      });
    }
    this.#pose = { transforms: new Float64Array(character.bones.length * 12) };
    this.reset();
  }

  /** Starts a new performance: the character returns to its rest position. */
  reset(): void {
    this.#time = Number.NaN;
    this.#filter.reset();
    this.#frame.reset();
    this.#travel.reset();
    this.#contacts?.reset();
    this.#springs?.reset();
    for (const { projection, features, neutral } of this.#learnt) {
      projection.reset();
      features.set(neutral);
    }
  }

  /**
   * The character's pose for given weights.
   *
   * @param weights  P × N, one row per part
   * @returns the same object as `update`, overwritten
   */
  blend(weights: Float64Array): Pose {
    if (weights.length !== this.weights.length) {
      throw new UsageError(
        `blend: ${weights.length} weights; give ${this.parts.length} × ${this.#pairCount}, for each part and pair`,
      );
    }
    this.weights.set(weights);
    this.#interpolation.interpolate(this.weights, this.#pose.transforms);
    return this.#pose;
  }

  /**
   * The character's pose for a pose of the performer. Joints that are lost or not finite keep their last position; until
   * hips and shoulders have been seen the character keeps its neutral pose.
   *
   * @param joints      J × 3 positions
   * @param time        in seconds, not decreasing
   * @param confidence  J, 0 to 1; by default all joints are trusted
   * @returns the same object every time, overwritten by the next call
   */
  update(joints: Float32Array | Float64Array, time: number, confidence?: Float32Array | Float64Array): Pose {
    if (joints.length !== 3 * this.#jointCount) {
      throw new UsageError(`update: ${joints.length} numbers; give 3 for each of the ${this.#jointCount} joints`);
    }
    const seconds = Number.isNaN(this.#time) ? 0 : time - this.#time;
    if (!(seconds >= 0 && Number.isFinite(time))) {
      throw new UsageError(`update: time ${time} does not follow ${this.#time}; reset() starts a new performance`);
    }
    this.#time = time;
    this.#filter.update(joints, confidence, time, this.#frame.size);
    const { transforms } = this.#pose;
    const placed = this.#frame.isPlaced(this.#filter.seen);
    if (placed) this.#frame.measure(this.#filter.positions, this.#filter.seen);
    this.#project(placed);
    this.#interpolation.interpolate(this.weights, transforms);
    if (placed) this.#travel.apply(this.#frame, seconds, transforms);
    this.#contacts?.apply(seconds, transforms);
    this.#springs?.apply(seconds, transforms);
    return this.#pose;
  }

  #project(placed: boolean): void {
    const N = this.#pairCount;
    this.weights.fill(0);
    for (let p = 0; p < this.#learnt.length; p++) {
      const { encoder, projection, pairs, features, weights } = this.#learnt[p];
      if (!placed) {
        this.weights[p * N + this.#neutral] = 1;
        continue;
      }
      encoder.encode(this.#filter.positions, this.#frame, this.#filter.lost, features);
      projection.project(features, weights);
      for (let k = 0; k < pairs.length; k++) this.weights[p * N + pairs[k]] = weights[k];
    }
  }
}

function checkOptions(options: PuppetOptions): void {
  const { lambda, ridge, delay, speedCoefficient, travel, looseFrequency, looseDamping } = options;
  const numbers = { lambda, ridge, delay, speedCoefficient, travel, looseFrequency };
  for (const [name, value] of Object.entries(numbers)) {
    if (!(value >= 0 && Number.isFinite(value))) {
      throw new UsageError(`createPuppet: ${name} is ${value}; give a number from 0 on`);
    }
  }
  if (!(ridge > 0))
    throw new UsageError('createPuppet: ridge is 0; give a number above 0, which separates similar poses');
  if (!(looseDamping > 0 && looseDamping < 1)) {
    throw new UsageError(`createPuppet: looseDamping is ${looseDamping}; give a number above 0 and below 1`);
  }
}
