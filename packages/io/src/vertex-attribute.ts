/**
 * An attribute of corners as one of vertices, for formats that know no other, in the mesh's vertex order. A vertex whose
 * corners differ (a seam, a hard edge) gets the mean of its corners' values, and the caller is told.
 */
import { type CornerAttribute, type Mesh, vertexCount } from '@pelt/model';

export interface VertexAttribute {
  /** n × size */
  readonly values: Float32Array;
  /** Vertices whose corners differ. */
  readonly split: number;
}

export function vertexAttribute(attribute: CornerAttribute, mesh: Mesh): VertexAttribute {
  const { size, values, indices } = attribute;
  if (!indices) return { values, split: 0 };
  const n = vertexCount(mesh);
  const sums = new Float64Array(n * size);
  const counts = new Uint32Array(n);
  const first = new Int32Array(n).fill(-1);
  const differs = new Uint8Array(n);
  for (let c = 0; c < indices.length; c++) {
    const i = mesh.triangles[c];
    const k = indices[c];
    if (first[i] < 0) first[i] = k;
    for (let d = 0; d < size; d++) {
      sums[i * size + d] += values[k * size + d];
      if (values[k * size + d] !== values[first[i] * size + d]) differs[i] = 1;
    }
    counts[i]++;
  }
  const out = new Float32Array(n * size);
  let split = 0;
  for (let i = 0; i < n; i++) {
    split += differs[i];
    for (let d = 0; d < size; d++) {
      // A vertex of no triangle keeps 0; one whose corners agree keeps their very value.
      if (counts[i] > 0) out[i * size + d] = differs[i] ? sums[i * size + d] / counts[i] : values[first[i] * size + d];
    }
  }
  return { values: out, split };
}
