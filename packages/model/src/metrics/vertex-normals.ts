import { triangleNormal } from '@pelt/math';

/**
 * Area-weighted normals: the sum of the cross products of the triangles round each vertex. They are not normalised; a
 * vertex without area has the zero vector.
 *
 * @param positions  n × 3
 * @param triangles  f × 3
 * @param out        n × 3; overwritten
 * @param corners    f × 3: where each corner's normal is summed, if not at its vertex
 * @example
 * {@includeCode ../../examples/mesh.ts}
 */
export function vertexNormals(
  positions: Float32Array,
  triangles: Uint32Array,
  out: Float64Array,
  corners: Uint32Array = triangles,
): Float64Array {
  out.fill(0);
  const normal = new Float64Array(3);
  for (let k = 0; k < triangles.length; k += 3) {
    triangleNormal(positions, triangles[k], triangles[k + 1], triangles[k + 2], normal, 0);
    for (let corner = k; corner < k + 3; corner++) {
      const at = 3 * corners[corner];
      out[at] += normal[0];
      out[at + 1] += normal[1];
      out[at + 2] += normal[2];
    }
  }
  return out;
}
