/**
 * Area-weighted vertex normals: the sum of the cross products of the triangles round each vertex. They are not
 * normalised; a vertex without area has the zero vector.
 *
 * @param positions  n × 3
 * @param triangles  f × 3
 * @param out        n × 3; overwritten
 * @example
 * {@includeCode ../../examples/mesh.ts}
 */
export function vertexNormals(positions: Float32Array, triangles: Uint32Array, out: Float64Array): Float64Array {
  out.fill(0);
  for (let k = 0; k < triangles.length; k += 3) {
    const a = 3 * triangles[k];
    const b = 3 * triangles[k + 1];
    const c = 3 * triangles[k + 2];
    const ux = positions[b] - positions[a];
    const uy = positions[b + 1] - positions[a + 1];
    const uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a];
    const vy = positions[c + 1] - positions[a + 1];
    const vz = positions[c + 2] - positions[a + 2];
    const x = uy * vz - uz * vy;
    const y = uz * vx - ux * vz;
    const z = ux * vy - uy * vx;
    for (const corner of [a, b, c]) {
      out[corner] += x;
      out[corner + 1] += y;
      out[corner + 2] += z;
    }
  }
  return out;
}
