/**
 * A pose relative to the parents: the transform M_j of each bone (rest → pose, in model space) becomes a rotation, a
 * translation and a stretch, all in the axes of the rest pose.
 *
 * With A the linear part and x the posed origin of a bone, o its origin at rest and p its parent:
 *   A_p⁻¹ A_j = R_j S_j (polar),   d_j = A_p⁻¹ (x_j − x_p) − (o_j − o_p).
 * The rest frames of the bones are not used, so that they may be skewed or have any orientation.
 *
 * Reference: Sun. Example-based approach for real-time rigged character animation. 2017, equation 4.12, with a stretch.
 */
import { linearPart, log, polarDecomposition, setIdentity3, svd3, transformPoint } from '@pelt/math';
import { type Bone, TRANSFORM_SIZE } from '@pelt/model';

export interface LocalPose {
  /** m × 9 rotations, row-major */
  readonly rotations: Float64Array;
  /** m × 3 */
  readonly translations: Float64Array;
  /** m × 6 logarithms of the stretches: xx xy xz yy yz zz */
  readonly stretches: Float64Array;
}

/** Lower bound of a stretch, for degenerate or mirrored transforms. */
const SMALLEST_STRETCH = 1e-3;
/** Deviation of a stretch from 1 that is due to rounding. */
const NO_STRETCH = 1e-7;

/** @param transforms  m × 12, row-major 3 × 4, rest → pose */
export function localPose(bones: readonly Bone[], transforms: Float64Array): LocalPose {
  const m = bones.length;
  const rotations = new Float64Array(m * 9);
  const translations = new Float64Array(m * 3);
  const stretches = new Float64Array(m * 6);
  const inverse = new Float64Array(9);
  const relative = new Float64Array(9);
  const stretch = new Float64Array(9);
  const origin = new Float64Array(3);
  const parentOrigin = new Float64Array(3);
  for (let j = 0; j < m; j++) {
    const p = bones[j].parent;
    setIdentity3(inverse, 0);
    parentOrigin.fill(0);
    if (p >= 0) {
      invertLinear(transforms, TRANSFORM_SIZE * p, inverse);
      posedOrigin(bones[p], transforms, TRANSFORM_SIZE * p, parentOrigin);
    }
    posedOrigin(bones[j], transforms, TRANSFORM_SIZE * j, origin);
    for (let r = 0; r < 3; r++) {
      let moved = 0;
      for (let k = 0; k < 3; k++) moved += inverse[3 * r + k] * (origin[k] - parentOrigin[k]);
      const atRest = bones[j].rest[4 * r + 3] - (p < 0 ? 0 : bones[p].rest[4 * r + 3]);
      translations[3 * j + r] = moved - atRest;
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let k = 0; k < 3; k++) sum += inverse[3 * r + k] * transforms[TRANSFORM_SIZE * j + 4 * k + c];
        relative[3 * r + c] = sum;
      }
    }
    polarDecomposition(relative, 0, rotations, 9 * j, stretch, 0);
    stretchLog(stretch, stretches, 6 * j);
  }
  return { rotations, translations, stretches };
}

/** out = M o, the posed origin of a bone. */
export function posedOrigin(bone: Bone, transforms: Float64Array, at: number, out: Float64Array, outAt = 0): void {
  transformPoint(transforms, at, bone.rest[3], bone.rest[7], bone.rest[11], out, outAt);
}

/** The inverse of a transform's linear part, with singular values bounded from below. */
function invertLinear(transforms: Float64Array, at: number, out: Float64Array): void {
  const linear = new Float64Array(9);
  linearPart(transforms, at, linear, 0);
  const u = new Float64Array(9);
  const s = new Float64Array(3);
  const v = new Float64Array(9);
  svd3(linear, 0, u, s, v);
  for (let k = 0; k < 3; k++) s[k] = Math.sign(s[k] || 1) * Math.max(Math.abs(s[k]), SMALLEST_STRETCH);
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += (v[3 * r + k] * u[3 * c + k]) / s[k];
      out[3 * r + c] = sum;
    }
  }
}

/** Logarithm of a symmetric positive definite 3 × 3 matrix, six numbers; exactly 0 for rigid bones. */
function stretchLog(stretch: Float64Array, out: Float64Array, at: number): void {
  const u = new Float64Array(9);
  const s = new Float64Array(3);
  const v = new Float64Array(9);
  svd3(stretch, 0, u, s, v);
  const rigid = s.every((value) => Math.abs(value - 1) < NO_STRETCH);
  for (let r = 0, k = at; r < 3; r++) {
    for (let c = r; c < 3; c++, k++) {
      let sum = 0;
      for (let e = 0; e < 3; e++) sum += log(Math.max(s[e], SMALLEST_STRETCH)) * v[3 * r + e] * v[3 * c + e];
      out[k] = rigid ? 0 : sum;
    }
  }
}

/** m × 12 of the rest pose. */
export function restTransforms(m: number): Float64Array {
  return Float64Array.from({ length: 12 * m }, (_, k) => Number((k % 12) % 5 === 0));
}
