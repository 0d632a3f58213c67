/**
 * The quality of a take, in figures: how much joints tremble, how far feet slide while they stand, how deep limbs are inside
 * the body, and how often joints bend as no joint does.
 */
import { acos, transformPoint } from '@pelt/math';
import { type Capsules, type Clip, poseAt, type Rig, validateClip, validateRig } from '@pelt/model';
import { CharacterShape } from '../runtime/character-shape.ts';
import type { Humanoid, HumanoidLimb } from '../runtime/humanoid/humanoid.ts';
import { measureRest } from '../runtime/humanoid/humanoid-rest.ts';
import { posedOrigin } from '../runtime/local-pose.ts';
import { SelfDepth } from '../runtime/self-contact/self-depth.ts';
import { humanoidOf } from './clean-clip.ts';
import { isInPlace } from './in-place.ts';

/** Height above the ground, relative to the character's, below which a sole stands. */
const STANDS = 0.03;
/** Speed in heights per second from which a foot is stepping, not sliding. */
const STEPS = 0.5;
/** Degrees that a knee may bend forwards or an elbow backwards, and may close to. */
const BACKWARDS = 8;
const CLOSED = 165;

/** Lengths are relative to the character's height. */
export interface TakeQuality {
  /** Mean second difference of the joints, in per cent of the height at 30 frames a second. */
  readonly jitter: number;
  /** Mean speed of soles that stand, in per cent of the height a second; absent where no foot is known, or a gait is on the spot. */
  readonly footSlide?: number;
  /** Deepest overlap of limbs with the body, mean over frames and largest, in per cent; absent without capsules. */
  readonly selfIntersection?: { readonly mean: number; readonly largest: number };
  /** Per cent of frames in which a knee or elbow bends the wrong way, or too far; absent where no body is recognised. */
  readonly jointLimits?: number;
}

export interface TakeInput {
  readonly character: Rig;
  readonly humanBones?: Readonly<Record<string, number>> | undefined;
  readonly clip: Clip;
  /** Of `fitCapsules`. */
  readonly capsules?: Capsules | undefined;
}

/**
 * Measures a take.
 *
 * @example
 * {@includeCode ../../../examples/clean-clip.ts}
 */
export function measureTake({ character, humanBones, clip, capsules }: TakeInput): TakeQuality {
  validateRig(character);
  validateClip(clip, character.bones.length);
  const { bones } = character;
  const poses = Array.from(clip.times, (_, t) => poseAt(clip, t, bones.length).transforms);
  const step = Math.max(1, Math.floor(poses.length / 16));
  const shape = new CharacterShape(
    character,
    poses.filter((_, t) => t % step === 0),
  );
  const humanoid = humanoidOf(character, humanBones);
  const front = humanoid && frontOf(character, humanoid, shape);
  const depth = humanoid && capsules ? new SelfDepth(bones, humanoid, capsules) : undefined;
  const depths = depth ? poses.map((pose) => (100 * depth.deepest(pose)) / shape.height) : [];
  const slide = footSlide(shape, poses, clip.times);
  return {
    jitter: jitterOf(character, poses, clip.times, shape.height),
    ...(slide !== undefined && { footSlide: slide }),
    ...(depths.length > 0 && {
      selfIntersection: { mean: mean(depths), largest: depths.reduce((most, value) => Math.max(most, value), 0) },
    }),
    ...(humanoid &&
      front && {
        jointLimits: 100 * mean(poses.map((pose) => Number(isBeyondLimits(character, humanoid, front, pose)))),
      }),
  };
}

/** Second differences over the times of three frames, as if these were a thirtieth of a second apart. */
function jitterOf({ bones }: Rig, poses: readonly Float64Array[], times: Float64Array, height: number): number {
  if (poses.length < 3) return 0;
  const origins = poses.map((pose) => {
    const out = new Float64Array(3 * bones.length);
    bones.forEach((bone, j) => {
      posedOrigin(bone, pose, 12 * j, out, 3 * j);
    });
    return out;
  });
  let sum = 0;
  for (let t = 1; t + 1 < poses.length; t++) {
    const [before, after] = [times[t] - times[t - 1], times[t + 1] - times[t]];
    const scale = 1 / (30 * 30) / ((before + after) / 2);
    for (let j = 0; j < bones.length; j++) {
      let squared = 0;
      for (let k = 3 * j; k < 3 * j + 3; k++) {
        const change = (origins[t + 1][k] - origins[t][k]) / after - (origins[t][k] - origins[t - 1][k]) / before;
        squared += (change * scale) ** 2;
      }
      sum += Math.sqrt(squared);
    }
  }
  return (100 * sum) / (height * bones.length * (poses.length - 2));
}

function footSlide(shape: CharacterShape, poses: readonly Float64Array[], times: Float64Array): number | undefined {
  const soles = shape.feet('auto').flatMap(({ points }) => points);
  const located = soles.map(
    ({ bone, point: [x, y, z] }) =>
      (pose: Float64Array, out: Float64Array) =>
        transformPoint(pose, 12 * bone, x, y, z, out, 0),
  );
  if (soles.length === 0 || isInPlace(located, poses, times, shape)) return undefined;
  let [slid, count] = [0, 0];
  for (let t = 1; t < poses.length; t++) {
    for (const { bone, point } of soles) {
      const [a, b] = [poses[t - 1], poses[t]].map((pose) => carry(pose, bone, point));
      if (Math.max(a[1], b[1]) > shape.floor + STANDS * shape.height) continue;
      const speed = Math.sqrt((a[0] - b[0]) ** 2 + (a[2] - b[2]) ** 2) / (shape.height * (times[t] - times[t - 1]));
      if (speed > STEPS) continue;
      slid += speed;
      count++;
    }
  }
  return count > 0 ? (100 * slid) / count : 0;
}

function carry(pose: Float64Array, bone: number, [x, y, z]: readonly [number, number, number]): number[] {
  return [0, 4, 8].map((row) => {
    const at = 12 * bone + row;
    return pose[at] * x + pose[at + 1] * y + pose[at + 2] * z + pose[at + 3];
  });
}

/** The direction in which the character faces at rest. */
function frontOf({ bones }: Rig, humanoid: Humanoid, shape: CharacterShape): number[] {
  const { axes } = measureRest(bones, humanoid, (bone) => shape.tips([bone]));
  return [axes[2], axes[5], axes[8]];
}

function isBeyondLimits(rig: Rig, { arms, legs }: Humanoid, front: readonly number[], pose: Float64Array): boolean {
  return (
    arms.some((limb) => bendOf(rig, limb, front, pose).angle > CLOSED) ||
    legs.some((limb) => {
      const { angle, forwards } = bendOf(rig, limb, front, pose);
      return angle > CLOSED || forwards > BACKWARDS;
    })
  );
}

/** Degrees between the two segments of a limb, and of that, how far the lower one points to the thigh's own front. */
function bendOf(
  { bones }: Rig,
  { upper, lower, end }: HumanoidLimb,
  front: readonly number[],
  pose: Float64Array,
): { angle: number; forwards: number } {
  if (end < 0) return { angle: 0, forwards: 0 };
  const [a, b, c] = [upper, lower, end].map((j) => {
    const out = new Float64Array(3);
    posedOrigin(bones[j], pose, 12 * j, out);
    return out;
  });
  const [u, v] = [b.map((value, k) => value - a[k]), c.map((value, k) => value - b[k])];
  const [lu, lv] = [u, v].map((w) => Math.sqrt(w[0] ** 2 + w[1] ** 2 + w[2] ** 2));
  const dot = (u[0] * v[0] + u[1] * v[1] + u[2] * v[2]) / (lu * lv);
  const angle = (acos(Math.min(1, Math.max(-1, dot))) * 180) / Math.PI;
  // The thigh carries the front of the body at rest.
  let ahead = 0;
  for (let r = 0; r < 3; r++) {
    const at = 12 * upper + 4 * r;
    ahead += (pose[at] * front[0] + pose[at + 1] * front[1] + pose[at + 2] * front[2]) * v[r];
  }
  return { angle, forwards: ahead > 0 ? angle : 0 };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
