/**
 * The character's pose by direct retargeting, with the style of pairs on top: the corrections of the pairs (see
 * `corrections.ts`) are blended as their poses would be, and applied to the direct pose. A pose of a pair gives exactly the
 * pair's character; far from all pairs the character still does what the performer does.
 */
import { atan2 } from '@pelt/math';
import type { Bone, Registration } from '@pelt/model';
import type { ExamplePose } from '../example-pose.ts';
import { posedOrigin } from '../local-pose.ts';
import type { Performance, PoseSource } from '../pose-source.ts';
import { axisRotation, turnInPlace } from '../subtree.ts';
import type { Corrections } from './corrections.ts';
import type { Humanoid } from './humanoid.ts';
import type { HumanoidPose } from './humanoid-pose.ts';

/** Largest variation of the corrections, relative to that of the poses, of pairs that show style rather than a mapping. */
const EXPLAINED = 0.5;

/**
 * Pairs of corrections in place of poses; undefined where the direct poses do not explain the pairs, as when a raised arm
 * of the performer moves a leg of the character.
 *
 * @param poses  N × m × 12: direct poses, in place, of the performers of the pairs
 */
export function styleOf(
  bones: readonly Bone[],
  humanoid: Humanoid,
  corrections: Corrections,
  registration: Registration,
  poses: readonly Float64Array[],
): Registration | undefined {
  const { pairs, neutral } = registration;
  const characters = pairs.map(({ character }, i) => faceAlike(bones, humanoid, character.transforms, poses[i]));
  const between = (directOf: (i: number) => Float64Array) =>
    characters.map((character, i) => corrections.between(directOf(i), character));
  const style = between((i) => poses[i]);
  const unexplained = variation(style, neutral);
  if (
    unexplained >
    EXPLAINED *
      variation(
        between(() => poses[neutral]),
        neutral,
      )
  )
    return undefined;
  return { ...registration, pairs: pairs.map((pair, i) => ({ ...pair, character: { transforms: style[i] } })) };
}

/**
 * A pose turned about +Y so that the pelvis agrees best with another's, with its first root above or below the other's: heading and place are
 * global motion, which a pair cannot show, and clips and performers have them measured in different ways.
 */
function faceAlike(
  bones: readonly Bone[],
  { pelvis }: Humanoid,
  pose: Float64Array,
  other: Float64Array,
): Float64Array {
  let [sine, cosine] = [0, 0];
  const at = 12 * pelvis;
  for (let c = 0; c < 3; c++) {
    cosine += pose[at + c] * other[at + c] + pose[at + 8 + c] * other[at + 8 + c];
    sine += pose[at + 8 + c] * other[at + c] - pose[at + c] * other[at + 8 + c];
  }
  const rotation = new Float64Array(9);
  axisRotation(0, 1, 0, atan2(sine, cosine), rotation);
  const [from, to] = [new Float64Array(3), new Float64Array(3)];
  posedOrigin(bones[0], pose, 0, from);
  posedOrigin(bones[0], other, 0, to);
  const out = Float64Array.from(pose);
  turnInPlace(
    out,
    Int32Array.from(bones.keys()),
    rotation,
    from,
    0,
    Float64Array.of(to[0] - from[0], 0, to[2] - from[2]),
  );
  return out;
}

/** Sum of the squared deviations of linear parts from those of one pose. */
function variation(poses: readonly Float64Array[], neutral: number): number {
  let sum = 0;
  for (const pose of poses) {
    for (let k = 0; k < pose.length; k++) if (k % 4 !== 3) sum += (pose[k] - poses[neutral][k]) ** 2;
  }
  return sum;
}

export class StyledPose implements PoseSource {
  readonly parts: readonly string[];
  readonly joints: readonly string[];
  readonly weights: Float64Array;
  readonly #direct: HumanoidPose;
  readonly #examples: ExamplePose;
  readonly #neutral: Float64Array;
  readonly #corrections: Corrections;
  /** m × 12 */
  readonly #style: Float64Array;
  readonly #pose: Float64Array;

  /**
   * @param examples  learnt from `styleOf`
   * @param neutral   m × 12: the character's pose until the performer is seen
   */
  constructor(corrections: Corrections, direct: HumanoidPose, examples: ExamplePose, neutral: Float64Array) {
    this.parts = examples.parts;
    this.joints = [...new Set([...examples.joints, ...direct.joints])];
    this.weights = examples.weights;
    this.#corrections = corrections;
    this.#direct = direct;
    this.#examples = examples;
    this.#neutral = neutral;
    this.#style = new Float64Array(neutral.length);
    this.#pose = new Float64Array(neutral.length);
  }

  reset(): void {
    this.#direct.reset();
    this.#examples.reset();
  }

  update(performance: Performance, seconds: number, out: Float64Array): void {
    this.#examples.update(performance, seconds, this.#style);
    if (!performance.placed) {
      out.set(this.#neutral);
      return;
    }
    this.#direct.update(performance, seconds, this.#pose);
    this.#corrections.apply(this.#style, this.#pose, out);
  }

  /** Weights alone: the corrections, on the rest pose. */
  blend(out: Float64Array): void {
    this.#examples.blend(this.#style);
    this.#direct.blend(this.#pose);
    this.#corrections.apply(this.#style, this.#pose, out);
  }
}
