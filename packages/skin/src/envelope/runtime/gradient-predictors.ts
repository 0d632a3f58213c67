/**
 * Rotational regression: predicts the deformation gradient of every triangle from the pose of the skeleton,
 *
 *   D = Q_ref · exp(Σ_b A_b x_b) · (I + Σ_b H_b [x_b, z_b]),
 *
 * with x_b the three coordinates of a joint next to the reference bone, A_b free 3 × 3 matrices and H_b 9 × 4: rotation
 * relative to a bone, then scale and shear. The published form has a product of exponentials, A_b = u_b W_b with
 * rotations W_b, and z = 1 where the default one has the joint's 1 − cos.
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007 (equations 3 to 6).
 */
import { cos, multiply3, rotationExp, sin } from '@pelt/math';
import type { GradientPredictors } from '@pelt/model';
import type { PoseCoordinates } from './pose-coordinates.ts';

/** The rotation of triangle k relative to its reference bone, 3 × 3; `scratch` has room for 12 numbers. */
export function predictRotation(
  predictors: GradientPredictors,
  k: number,
  values: Float64Array,
  scratch: Float64Array,
  out: Float64Array,
): void {
  const { form, slots, blocks, rotationMaps } = predictors;
  scratch.fill(0, 0, 3);
  let factors = 0;
  for (let s = 0; s < slots; s++) {
    const block = blocks[k * slots + s];
    if (block < 0) break;
    const [x, y, z] = [values[3 * block], values[3 * block + 1], values[3 * block + 2]];
    const A = 9 * (k * slots + s);
    for (let r = 0; r < 3; r++) {
      scratch[r] += rotationMaps[A + 3 * r] * x + rotationMaps[A + 3 * r + 1] * y + rotationMaps[A + 3 * r + 2] * z;
    }
    if (form === 'exponential-of-sum') continue;
    if (factors++ === 0) rotationExp(scratch, 0, out, 0);
    else {
      rotationExp(scratch, 0, scratch, 3);
      multiply3(out, 0, scratch, 3, out, 0);
    }
    scratch.fill(0, 0, 3);
  }
  if (factors === 0) rotationExp(scratch, 0, out, 0);
}

/** Evaluates predictors pose by pose; a call allocates nothing. */
export class GradientPrediction {
  readonly #predictors: GradientPredictors;
  readonly #rotation = new Float64Array(9);
  readonly #stretch = new Float64Array(9);
  readonly #scratch = new Float64Array(12);

  constructor(predictors: GradientPredictors) {
    this.#predictors = predictors;
  }

  /**
   * @param coordinates  of the pose
   * @param gradients    f × 9, row-major; overwritten
   */
  predict(coordinates: PoseCoordinates, gradients: Float64Array): Float64Array {
    const { references } = this.#predictors;
    for (let k = 0; k < references.length; k++) this.#predictOne(k, coordinates, gradients);
    return gradients;
  }

  /** Half of the time of a palette is here: the default form is in one go. */
  #predictOne(k: number, { rotations: Q, values, versines }: PoseCoordinates, out: Float64Array): void {
    const { form, slots, blocks, references, rotationMaps: A, stretchMaps: H } = this.#predictors;
    const S = this.#stretch;
    let u = 0;
    let v = 0;
    let w = 0;
    S.fill(0);
    S[0] = S[4] = S[8] = 1;
    for (let s = k * slots; s < (k + 1) * slots && blocks[s] >= 0; s++) {
      const x = values[3 * blocks[s]];
      const y = values[3 * blocks[s] + 1];
      const z = values[3 * blocks[s] + 2];
      const last = form === 'exponential-of-sum' ? versines[blocks[s]] : 1;
      const a = 9 * s;
      u += A[a] * x + A[a + 1] * y + A[a + 2] * z;
      v += A[a + 3] * x + A[a + 4] * y + A[a + 5] * z;
      w += A[a + 6] * x + A[a + 7] * y + A[a + 8] * z;
      for (let c = 0, h = 36 * s; c < 9; c++, h += 4) {
        S[c] += H[h] * x + H[h + 1] * y + H[h + 2] * z + H[h + 3] * last;
      }
    }
    if (form === 'product-of-exponentials') {
      predictRotation(this.#predictors, k, values, this.#scratch, this.#rotation);
      multiply3(this.#rotation, 0, S, 0, S, 0);
      multiply3(Q, 9 * references[k], S, 0, out, 9 * k);
      return;
    }
    // exp of (u, v, w) as a unit quaternion, which rotates the columns of S: x + 2 q_w (q × x) + 2 q × (q × x).
    const angle = Math.sqrt(u * u + v * v + w * w);
    const factor = angle > 0 ? sin(0.5 * angle) / angle : 0.5;
    const real = cos(0.5 * angle);
    u *= factor;
    v *= factor;
    w *= factor;
    for (let c = 0; c < 3; c++) {
      const x = S[c];
      const y = S[c + 3];
      const z = S[c + 6];
      const tx = 2 * (v * z - w * y);
      const ty = 2 * (w * x - u * z);
      const tz = 2 * (u * y - v * x);
      const rx = x + real * tx + v * tz - w * ty;
      const ry = y + real * ty + w * tx - u * tz;
      const rz = z + real * tz + u * ty - v * tx;
      for (let r = 0, q = 9 * references[k]; r < 3; r++, q += 3) {
        out[9 * k + 3 * r + c] = Q[q] * rx + Q[q + 1] * ry + Q[q + 2] * rz;
      }
    }
  }
}
