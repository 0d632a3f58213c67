import { vertexNormals } from '@pelt/model';

/**
 * Smooth normals: at each vertex the sum of its triangles' normals, weighted by area (the cross product of two edges is
 * twice the area long), of unit length. A vertex without area looks along +z, because a file must have some direction.
 *
 * Reference: Gouraud. Continuous shading of curved surfaces. 1971; the weights are those of Foley et al., 16.2.4.
 *
 * @param positions  n × 3
 * @param triangles  f × 3 vertex indices
 * @return n × 3
 */
export function smoothNormals(positions: Float32Array, triangles: Uint32Array): Float32Array<ArrayBuffer> {
  return unitVectors(vertexNormals(positions, triangles, new Float64Array(positions.length)));
}

/** Vectors packed by threes, of unit length; those of no length become +z. */
export function unitVectors(vectors: Float32Array | Float64Array): Float32Array<ArrayBuffer> {
  const units = new Float32Array(vectors.length);
  for (let k = 0; k < vectors.length; k += 3) {
    const length = Math.hypot(vectors[k], vectors[k + 1], vectors[k + 2]);
    for (let r = 0; r < 3; r++) units[k + r] = length > 0 ? vectors[k + r] / length : r === 2 ? 1 : 0;
  }
  return units;
}
