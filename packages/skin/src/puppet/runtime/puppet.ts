/**
 * Puppetry: a performer drives a character, through a few pairs of poses, directly where the character is a humanoid, or
 * directly with pairs that add style.
 *
 * Reference: Sun. Example-based approach for real-time rigged character animation. 2017, for pairs.
 *
 * All memory is allocated when the puppet is created; an update allocates nothing.
 */
import {
  InputError,
  type Pose,
  type Registration,
  resolveOptions,
  UsageError,
  validateRegistration,
  validateRig,
} from '@pelt/model';
import { PUPPET_DEFAULTS, type PuppetOptions } from '../options.ts';
import { BodyFrame } from './body-frame.ts';
import { CharacterShape } from './character-shape.ts';
import { contactLimbs, shapeLimbs } from './contact-limbs.ts';
import { Contacts } from './contacts.ts';
import type { Humanoid } from './humanoid/humanoid.ts';
import { measureRest } from './humanoid/humanoid-rest.ts';
import { restTransforms } from './local-pose.ts';
import { makePoseSource, type PuppetData } from './make-pose-source.ts';
import { JointFilter } from './one-euro.ts';
import { PerformerInput } from './performer/performer-input.ts';
import { PoseEasing } from './pose-easing.ts';
import type { Performance, PoseSource } from './pose-source.ts';
import { SelfContact } from './self-contact/self-contact.ts';
import { Springs } from './springs.ts';
import { UnevenGround } from './uneven-ground.ts';

/** Least number of joints that pairs and performer must share. */
const FEWEST_JOINTS = 3;

/**
 * Creates a puppet: a character that follows a performer through pairs of poses.
 *
 * @example
 * {@includeCode ../../../examples/create-puppet.ts}
 */
export function createPuppet(data: PuppetData, options?: Partial<PuppetOptions>): Puppet {
  validateRig(data.character);
  if (data.pairs) validateRegistration(data.pairs, data.character.bones.length);
  const resolved = resolveOptions('createPuppet', PUPPET_DEFAULTS, options);
  // Shapes are not extrapolated unless it is asked for: far from the examples they are nobody's.
  const projection = options?.projection ?? (data.space ? 'positive' : resolved.projection);
  return new Puppet(data, { ...resolved, projection });
}

/** A character that follows a performer; an update allocates nothing. */
export class Puppet {
  /** Names of the P parts that are projected independently; none without pairs. */
  readonly parts: readonly string[];
  /** Names of the performer's joints that are used. */
  readonly joints: readonly string[];
  /** P × N weights of the last update, one row per part. */
  readonly weights: Float64Array;
  /** The human body that was recognised in the character; undefined where it is driven by pairs alone. */
  readonly humanoid: Humanoid | undefined;
  /** Names of the bones that are planted while they touch the ground. */
  readonly feet: readonly string[];

  readonly #jointCount: number;
  readonly #performance: Performance;
  /** Absent where joints are taken as they are. */
  readonly #input: PerformerInput | undefined;
  readonly #source: PoseSource;
  readonly #easing: PoseEasing;
  readonly #contacts: Contacts | undefined;
  readonly #springs: Springs | undefined;
  readonly #selfContact: SelfContact | undefined;
  readonly #ground: UnevenGround | undefined;
  readonly #pose: Pose;
  readonly #restAfter: number;
  /** J: 1 for a joint that is tracked now */
  readonly #tracked: Uint8Array;
  /** Seconds without hips or shoulders. */
  #away = 0;
  #time = Number.NaN;

  constructor(data: PuppetData, options: PuppetOptions) {
    checkOptions(options);
    const { character, pairs, performer, calibration, camera } = data;
    const prior = options.prior ?? camera !== undefined;
    if (calibration || prior) this.#input = new PerformerInput(performer, { calibration, prior, camera });
    const common = pairs ? sharedJoints(pairs, performer) : performer;
    this.#jointCount = performer.length;
    const source = Int32Array.from(common, (name) => performer.indexOf(name));
    const frame = new BodyFrame(common);
    this.#performance = { filter: new JointFilter(source, options, trunkOf(common)), frame, placed: false };
    const poses = pairs?.pairs.map((pair) => pair.character.transforms) ?? [];
    const shape = new CharacterShape(
      character,
      pairs ? [poses[pairs.neutral], ...poses] : [restTransforms(character.bones.length)],
    );
    const made = makePoseSource(data, common, shape, frame, options);
    this.humanoid = made.humanoid;
    this.#source = made.source;
    this.parts = this.#source.parts;
    this.joints = this.#source.joints;
    this.weights = this.#source.weights;

    this.#easing = new PoseEasing(character.bones, shape.height);
    const limbs = data.space
      ? shapeLimbs(data.space, options.contacts)
      : contactLimbs(character.bones, shape, this.humanoid, poses, options);
    this.feet = limbs.map(({ name }) => name);
    if (limbs.length > 0) {
      this.#contacts = new Contacts(limbs, shape.floor, shape.height, this.humanoid === undefined);
    }
    if (data.ground) this.#ground = new UnevenGround(limbs, data.ground);
    if (this.humanoid && data.capsules) {
      this.#selfContact = new SelfContact({
        bones: character.bones,
        humanoid: this.humanoid,
        rest: measureRest(character.bones, this.humanoid, (bone) => shape.tips([bone])),
        capsules: data.capsules,
        height: shape.height,
        hands: [handJoint(common, 'left'), handJoint(common, 'right')],
      });
    }
    if (options.loose.length > 0) {
      const loose = shape.looseBones(options.loose);
      this.#springs = new Springs(character.bones, loose, shape.tips(loose), {
        frequency: options.looseFrequency,
        damping: options.looseDamping,
      });
    }
    this.#restAfter = options.restAfter ?? Number.POSITIVE_INFINITY;
    this.#tracked = new Uint8Array(common.length);
    this.#pose = { transforms: new Float64Array(character.bones.length * 12) };
    this.reset();
  }

  /** Whether the performer is away, and the character at rest or on its way there. */
  get isResting(): boolean {
    return !this.#performance.placed;
  }

  /** Starts a new performance: the character returns to its rest position. */
  reset(): void {
    this.#time = Number.NaN;
    this.#away = 0;
    this.#input?.reset();
    this.#performance.filter.reset();
    this.#performance.frame.reset();
    this.#performance.placed = false;
    this.#source.reset();
    this.#easing.reset();
    this.#contacts?.reset();
    this.#ground?.reset();
    this.#selfContact?.reset();
    this.#springs?.reset();
  }

  /**
   * The character's pose for given weights.
   *
   * @param weights  P × N, one row per part
   * @returns the same object as `update`, overwritten
   */
  blend(weights: Float64Array): Pose {
    if (weights.length !== this.weights.length) {
      throw new UsageError(`blend: ${weights.length} weights; give ${this.weights.length}, one for each part and pair`);
    }
    this.weights.set(weights);
    this.#source.blend(this.#pose.transforms);
    return this.#pose;
  }

  /**
   * The character's pose for a pose of the performer. Joints that are lost or not finite move with the trunk, and the
   * character eases back when they return; until hips and shoulders have been seen it keeps its neutral pose, to which it
   * returns when they are lost for longer than `restAfter`.
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
    const performance = this.#performance;
    const { filter, frame } = performance;
    const input = this.#input;
    input?.update(joints, confidence, seconds);
    filter.update(input?.positions ?? joints, input?.confidence ?? confidence, time, frame.size);
    const { transforms } = this.#pose;
    const before = performance.placed;
    performance.placed = frame.isPlaced(filter.seen) && this.#isThere(seconds);
    if (performance.placed) frame.measure(filter.positions, filter.seen, filter.lost);
    this.#source.update(performance, seconds, transforms);
    const starts = performance.placed && (filter.returned || !before);
    const ends = before && !performance.placed;
    this.#easing.apply(seconds, starts || ends, transforms);
    this.#selfContact?.partLegs(transforms);
    this.#contacts?.apply(seconds, transforms);
    this.#ground?.apply(seconds, transforms);
    this.#selfContact?.moveArms(filter.positions, filter.lost, frame.size, transforms);
    this.#springs?.apply(seconds, transforms);
    return this.#pose;
  }

  /** Whether hips and shoulders are tracked, or were not long ago. */
  #isThere(seconds: number): boolean {
    const { filter, frame } = this.#performance;
    const tracked = this.#tracked;
    for (let j = 0; j < tracked.length; j++) tracked[j] = filter.seen[j] & (1 - filter.lost[j]);
    this.#away = frame.isPlaced(tracked) ? 0 : this.#away + seconds;
    return this.#away <= this.#restAfter;
  }
}

/** J: 1 for the joints of the trunk. */
function trunkOf(joints: readonly string[]): Uint8Array {
  return Uint8Array.from(joints, (name) => Number(/^((left|right)(Hip|Shoulder)|hips|spine|chest|neck)$/.test(name)));
}

/** The joint that shows where a hand is; −1 for none. */
function handJoint(joints: readonly string[], side: string): number {
  const found = ['Hand', 'Index', 'Wrist'].map((place) => joints.indexOf(side + place));
  return found.find((j) => j >= 0) ?? -1;
}

function sharedJoints({ joints }: Registration, performer: readonly string[]): string[] {
  const common = joints.filter((name) => performer.includes(name));
  if (common.length >= FEWEST_JOINTS) return common;
  throw new InputError(
    `createPuppet: pairs and performer share ${common.length} joints, too few; the pairs have ` +
      `${joints.join(', ')}; the performer has ${performer.join(', ')}`,
  );
}

function checkOptions(options: PuppetOptions): void {
  const { lambda, ridge, noise, delay, speedCoefficient, travel, looseFrequency, looseDamping } = options;
  const { restAfter = 0 } = options;
  const numbers = { lambda, ridge, noise, delay, speedCoefficient, travel, looseFrequency, restAfter };
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
