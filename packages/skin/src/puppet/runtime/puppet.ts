/**
 * Puppetry: a body drives a character through a few registered pairs of poses.
 *
 * A new pose of the performer is expressed by the performer's registered poses (projection), and the character's poses
 * are put together with the same weights (interpolation); global motion is kept out of the one and added to the other.
 *
 * Reference: Sun. Example-based approach for real-time rigged character animation. 2017, algorithm 1.
 *
 * All memory is allocated when the puppet is registered; an update allocates nothing.
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

/** Height of the person in whose metres performers are measured. */
const USUAL_STATURE = 1.75;

/** Joints that pairs and performer must share at least, for a pose to be told from another. */
const FEWEST_JOINTS = 3;

/**
 * Learns a puppet.
 *
 * @param character  whom to move
 * @param pairs      what it has learnt; its poses are of this character's bones
 * @param performer  names of the joints that `update` will be given, in order
 */
export function register(
  character: Rig,
  pairs: Registration,
  performer: readonly string[],
  options?: Partial<PuppetOptions>,
): Puppet {
  validateRig(character);
  validateRegistration(pairs, character.bones.length);
  return new Puppet(character, pairs, performer, resolveOptions('register', PUPPET_DEFAULTS, options));
}

export class Puppet {
  /** Names of the parts that are projected apart. */
  readonly parts: readonly string[];
  /** Names of the joints that are compared: those that the pairs and the performer both have. */
  readonly joints: readonly string[];
  /** P × N: the weights of the last update, part by part. */
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

  /** Use `register`, which checks what it is given. */
  constructor(character: Rig, registration: Registration, performer: readonly string[], options: PuppetOptions) {
    checkOptions(options);
    const common = registration.joints.filter((name) => performer.includes(name));
    if (common.length < FEWEST_JOINTS) {
      throw new InputError(
        `register: pairs and performer share ${common.length} joints, too few; the pairs have ` +
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
    if (options.contacts !== 'none') {
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

  /** Forgets the performance so far: the next update starts a new one, with the character where it rests. */
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
   * The character's pose for weights that are given by hand, in place.
   *
   * @param weights  P × N, part by part
   * @returns the same object as `update`, overwritten
   */
  blend(weights: Float64Array): Pose {
    if (weights.length !== this.weights.length) {
      throw new UsageError(`puppet: ${weights.length} weights, expected ${this.parts.length} × ${this.#pairCount}`);
    }
    this.weights.set(weights);
    this.#interpolation.interpolate(this.weights, this.#pose.transforms);
    return this.#pose;
  }

  /**
   * The character's pose for a pose of the performer. Joints that are lost or not finite are held where they were last
   * seen; until hips and shoulders have been seen the character keeps its neutral pose.
   *
   * @param joints      J × 3, of the joints the puppet was registered for
   * @param time        seconds; does not run backwards
   * @param confidence  J, 0 to 1; absent: all joints are trusted
   * @returns the same object in every call, overwritten by the next
   */
  update(joints: Float32Array | Float64Array, time: number, confidence?: Float32Array | Float64Array): Pose {
    if (joints.length !== 3 * this.#jointCount) {
      throw new UsageError(`puppet: ${joints.length} joint numbers, expected 3 × ${this.#jointCount}`);
    }
    const seconds = Number.isNaN(this.#time) ? 0 : time - this.#time;
    if (!(seconds >= 0 && Number.isFinite(time))) {
      throw new UsageError(`puppet: time ${time} does not follow ${this.#time}; reset() starts a new performance`);
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
  const { lambda, ridge, delay, quickening, travel, looseFrequency, looseDamping } = options;
  const numbers = { lambda, ridge, delay, quickening, travel, looseFrequency };
  for (const [name, value] of Object.entries(numbers)) {
    if (!(value >= 0 && Number.isFinite(value))) throw new UsageError(`register: ${name} is ${value}; it is 0 or more`);
  }
  if (!(ridge > 0))
    throw new UsageError('register: ridge is 0; without any, poses that are alike cannot be told apart');
  if (!(looseDamping > 0 && looseDamping < 1)) {
    throw new UsageError(`register: looseDamping is ${looseDamping}; it is above 0 and below 1`);
  }
}
