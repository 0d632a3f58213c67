/**
 * The pose of a character without a skeleton by pairs: the projection gives the blend of its shapes, and the performer's
 * travel a rigid motion of the whole.
 *
 * Shapes may be far apart where the performer's poses are near each other, and a body that is long swings far when it turns.
 * No point therefore moves faster, relative to its size, than the performer's fastest joint has lately: the state (blend,
 * rotation, place) goes on its way to what is wanted as far as that allows, which is within a few frames.
 *
 * References: Sun. Example-based approach for real-time rigged character animation. 2017, algorithm 1. Der, Sumner, Popović.
 * Inverse kinematics for reduced deformable models. 2006, for the blend.
 */
import { composeTransforms, distance3, exp, quaternionFromRotation, rotationFromQuaternion, slerp } from '@pelt/math';
import { type Bone, UsageError } from '@pelt/model';
import type { PuppetOptions } from '../options.ts';
import { type BodyFrame, USUAL_STATURE } from './body-frame.ts';
import type { CharacterShape } from './character-shape.ts';
import { ExamplePose } from './example-pose.ts';
import { restTransforms } from './local-pose.ts';
import type { PuppetData } from './make-pose-source.ts';
import type { Performance, PoseSource } from './pose-source.ts';
import { checkShapeOptions, ShapeInterpolation, type ShapeSpace } from './shape-space.ts';
import { Travel } from './travel.ts';

/** Seconds in which a speed of the performer is forgotten. */
const FORGETS_IN = 1;
/** Tries of how far to go, and by how much the limit may be missed. */
const TRIES = 4;
const SLACK = 1.02;

export class ShapePose implements PoseSource {
  readonly parts: readonly string[];
  readonly joints: readonly string[];
  readonly weights: Float64Array;
  readonly #space: ShapeSpace;
  readonly #examples: ExamplePose;
  readonly #shapes: ShapeInterpolation;
  readonly #travel: Travel;
  readonly #pivot = new Float64Array(3);
  /** 12: the rigid motion that is wanted */
  readonly #motion = new Float64Array(12);
  /** What is shown: numbers of the shape, rotation, place of the pivot; and what is wanted, and what is tried */
  readonly #shown: State;
  readonly #wanted: State;
  readonly #tried: State;
  /** Points in the last pose, and in one that is tried */
  readonly #last: Float64Array;
  readonly #now: Float64Array;
  /** J × 3: the performer in the last frame, in place where the character stays in place */
  readonly #performer: Float64Array;
  readonly #inPlace: boolean;
  readonly #joint = new Float64Array(3);
  /** Sizes per second. */
  #speed = 0;
  #started = false;
  readonly #rotation = new Float64Array(9);

  /**
   * @param joints  names of the joints that pairs and performer share
   * @param frame   frame of these joints
   */
  constructor(
    space: ShapeSpace,
    { character: { bones }, pairs }: PuppetData,
    joints: readonly string[],
    shape: CharacterShape,
    frame: BodyFrame,
    options: PuppetOptions,
  ) {
    if (!pairs) throw new UsageError('createPuppet: a character without a skeleton follows by pairs alone; give pairs');
    checkShapeOptions(options);
    this.#space = space;
    this.#shapes = new ShapeInterpolation(space, pairs);
    this.#examples = new ExamplePose(bones, pairs, joints, frame, undefined, options, {
      interpolate: (weights) => this.#shapes.aim(weights),
    });
    this.parts = this.#examples.parts;
    this.joints = this.#examples.joints;
    this.weights = this.#examples.weights;
    space.middle(restTransforms(bones.length), this.#pivot);
    const { travel, turn } = options;
    const [x, y, z] = this.#pivot;
    const root: Bone = { name: 'middle', parent: -1, rest: Float64Array.of(1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z) };
    // Where a performer lies in a pair, the shape lies as well: turning it over would do so twice.
    const tilt = pairs.pairs.every((pair) => !isTilted(pair.performer, pairs.joints, joints, frame));
    const scale = (travel * shape.height) / USUAL_STATURE;
    this.#travel = new Travel([root], this.#pivot, { scale, turn, tilt });
    this.#inPlace = travel === 0;
    this.#performer = new Float64Array(3 * joints.length);
    this.#shown = stateOf(space.size);
    this.#wanted = stateOf(space.size);
    this.#tried = stateOf(space.size);
    this.#last = new Float64Array(3 * space.probes);
    this.#now = new Float64Array(3 * space.probes);
    frame.reset();
  }

  reset(): void {
    this.#examples.reset();
    this.#travel.reset();
    this.#started = false;
    this.#speed = 0;
  }

  update(performance: Performance, seconds: number, out: Float64Array): void {
    this.#examples.update(performance, seconds, out);
    const motion = this.#motion.fill(0);
    for (let r = 0; r < 3; r++) motion[5 * r] = 1;
    if (performance.placed) this.#travel.apply(performance.frame, seconds, motion);
    this.#want(motion);
    this.#measure(performance, seconds);
    let share = 1;
    this.#show(share, out);
    const most = this.#speed * seconds * this.#space.extent;
    for (let tries = 0; tries < TRIES && this.#started; tries++) {
      const step = this.#step();
      if (step <= SLACK * most) break;
      share *= most / step;
      this.#show(share, out);
    }
    this.#started = true;
    copyState(this.#tried, this.#shown);
    this.#last.set(this.#now);
  }

  blend(out: Float64Array): void {
    this.#shapes.interpolate(this.weights, out);
  }

  #want(motion: Float64Array): void {
    const { shape, rotation, place } = this.#wanted;
    shape.set(this.#shapes.target);
    for (let r = 0; r < 3; r++) {
      place[r] = motion[4 * r + 3];
      for (let c = 0; c < 3; c++) {
        this.#rotation[3 * r + c] = motion[4 * r + c];
        place[r] += motion[4 * r + c] * this.#pivot[c];
      }
    }
    quaternionFromRotation(this.#rotation, 0, rotation, 0);
    if (!this.#started) copyState(this.#wanted, this.#shown);
  }

  /** The performer's fastest joint, in statures per second, which is forgotten slowly. */
  #measure({ filter: { positions, seen }, frame, placed }: Performance, seconds: number): void {
    const last = this.#performer;
    const joint = this.#joint;
    let farthest = 0;
    for (let j = 0; j < seen.length && placed; j++) {
      for (let r = 0; r < 3; r++) joint[r] = positions[3 * j + r] - (this.#inPlace ? frame.origin[r] : 0);
      if (seen[j] !== 0 && this.#started) farthest = Math.max(farthest, distance3(joint, 0, last, 3 * j));
      for (let r = 0; r < 3; r++) last[3 * j + r] = joint[r];
    }
    const speed = seconds > 0 ? farthest / (seconds * USUAL_STATURE * frame.size) : 0;
    this.#speed = Math.max(this.#speed * exp(-seconds / FORGETS_IN), speed);
  }

  /** The pose that is a share of the way to what is wanted. */
  #show(share: number, out: Float64Array): void {
    const [from, to, at] = [this.#shown, this.#wanted, this.#tried];
    for (let k = 0; k < at.shape.length; k++) at.shape[k] = from.shape[k] + share * (to.shape[k] - from.shape[k]);
    for (let r = 0; r < 3; r++) at.place[r] = from.place[r] + share * (to.place[r] - from.place[r]);
    slerp(from.rotation, 0, to.rotation, 0, share, at.rotation, 0);
    const motion = this.#motion;
    rotationFromQuaternion(at.rotation, 0, this.#rotation, 0);
    for (let r = 0; r < 3; r++) {
      motion[4 * r + 3] = at.place[r];
      for (let c = 0; c < 3; c++) {
        motion[4 * r + c] = this.#rotation[3 * r + c];
        motion[4 * r + 3] -= this.#rotation[3 * r + c] * this.#pivot[c];
      }
    }
    this.#space.pose(at.shape, out);
    for (let k = 0; k < out.length; k += 12) composeTransforms(motion, 0, out, k, out, k);
    this.#space.locate(out, this.#now);
  }

  /** Largest step of a point. */
  #step(): number {
    let largest = 0;
    for (let k = 0; k < this.#now.length; k += 3) largest = Math.max(largest, distance3(this.#now, k, this.#last, k));
    return largest;
  }
}

interface State {
  readonly shape: Float64Array;
  /** x, y, z, w */
  readonly rotation: Float64Array;
  readonly place: Float64Array;
}

function stateOf(size: number): State {
  return { shape: new Float64Array(size), rotation: Float64Array.of(0, 0, 0, 1), place: new Float64Array(3) };
}

function copyState(from: State, to: State): void {
  to.shape.set(from.shape);
  to.rotation.set(from.rotation);
  to.place.set(from.place);
}

function isTilted(
  performer: Float32Array,
  own: readonly string[],
  joints: readonly string[],
  frame: BodyFrame,
): boolean {
  frame.reset();
  frame.measure(
    Float64Array.from(joints.flatMap((name) => [0, 1, 2].map((k) => performer[3 * own.indexOf(name) + k]))),
  );
  return frame.isTilted;
}
