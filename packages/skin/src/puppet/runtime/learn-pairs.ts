/**
 * Prepares an update from the pairs of poses: a projection onto the examples for each part of the performer, and one
 * interpolation of the character's poses.
 */
import { type Bone, type Registration, UsageError } from '@pelt/model';
import type { PuppetOptions } from '../options.ts';
import { attributeParts } from './attribution.ts';
import type { BodyFrame } from './body-frame.ts';
import { branchTree } from './branch-tree.ts';
import { ExampleSpace, type Projection } from './example-space.ts';
import { featureJoints, PartFeatures } from './features.ts';
import { humanoidParts } from './humanoid-parts.ts';
import type { Interpolation, InterpolationInput } from './interpolate.ts';
import { KinematicInterpolation } from './interpolate-kinematic.ts';
import { LinearInterpolation } from './interpolate-linear.ts';
import { boneMotion, kinematicValues } from './kinematic-values.ts';
import { partsOf } from './parts.ts';
import { LinearProjection } from './project-linear.ts';
import { PenalisedProjection } from './project-penalised.ts';

/** What is learnt for one part. */
export interface LearntPart {
  readonly encoder: PartFeatures;
  readonly projection: Projection;
  /** Indices of the pairs that are its examples, in the projection's order. */
  readonly pairs: Int32Array;
  /** Its features in the neutral pair. */
  readonly neutral: Float64Array;
}

export interface LearntPairs {
  /** Indices of the joints that are compared. */
  readonly joints: readonly number[];
  readonly parts: readonly LearntPart[];
  readonly interpolation: Interpolation;
}

/**
 * @param common  names of the joints that the pairs and the performer share
 * @param frame   frame of these joints
 * @param shapes  of a character without a skeleton: what blends its poses
 */
export function learnPairs(
  bones: readonly Bone[],
  registration: Registration,
  common: readonly string[],
  frame: BodyFrame,
  options: PuppetOptions,
  shapes?: Interpolation,
): LearntPairs {
  const { pairs, neutral } = registration;
  const N = pairs.length;
  const joints = featureJoints(common, options.joints);
  const parts = partsOf(
    joints.map((j) => common[j]),
    options.parts,
  ).map((part) => new PartFeatures({ ...part, joints: part.joints.map((k) => joints[k]) }, common, options.features));
  const features = encodeExamples(registration, common, frame, parts);

  const learn = (examples: Uint8Array) =>
    parts.map((encoder, p) => learnPart(encoder, features[p], exampleList(examples, N, p), registration, options));
  const all = new Uint8Array(N).fill(1);
  if (shapes) return { joints, parts: learn(all), interpolation: shapes };

  const tree = branchTree(sideBySide(features, N), N, neutral);
  const poses = pairs.map((pair) => pair.character.transforms);
  const whole = parts.length === 1;
  const values = kinematicValues(bones, poses, neutral, tree);
  const { examples, shares } = whole
    ? { examples: all, shares: new Float64Array(bones.length * N).fill(1) }
    : attributeParts(
        partMotion(features, N),
        boneMotion(bones, values),
        N,
        neutral,
        humanoidParts(bones, parts, common),
      );

  return {
    joints,
    parts: learn(examples),
    interpolation: makeInterpolation(bones, { poses, neutral, values, shares }, options),
  };
}

/** N × D features for each part, row-major. */
function encodeExamples(
  registration: Registration,
  common: readonly string[],
  frame: BodyFrame,
  parts: readonly PartFeatures[],
): Float64Array[] {
  const { pairs, neutral } = registration;
  const N = pairs.length;
  const from = common.map((name) => registration.joints.indexOf(name));
  const positions = new Float64Array(common.length * 3);
  const features = parts.map((part) => new Float64Array(N * part.dimension));
  // The neutral pair comes first: it determines the size of performers without body joints.
  for (const i of [neutral, ...pairs.keys()]) {
    from.forEach((j, k) => {
      positions.set(pairs[i].performer.subarray(3 * j, 3 * j + 3), 3 * k);
    });
    frame.reset();
    frame.measure(positions);
    parts.forEach((part, p) => {
      const D = part.dimension;
      part.encode(positions, frame, undefined, features[p].subarray(i * D, (i + 1) * D));
    });
  }
  return features;
}

/** N × N × P: mean squared distance of the part's joints between two pairs. */
function partMotion(features: readonly Float64Array[], pairs: number): Float64Array {
  const P = features.length;
  const motion = new Float64Array(pairs * pairs * P);
  features.forEach((values, p) => {
    const D = values.length / pairs;
    for (let pair = 0; pair < pairs * pairs; pair++) {
      const [a, b] = [Math.floor(pair / pairs) * D, (pair % pairs) * D];
      for (let d = 0; d < D; d++) motion[pair * P + p] += (3 / D) * (values[a + d] - values[b + d]) ** 2;
    }
  });
  return motion;
}

/** N × ΣD: the features of all parts. */
function sideBySide(features: readonly Float64Array[], pairs: number): Float64Array {
  const total = features.reduce((sum, values) => sum + values.length, 0);
  const joined = new Float64Array(total);
  for (let i = 0, at = 0; i < pairs; i++) {
    for (const values of features) {
      const D = values.length / pairs;
      joined.set(values.subarray(i * D, (i + 1) * D), at);
      at += D;
    }
  }
  return joined;
}

function exampleList(examples: Uint8Array, pairs: number, p: number): Int32Array {
  const P = examples.length / pairs;
  return Int32Array.from({ length: pairs }, (_, i) => i).filter((i) => examples[i * P + p] === 1);
}

function learnPart(
  encoder: PartFeatures,
  features: Float64Array,
  pairs: Int32Array,
  registration: Registration,
  options: PuppetOptions,
): LearntPart {
  const D = encoder.dimension;
  const chosen = new Float64Array(pairs.length * D);
  pairs.forEach((i, k) => {
    chosen.set(features.subarray(i * D, (i + 1) * D), k * D);
  });
  const neutral = features.slice(registration.neutral * D, (registration.neutral + 1) * D);
  return {
    encoder,
    projection: makeProjection(new ExampleSpace(chosen, pairs.length, options.ridge, options.noise), options),
    pairs,
    neutral,
  };
}

function makeProjection(space: ExampleSpace, options: PuppetOptions): Projection {
  switch (options.projection) {
    case 'linear':
      return new LinearProjection(space);
    case 'positive':
      return new PenalisedProjection(space, Number.POSITIVE_INFINITY);
    case 'l1':
      return new PenalisedProjection(space, options.lambda * space.spacing);
    default:
      throw new UsageError(
        `createPuppet: unknown projection '${options.projection}'; give 'linear', 'positive' or 'l1'`,
      );
  }
}

function makeInterpolation(bones: readonly Bone[], input: InterpolationInput, options: PuppetOptions): Interpolation {
  switch (options.interpolation) {
    case 'kinematic':
      return new KinematicInterpolation(bones, input);
    case 'linear':
      return new LinearInterpolation(bones.length, input);
    default:
      throw new UsageError(
        `createPuppet: unknown interpolation '${options.interpolation}'; give 'kinematic' or 'linear'`,
      );
  }
}
