/**
 * Principal displacements: the fewest R shapes from which the displacements of all E examples are mixed within a
 * tolerance, each rounded to 8 bits. A pose costs R displacements per vertex instead of E, and a file 3R bytes instead of
 * 12E.
 *
 * Reference: Kry, James, Pai. EigenSkin. 2002 (section 3).
 */
import { boundsOf, diagonalOf, type PoseDisplacements, type Run } from '@pelt/model';
import { partOf, principalShares } from './principal-parts.ts';

/** Most displacements that are kept. */
const MOST = 16;
/** Steps of a rounded displacement on either side of zero. */
const STEPS = 127;

/**
 * @param given      displacements of E examples
 * @param rest       n × 3
 * @param tolerance  RMS distance that the mixed displacements may be off, relative to the model's size
 * @returns undefined where none are needed
 */
export function principalDisplacements(
  given: PoseDisplacements,
  rest: Float32Array,
  tolerance: number,
  run: Run,
): PoseDisplacements | undefined {
  const { poses, displacements: D } = given;
  const size = rest.length;
  const E = D.length / size;
  // Squared distances that may be left, over all examples and vertices.
  const allowed = (tolerance * diagonalOf(boundsOf(rest))) ** 2 * E * (size / 3);
  const shares = principalShares(D, E, { allowed, most: MOST }, run);
  const R = shares.length / E;
  if (R === 0) return undefined;
  const mixing = new Float64Array(R * E);
  const displacements = new Float32Array(R * size);
  for (let r = 0; r < R; r++) {
    // The shape has the norm of its singular value, so that examples mix it by entries of a unit vector.
    const shape = partOf(D, shares, r, E);
    const step = shape.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / STEPS;
    for (let k = 0; k < size; k++) displacements[r * size + k] = Math.round(shape[k] / step);
    for (let e = 0; e < E; e++) mixing[r * E + e] = shares[r * E + e] * step;
  }
  return { poses, displacements, mixing };
}
