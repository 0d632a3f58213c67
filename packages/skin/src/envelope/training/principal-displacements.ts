/**
 * Principal displacements: the fewest R shapes from which the displacements of all E examples are mixed within a
 * tolerance, D ≈ M U with D E × 3n, by the singular value decomposition of D; each then rounded to 8 bits. A pose costs
 * R displacements per vertex instead of E, and a file 3R bytes instead of 12E.
 *
 * Reference: Kry, James, Pai. EigenSkin. 2002 (section 3).
 */
import { symmetricEigen } from '@pelt/math';
import { boundsOf, checkCancelled, diagonalOf, type PoseDisplacements, type Run } from '@pelt/model';

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
  const gram = new Float64Array(E * E);
  for (let a = 0; a < E; a++) {
    checkCancelled(run);
    for (let b = 0; b <= a; b++) {
      let sum = 0;
      for (let k = 0; k < size; k++) sum += D[a * size + k] * D[b * size + k];
      gram[a * E + b] = gram[b * E + a] = sum;
    }
  }
  const { values, vectors } = symmetricEigen(gram, E, run.numerics);
  // Ascending: the largest is the last.
  const column = (r: number) => E - 1 - r;
  // Squared distances that may be left, over all examples and vertices.
  const allowed = (tolerance * diagonalOf(boundsOf(rest))) ** 2 * E * (size / 3);
  let left = values.reduce((sum, value) => sum + Math.max(value, 0), 0);
  let R = 0;
  while (R < Math.min(MOST, E) && left > allowed && values[column(R)] > 0) left -= values[column(R++)];
  if (R === 0) return undefined;
  const mixing = new Float64Array(R * E);
  const displacements = new Float32Array(R * size);
  const shape = new Float64Array(size);
  for (let r = 0; r < R; r++) {
    shape.fill(0);
    for (let e = 0; e < E; e++) {
      const share = vectors[e * E + column(r)];
      for (let k = 0; k < size; k++) shape[k] += share * D[e * size + k];
    }
    // The shape has the norm of its singular value, so that examples mix it by entries of a unit vector.
    const step = shape.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / STEPS;
    for (let k = 0; k < size; k++) displacements[r * size + k] = Math.round(shape[k] / step);
    for (let e = 0; e < E; e++) mixing[r * E + e] = vectors[e * E + column(r)] * step;
  }
  return { poses, displacements, mixing };
}
