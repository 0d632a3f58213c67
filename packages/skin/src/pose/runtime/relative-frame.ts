/**
 * Dimensionless coordinates: positions relative to the centre of the rest pose's bounding box, divided by its diagonal;
 * and the conversion of transforms. Tolerances, ridges and forces are then the same for every model.
 */
import { boundsOf, centerOf, diagonalOf, TRANSFORM_SIZE } from '@pelt/model';

export interface RelativeFrame {
  readonly center: readonly [number, number, number];
  /** Diagonal of the bounding box; 1 for a mesh without extent. */
  readonly size: number;
}

/** @param positions  n × 3 */
export function relativeFrame(positions: ArrayLike<number>): RelativeFrame {
  const box = boundsOf(positions);
  return { center: centerOf(box), size: diagonalOf(box) || 1 };
}

/** @param positions  n × 3 */
export function relativePositions({ center, size }: RelativeFrame, positions: ArrayLike<number>): Float64Array {
  const out = new Float64Array(positions.length);
  for (let k = 0; k < out.length; k++) out[k] = (positions[k] - center[k % 3]) / size;
  return out;
}

/**
 * Converts transforms in model space to relative unknowns, as displacements from the rest pose.
 *
 * @param transforms  m × 12, rest → pose in model space
 * @param out         4m × 3: rows are F_·0 − I, F_·1 − I, F_·2 − I, d_· of each control; columns x, y, z
 */
export function unknownsOf({ center, size }: RelativeFrame, transforms: ArrayLike<number>, out: Float64Array): void {
  for (let j = 0; TRANSFORM_SIZE * j < transforms.length; j++) {
    for (let r = 0; r < 3; r++) {
      const at = TRANSFORM_SIZE * j + 4 * r;
      let moved = transforms[at + 3] - center[r];
      for (let c = 0; c < 3; c++) {
        moved += transforms[at + c] * center[c];
        out[12 * j + 3 * c + r] = transforms[at + c] - (r === c ? 1 : 0);
      }
      out[12 * j + 9 + r] = moved / size;
    }
  }
}

/** The inverse of `unknownsOf`. */
export function transformsOf({ center, size }: RelativeFrame, unknowns: ArrayLike<number>, out: Float64Array): void {
  for (let j = 0; TRANSFORM_SIZE * j < out.length; j++) {
    for (let r = 0; r < 3; r++) {
      const at = TRANSFORM_SIZE * j + 4 * r;
      let moved = size * unknowns[12 * j + 9 + r] + center[r];
      for (let c = 0; c < 3; c++) {
        const f = unknowns[12 * j + 3 * c + r] + (r === c ? 1 : 0);
        out[at + c] = f;
        moved -= f * center[c];
      }
      out[at + 3] = moved;
    }
  }
}

/**
 * Turns the result of transforms about the centre.
 *
 * @param rotation    9, row-major
 * @param transforms  m × 12, rest → pose in model space; updated in place
 */
export function turnTransforms({ center }: RelativeFrame, rotation: Float64Array, transforms: Float64Array): void {
  const R = rotation;
  if (R[0] === 1 && R[4] === 1 && R[8] === 1) return;
  for (let at = 0; at < transforms.length; at += TRANSFORM_SIZE) {
    for (let c = 0; c < 4; c++) {
      const x = transforms[at + c] - (c === 3 ? center[0] : 0);
      const y = transforms[at + 4 + c] - (c === 3 ? center[1] : 0);
      const z = transforms[at + 8 + c] - (c === 3 ? center[2] : 0);
      for (let r = 0; r < 3; r++) {
        const turned = R[3 * r] * x + R[3 * r + 1] * y + R[3 * r + 2] * z;
        transforms[at + 4 * r + c] = turned + (c === 3 ? center[r] : 0);
      }
    }
  }
}
