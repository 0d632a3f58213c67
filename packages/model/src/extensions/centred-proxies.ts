/**
 * The matrices of a learnt skin about places near what they move: a proxy's translation as that of a point in its middle, a
 * bone's as that of its joint. About the origin of the model, far away, linear parts and translations nearly cancel, and
 * a number that is rounded is wrong by its lever.
 *
 * Row 4d + c of a matrix gives column c of the transform of proxy d, and column 4b + c of `fromBones` reads that of bone b:
 *
 *   row' (4d + 3) = row (4d + 3) + Σ_c z_dc row (4d + c),   column' (4b + c) = column (4b + c) − o_bc column (4b + 3).
 */
import type { ReducedEnvelope } from '../envelope.ts';
import type { Bone } from '../rig.ts';

type Matrices = Pick<ReducedEnvelope, 'fromKeys' | 'fromBones'>;

/** @param middles  P × 3 */
export function aboutMiddles(
  { fromKeys, fromBones }: Matrices,
  middles: ArrayLike<number>,
  bones: readonly Bone[],
): Matrices {
  return {
    fromKeys: movedRows(fromKeys, middles, 1),
    fromBones: movedColumns(movedRows(fromBones, middles, 1), bones, -1),
  };
}

/** The inverse of `aboutMiddles`. */
export function aboutOrigin(
  { fromKeys, fromBones }: Matrices,
  middles: ArrayLike<number>,
  bones: readonly Bone[],
): Matrices {
  return {
    fromKeys: movedRows(fromKeys, middles, -1),
    fromBones: movedRows(movedColumns(fromBones, bones, 1), middles, -1),
  };
}

function movedRows(values: Float64Array, middles: ArrayLike<number>, sign: number): Float64Array {
  const out = values.slice();
  const P = middles.length / 3;
  const width = P > 0 ? values.length / (4 * P) : 0;
  for (let d = 0; d < P; d++) {
    for (let c = 0; c < 3; c++) {
      const shift = sign * middles[3 * d + c];
      for (let k = 0; k < width; k++) out[(4 * d + 3) * width + k] += shift * values[(4 * d + c) * width + k];
    }
  }
  return out;
}

function movedColumns(values: Float64Array, bones: readonly Bone[], sign: number): Float64Array {
  const out = values.slice();
  const width = 4 * bones.length;
  for (let row = 0; row < values.length; row += width) {
    bones.forEach(({ rest }, b) => {
      for (let c = 0; c < 3; c++) out[row + 4 * b + c] += sign * rest[4 * c + 3] * values[row + 4 * b + 3];
    });
  }
  return out;
}
