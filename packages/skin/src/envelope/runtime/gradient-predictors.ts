/**
 * The deformation gradient of every triangle from the pose of the skeleton,
 *
 *   D = Q_ref · exp(Σ_b A_b x_b) · (I + Σ_b H_b [x_b, z_b]),
 *
 * with x_b the three coordinates of a joint beside the reference bone, A_b free 3 × 3 matrices and H_b 9 × 4: rotation
 * relative to a bone, then scale and shear. Wang's own form has a product of exponentials, A_b = u_b W_b with rotations
 * W_b, and z = 1 where the improved one has the joint's 1 − cos.
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007 (equations 3 to 6).
 */
import { multiply3, rotationExp } from '@pelt/math';
import type { GradientPredictors } from '@pelt/model';
import type { PoseCoordinates } from './pose-coordinates.ts';

/** Rotation of a triangle relative to its reference bone, 3 × 3; `scratch` holds 12 numbers. */
export function predictTurn(
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

/** I + Σ H [x, z], 3 × 3. */
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

/**
 * @param coordinates  of the pose
 * @param gradients    f × 9, row-major; overwritten
 * @param room         30 numbers, for callers that run in every frame
 */
export function predictGradients(
  predictors: GradientPredictors,
  coordinates: PoseCoordinates,
  gradients: Float64Array,
  room: Float64Array = new Float64Array(30),
): Float64Array {
  const turn = room.subarray(0, 9);
  const stretch = room.subarray(9, 18);
  const scratch = room.subarray(18, 30);
  const { rotations, values } = coordinates;
  for (let k = 0; k < predictors.references.length; k++) {
    predictTurn(predictors, k, values, scratch, turn);
    predictStretch(predictors, k, coordinates, stretch);
    multiply3(turn, 0, stretch, 0, turn, 0);
    multiply3(rotations, 9 * predictors.references[k], turn, 0, gradients, 9 * k);
  }
  return gradients;
}
