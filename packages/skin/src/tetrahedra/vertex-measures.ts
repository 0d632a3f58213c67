/**
 * Mean edge lengths and outward normals of the surface's vertices.
 *
 * Normals are weighted by the triangles' angles, so that they do not depend on the triangulation of a face.
 * Reference: Bærentzen, Aanæs. Signed distance computation using the angle weighted pseudonormal. 2005.
 */
import { atan2, triangleNormal } from '@pelt/math';

export interface VertexMeasures {
  /** n mean edge lengths */
  readonly sizes: Float64Array;
  /** n × 3 unit normals; zero where the triangles at a vertex cancel */
  readonly normals: Float64Array;
}

/**
 * @param positions  n × 3
 * @param triangles  f × 3
 */
export function vertexMeasures(positions: Float64Array, triangles: Uint32Array): VertexMeasures {
  const n = positions.length / 3;
  const sizes = new Float64Array(n);
  const counts = new Uint32Array(n);
  const normals = new Float64Array(3 * n);
  const normal = new Float64Array(3);
  for (let k = 0; k < triangles.length; k += 3) {
    triangleNormal(positions, triangles[k], triangles[k + 1], triangles[k + 2], normal, 0);
    const area = Math.hypot(normal[0], normal[1], normal[2]);
    for (let corner = 0; corner < 3; corner++) {
      const i = triangles[k + corner];
      const next = edge(positions, i, triangles[k + ((corner + 1) % 3)]);
      const last = edge(positions, i, triangles[k + ((corner + 2) % 3)]);
      sizes[i] += Math.hypot(next[0], next[1], next[2]) + Math.hypot(last[0], last[1], last[2]);
      counts[i] += 2;
      if (area === 0) continue;
      const angle = atan2(area, next[0] * last[0] + next[1] * last[1] + next[2] * last[2]);
      for (let axis = 0; axis < 3; axis++) normals[3 * i + axis] += (angle / area) * normal[axis];
    }
  }
  for (let i = 0; i < n; i++) {
    if (counts[i] > 0) sizes[i] /= counts[i];
    const length = Math.hypot(normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]);
    for (let axis = 0; axis < 3; axis++) normals[3 * i + axis] /= length || 1;
  }
  return { sizes, normals };
}

function edge(positions: Float64Array, a: number, b: number): [number, number, number] {
  return [
    positions[3 * b] - positions[3 * a],
    positions[3 * b + 1] - positions[3 * a + 1],
    positions[3 * b + 2] - positions[3 * a + 2],
  ];
}
