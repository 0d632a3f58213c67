/**
 * Rotational regression: predicts the deformation gradient of every triangle from the pose of the skeleton,
 *
 *   D = Q_ref · exp(Σ_b A_b x_b) · (I + Σ_b H_b [x_b, z_b]),
 *
 * with x_b the three coordinates of a joint next to the reference bone, A_b free 3 × 3 matrices and H_b 9 × 4: rotation
 * relative to a bone, then scale and shear. The published form has a product of exponentials, A_b = u_b W_b with
 * rotations W_b, and z = 1 where the improved one has the joint's 1 − cos.
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007 (equations 3 to 6).
 */
import { multiply3, rotationExp } from '@pelt/math';
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
    if (form === 'improved') continue;
    if (factors++ === 0) rotationExp(scratch, 0, out, 0);
    else {
      rotationExp(scratch, 0, scratch, 3);
      multiply3(out, 0, scratch, 3, out, 0);
    }
    scratch.fill(0, 0, 3);
  }
  if (factors === 0) rotationExp(scratch, 0, out, 0);
}

/** I + Σ H [x, z] of triangle k, 3 × 3. */
function predictStretch(
  predictors: GradientPredictors,
  k: number,
  coordinates: PoseCoordinates,
  out: Float64Array,
): void {
  const { form, slots, blocks, stretchMaps } = predictors;
  const { values, versines } = coordinates;
  for (let c = 0; c < 9; c++) out[c] = c % 4 === 0 ? 1 : 0;
  for (let s = 0; s < slots; s++) {
    const block = blocks[k * slots + s];
    if (block < 0) break;
    const [x, y, z] = [values[3 * block], values[3 * block + 1], values[3 * block + 2]];
    const last = form === 'improved' ? versines[block] : 1;
    for (let c = 0, H = 36 * (k * slots + s); c < 9; c++, H += 4) {
      out[c] += stretchMaps[H] * x + stretchMaps[H + 1] * y + stretchMaps[H + 2] * z + stretchMaps[H + 3] * last;
    }
  }
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
    const predictors = this.#predictors;
    const { rotations, values } = coordinates;
    const R = this.#rotation;
    for (let k = 0; k < predictors.references.length; k++) {
      predictRotation(predictors, k, values, this.#scratch, R);
      predictStretch(predictors, k, coordinates, this.#stretch);
      multiply3(R, 0, this.#stretch, 0, R, 0);
      multiply3(rotations, 9 * predictors.references[k], R, 0, gradients, 9 * k);
    }
    return gradients;
  }
}
