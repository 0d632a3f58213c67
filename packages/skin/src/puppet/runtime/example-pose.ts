/**
 * The character's pose by pairs of poses: a pose of the performer is expressed by the performer's example poses
 * (projection), and the character's poses are blended with the same weights (interpolation); global motion is removed from
 * the one and added to the other.
 *
 * Reference: Sun. Example-based approach for real-time rigged character animation. 2017, algorithm 1.
 */
import type { Bone, Registration } from '@pelt/model';
import type { PuppetOptions } from '../options.ts';
import type { BodyFrame } from './body-frame.ts';
import type { Projection } from './example-space.ts';
import type { PartFeatures } from './features.ts';
import type { Interpolation } from './interpolate.ts';
import { learnPairs } from './learn-pairs.ts';
import type { Performance, PoseSource } from './pose-source.ts';
import type { Travel } from './travel.ts';

export class ExamplePose implements PoseSource {
  readonly parts: readonly string[];
  readonly joints: readonly string[];
  readonly weights: Float64Array;

  readonly #learnt: readonly {
    readonly encoder: PartFeatures;
    readonly projection: Projection;
    /** Pairs that are examples of this part. */
    readonly pairs: Int32Array;
    readonly features: Float64Array;
    readonly neutralFeatures: Float64Array;
    readonly weights: Float64Array;
  }[];
  readonly #pairCount: number;
  readonly #neutral: number;
  readonly #interpolation: Interpolation;
  readonly #travel: Travel | undefined;

  /**
   * @param common  names of the joints that the pairs and the performer share
   * @param frame   frame of these joints
   * @param travel  global motion of the character; undefined for none
   * @param shapes  of a character without a skeleton: what blends its poses
   */
  constructor(
    bones: readonly Bone[],
    registration: Registration,
    common: readonly string[],
    frame: BodyFrame,
    travel: Travel | undefined,
    options: PuppetOptions,
    shapes?: Interpolation,
  ) {
    const upright = travel && !shapes ? withoutTilt(registration, common, frame, travel) : registration;
    const learnt = learnPairs(bones, upright, common, frame, options, shapes);
    this.#pairCount = registration.pairs.length;
    this.#neutral = registration.neutral;
    this.joints = learnt.joints.map((j) => common[j]);
    this.parts = learnt.parts.map(({ encoder }) => encoder.part.name);
    this.#learnt = learnt.parts.map(({ encoder, projection, pairs, neutral }) => ({
      encoder,
      projection,
      pairs,
      features: Float64Array.from(neutral),
      neutralFeatures: neutral,
      weights: new Float64Array(pairs.length),
    }));
    this.#interpolation = learnt.interpolation;
    this.#travel = travel;
    this.weights = new Float64Array(this.parts.length * this.#pairCount);
  }

  reset(): void {
    this.#travel?.reset();
    for (const { projection, features, neutralFeatures } of this.#learnt) {
      projection.reset();
      features.set(neutralFeatures);
    }
  }

  update(performance: Performance, seconds: number, out: Float64Array): void {
    this.#project(performance);
    this.#interpolation.interpolate(this.weights, out);
    if (performance.placed) this.#travel?.apply(performance.frame, seconds, out);
  }

  blend(out: Float64Array): void {
    this.#interpolation.interpolate(this.weights, out);
  }

  #project({ filter, frame, placed }: Performance): void {
    const N = this.#pairCount;
    this.weights.fill(0);
    for (let p = 0; p < this.#learnt.length; p++) {
      const { encoder, projection, pairs, features, weights } = this.#learnt[p];
      if (!placed) {
        this.weights[p * N + this.#neutral] = 1;
        continue;
      }
      encoder.encode(filter.positions, frame, filter.lost, features);
      projection.project(features, weights);
      for (let k = 0; k < pairs.length; k++) this.weights[p * N + pairs[k]] = weights[k];
    }
  }
}

/** The pairs with the character's poses as they are when the performer's body is upright. */
function withoutTilt(
  registration: Registration,
  common: readonly string[],
  frame: BodyFrame,
  travel: Travel,
): Registration {
  const from = common.map((name) => registration.joints.indexOf(name));
  const neutral = registration.pairs[registration.neutral].character.transforms;
  return {
    ...registration,
    pairs: registration.pairs.map((pair) => {
      frame.reset();
      frame.measure(Float64Array.from(from.flatMap((j) => [...pair.performer.subarray(3 * j, 3 * j + 3)])));
      return { ...pair, character: { transforms: travel.withoutTilt(frame, pair.character.transforms, neutral) } };
    }),
  };
}
