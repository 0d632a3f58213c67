/**
 * Poses at which a learnt skin is sampled to reduce it, with the root at rest: the examples; and in turn an interpolation
 * between two of them, and a pose in which every joint is on its own somewhere between two of its example values. The
 * latter show which joints a part of the skin depends on: over a few examples alone all joints are correlated, and a
 * reduced skin that is fitted to them does not generalise. Rotation vectors of the joints and their origins in their
 * parents are interpolated linearly.
 */
import { composeTransforms, Random, rotationExp, transformOf } from '@pelt/math';
import { type Bone, IDENTITY_TRANSFORM, TRANSFORM_SIZE } from '@pelt/model';
import { PoseCoordinates } from '../runtime/pose-coordinates.ts';

/** Ranges of the share of the second of two poses, for all joints and for one. */
const WHOLE = [0.2, 0.8] as const;
const SINGLE = [0, 1] as const;

interface LocalPose {
  /** m × 3 rotation vectors */
  readonly joints: Float64Array;
  /** m × 3 origins of the joints in their parents, in rest axes */
  readonly places: Float64Array;
}

/**
 * @param centres   m × 3 centres of the joints' ranges
 * @param examples  m × 12 each; they come first and are all included
 * @param count     number of poses in total
 */
export function samplePoses(
  bones: readonly Bone[],
  centres: Float64Array,
  examples: readonly Float64Array[],
  count: number,
): Float64Array[] {
  const random = new Random(1);
  const coordinates = new PoseCoordinates(bones, centres);
  const locals = examples.map((pose) => localPose(bones, coordinates, pose));
  const rest: LocalPose = { joints: new Float64Array(3 * bones.length), places: originsOf(bones) };
  const samples = [Float64Array.from(bones.flatMap(() => IDENTITY_TRANSFORM)), ...examples];
  const all = [rest, ...locals];
  const between = (shares: readonly [number, number]) => {
    const [a, b] = [all[random.integer(all.length)], all[random.integer(all.length)]];
    return { a, b, share: random.uniform(...shares) };
  };
  while (samples.length < count && all.length > 1) {
    const whole = samples.length % 2 === 0 ? between(WHOLE) : undefined;
    if (whole && whole.a === whole.b) continue;
    samples.push(mixedPose(bones, () => whole ?? between(SINGLE)));
  }
  return samples;
}

function localPose(bones: readonly Bone[], coordinates: PoseCoordinates, pose: Float64Array): LocalPose {
  const { values, rotations } = coordinates.read(pose);
  const places = originsOf(bones);
  bones.forEach(({ parent }, b) => {
    if (parent < 0) return;
    const [P, B] = [parent * TRANSFORM_SIZE, b * TRANSFORM_SIZE];
    const o = places.slice(3 * b, 3 * b + 3);
    // The posed origin relative to the parent's translation, rotated back.
    const away = [0, 1, 2].map((c) => {
      const row = B + 4 * c;
      return pose[row] * o[0] + pose[row + 1] * o[1] + pose[row + 2] * o[2] + pose[row + 3] - pose[P + 4 * c + 3];
    });
    for (let c = 0; c < 3; c++) {
      places[3 * b + c] = [0, 1, 2].reduce((sum, r) => sum + rotations[9 * parent + 3 * r + c] * away[r], 0);
    }
  });
  return {
    joints: Float64Array.from({ length: 3 * bones.length }, (_, k) => values[6 * Math.floor(k / 3) + (k % 3)]),
    places,
  };
}

/** @param between  the two poses that the next joint is between, and where */
function mixedPose(bones: readonly Bone[], between: () => { a: LocalPose; b: LocalPose; share: number }): Float64Array {
  const joints = new Float64Array(3 * bones.length);
  const places = new Float64Array(3 * bones.length);
  for (let j = 0; j < bones.length; j++) {
    const { a, b, share } = between();
    for (let k = 3 * j; k < 3 * j + 3; k++) {
      joints[k] = a.joints[k] + share * (b.joints[k] - a.joints[k]);
      places[k] = a.places[k] + share * (b.places[k] - a.places[k]);
    }
  }
  const origins = originsOf(bones);
  const out = Float64Array.from(bones.flatMap(() => IDENTITY_TRANSFORM));
  const turn = new Float64Array(9);
  bones.forEach(({ parent }, j) => {
    if (parent < 0) return;
    rotationExp(joints, 3 * j, turn, 0);
    const local = [0, 1, 2].map((r) => {
      const turned = [0, 1, 2].reduce((sum, c) => sum + turn[3 * r + c] * origins[3 * j + c], 0);
      return places[3 * j + r] - turned;
    });
    composeTransforms(out, parent * TRANSFORM_SIZE, transformOf(turn, 0, local), 0, out, j * TRANSFORM_SIZE);
  });
  return out;
}

/** m × 3 */
function originsOf(bones: readonly Bone[]): Float64Array {
  return Float64Array.from(bones.flatMap(({ rest }) => [rest[3], rest[7], rest[11]]));
}
