/**
 * The motion of a capture file on a skeleton of other proportions and another rest pose.
 *
 * Every bone takes the direction that the performer's has: with A the rotation from the file's rest direction to the
 * skeleton's own, G the file's rotation and R that from the file's world to the model's, the bone's is R G Rᵀ Aᵀ. Limbs
 * reach where their own length takes them.
 */
import { multiplyQuaternions, quaternionFromRotation, rotate3, rotationFromQuaternion } from '@pelt/math';
import { type Clip, type SkeletonMotion, TRANSFORM_SIZE } from '@pelt/model';

/**
 * The root travels from its own place by the scaled way of the file's.
 *
 * @param fitted    J × 3 joints of the skeleton at rest
 * @param rotation  3 × 3, from the file's world to the model's
 * @param turned    J × 9, from the directions of the turned file's bones at rest to those of the skeleton
 * @param scale     lengths of the model in those of the file
 */
export function retargetMotion(
  motion: SkeletonMotion,
  fitted: Float64Array,
  rotation: Float64Array,
  turned: Float64Array,
  scale: number,
): Clip {
  const { joints, times, rotations, translations } = motion;
  const J = joints.length;
  const transforms = new Float64Array(times.length * J * TRANSFORM_SIZE);
  const [frame, alignment] = [new Float64Array(4), new Float64Array(4 * J)];
  quaternionFromRotation(rotation, 0, frame, 0);
  for (let j = 0; j < J; j++) quaternionFromRotation(turned, 9 * j, alignment, 4 * j);
  const [world, pose, matrix] = [new Float64Array(4 * J), new Float64Array(4), new Float64Array(9 * J)];
  const places = new Float64Array(3 * J);
  for (let t = 0; t < times.length; t++) {
    for (let j = 0; j < J; j++) {
      const { parent } = joints[j];
      const at = 4 * (t * J + j);
      if (parent < 0) world.set(rotations.subarray(at, at + 4), 4 * j);
      else multiplyQuaternions(world, 4 * parent, rotations, at, world, 4 * j);
      // R G Rᵀ Aᵀ
      multiplyQuaternions(frame, 0, world, 4 * j, pose, 0);
      multiplyQuaternions(pose, 0, conjugate(frame, 0), 0, pose, 0);
      multiplyQuaternions(pose, 0, conjugate(alignment, 4 * j), 0, pose, 0);
      rotationFromQuaternion(pose, 0, matrix, 9 * j);
      const offset = [0, 1, 2].map((axis) =>
        parent < 0
          ? scale * (translations[3 * (t * J + j) + axis] - translations[3 * j + axis])
          : fitted[3 * j + axis] - fitted[3 * parent + axis],
      );
      const moved = parent < 0 ? turn(rotation, 0, offset) : turn(matrix, 9 * parent, offset);
      const turnedOrigin = turn(matrix, 9 * j, fitted.subarray(3 * j, 3 * j + 3));
      for (let r = 0; r < 3; r++) {
        places[3 * j + r] = moved[r] + (parent < 0 ? fitted[3 * j + r] : places[3 * parent + r]);
        const row = (t * J + j) * TRANSFORM_SIZE + 4 * r;
        transforms.set(matrix.subarray(9 * j + 3 * r, 9 * j + 3 * r + 3), row);
        transforms[row + 3] = places[3 * j + r] - turnedOrigin[r];
      }
    }
  }
  return { name: motion.name, times, transforms };
}

function conjugate(q: Float64Array, at: number): Float64Array {
  return Float64Array.of(-q[at], -q[at + 1], -q[at + 2], q[at + 3]);
}

/** A rotation (9 numbers from `at`) of a vector. */
export function turn(matrix: Float64Array, at: number, v: ArrayLike<number>): number[] {
  const out = [0, 0, 0];
  rotate3(matrix, at, v, 0, out, 0);
  return out;
}
