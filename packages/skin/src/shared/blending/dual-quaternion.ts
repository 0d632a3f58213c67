/**
 * Dual quaternion skinning: each vertex moves rigidly by the normalised weighted sum of its bones' unit dual quaternions,
 * which preserves volume under twist where linear blending collapses.
 *
 * A bone's transform [A | t] becomes q̂ = q + ½ε t q with q the rotation nearest to A; stretch and shear are ignored. All
 * quaternions of a vertex are taken in the hemisphere of its first (largest) bone's, so that blending follows the shortest
 * path.
 *
 * Reference: Kavan, Collins, Žára, O'Sullivan. Geometric skinning with approximate dual quaternion blending. 2008
 * (algorithm 1, DLB).
 */
import { linearPart, multiplyQuaternions, polarDecomposition, quaternionFromRotation } from '@pelt/math';
import { type SkinWeights, TRANSFORM_SIZE } from '@pelt/model';

/** Numbers per dual quaternion: the rotation (x, y, z, w), then the dual part. */
export const DUAL_QUATERNION_SIZE = 8;

/**
 * Deforms a mesh by dual quaternion skinning.
 *
 * @param rest        n × 3 rest positions
 * @param skin        n × K convex weights with their bones
 * @param transforms  m × 12, row-major 3 × 4 [R | t], rest → pose
 * @param out         n × 3 posed positions; overwritten; may not alias `rest`
 * @returns           `out`
 *
 * @example
 * {@includeCode ../../../examples/deform-dual-quaternion.ts}
 */
export function deformDualQuaternion(
  rest: Float32Array,
  skin: SkinWeights,
  transforms: Float64Array,
  out: Float32Array,
): Float32Array {
  const bones = dualQuaternions(transforms);
  const blended = new Float64Array(DUAL_QUATERNION_SIZE);
  for (let i = 0; 3 * i < rest.length; i++) {
    blendDualQuaternions(bones, skin, i, blended);
    const [x, y, z, w, dx, dy, dz, dw] = blended;
    const squared = x * x + y * y + z * z + w * w;
    const [px, py, pz] = [rest[3 * i], rest[3 * i + 1], rest[3 * i + 2]];
    // p + 2 v × (v × p + w p) + 2 (w d − dw v + v × d), divided by the squared length; v and d are the vector parts.
    const cx = y * pz - z * py + w * px + dx;
    const cy = z * px - x * pz + w * py + dy;
    const cz = x * py - y * px + w * pz + dz;
    out[3 * i] = px + (2 * (y * cz - z * cy + w * dx - dw * x)) / squared;
    out[3 * i + 1] = py + (2 * (z * cx - x * cz + w * dy - dw * y)) / squared;
    out[3 * i + 2] = pz + (2 * (x * cy - y * cx + w * dz - dw * z)) / squared;
  }
  return out;
}

/**
 * Converts transforms to unit dual quaternions, for skinning on the GPU.
 *
 * @param transforms  m × 12, row-major 3 × 4 [R | t], rest → pose
 * @param result      m × 8; overwritten
 * @param room        31 numbers, for callers that run in every frame
 * @returns           m × 8: the rotation (x, y, z, w), then the dual part
 *
 * @example
 * {@includeCode ../../../examples/dual-quaternions.ts}
 */
export function dualQuaternions(
  transforms: Float64Array,
  result: Float64Array = new Float64Array((DUAL_QUATERNION_SIZE * transforms.length) / TRANSFORM_SIZE),
  room: Float64Array = new Float64Array(31),
): Float64Array {
  const m = transforms.length / TRANSFORM_SIZE;
  const [linear, rotation, stretch] = [room.subarray(0, 9), room.subarray(9, 18), room.subarray(18, 27)];
  const translation = room.subarray(27, 31);
  for (let j = 0; j < m; j++) {
    const at = TRANSFORM_SIZE * j;
    linearPart(transforms, at, linear, 0);
    for (let row = 0; row < 3; row++) translation[row] = 0.5 * transforms[at + 4 * row + 3];
    polarDecomposition(linear, 0, rotation, 0, stretch, 0);
    quaternionFromRotation(rotation, 0, result, DUAL_QUATERNION_SIZE * j);
    multiplyQuaternions(translation, 0, result, DUAL_QUATERNION_SIZE * j, result, DUAL_QUATERNION_SIZE * j + 4);
  }
  return result;
}

/**
 * Weighted sum of the bones of vertex i, in the hemisphere of the first.
 *
 * @param bones  m × 8
 * @param out    8 numbers from index `at`, not normalised; overwritten
 */
export function blendDualQuaternions(
  bones: Float64Array,
  skin: SkinWeights,
  i: number,
  out: Float64Array,
  at = 0,
): void {
  const end = (i + 1) * skin.slots;
  const first = DUAL_QUATERNION_SIZE * skin.bones[i * skin.slots];
  const [fx, fy, fz, fw] = [bones[first], bones[first + 1], bones[first + 2], bones[first + 3]];
  let [x, y, z, w, dx, dy, dz, dw] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let s = i * skin.slots; s < end; s++) {
    const weight = skin.weights[s];
    if (weight === 0) continue;
    const b = DUAL_QUATERNION_SIZE * skin.bones[s];
    const cosine = bones[b] * fx + bones[b + 1] * fy + bones[b + 2] * fz + bones[b + 3] * fw;
    const signed = cosine < 0 ? -weight : weight;
    x += signed * bones[b];
    y += signed * bones[b + 1];
    z += signed * bones[b + 2];
    w += signed * bones[b + 3];
    dx += signed * bones[b + 4];
    dy += signed * bones[b + 5];
    dz += signed * bones[b + 6];
    dw += signed * bones[b + 7];
  }
  out[at] = x;
  out[at + 1] = y;
  out[at + 2] = z;
  out[at + 3] = w;
  out[at + 4] = dx;
  out[at + 5] = dy;
  out[at + 6] = dz;
  out[at + 7] = dw;
}
