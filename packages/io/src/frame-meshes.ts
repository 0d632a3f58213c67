/**
 * The frames of a sequence as meshes of their own, for formats of one file a frame. Everything is the rest pose's but
 * the positions, and the normals, which turn with them: a normal is the area-weighted mean over those triangles around
 * a point that shared it at rest, so that smooth stays smooth across seams and hard edges stay hard.
 */
import { type CornerAttribute, frameAt, type Mesh, type MeshSequence } from '@pelt/model';

/**
 * The frames of a sequence as meshes, for formats of one file per frame; normals turn with the surface.
 * @example
 * {@includeCode ../examples/sequences.ts}
 */
export class FrameMeshes {
  readonly #sequence: MeshSequence;
  /** For each corner of the triangles its normal's group; absent where the rest pose has no normals. */
  readonly #groupOf: Uint32Array | undefined;
  readonly #groups: number = 0;

  constructor(sequence: MeshSequence) {
    this.#sequence = sequence;
    const { positions, triangles, normals } = sequence.rest;
    if (!normals) return;
    // Corners in one place with one normal belong together, also where a seam has split the vertex.
    const groups = new Map<string, number>();
    this.#groupOf = triangles.map((vertex, c) => {
      const p = vertex * 3;
      const q = (normals.indices ?? triangles)[c] * 3;
      const key = `${positions.subarray(p, p + 3).join()} ${normals.values.subarray(q, q + 3).join()}`;
      const group = groups.get(key) ?? groups.size;
      groups.set(key, group);
      return group;
    });
    this.#groups = groups.size;
  }

  /** The mesh of frame t. Its positions are a view into the sequence. */
  at(t: number): Mesh {
    const { rest } = this.#sequence;
    const positions = frameAt(this.#sequence, t);
    const normals = rest.normals && this.#groupOf && this.#turned(rest.normals, this.#groupOf, positions);
    return normals ? { ...rest, positions, normals } : { ...rest, positions };
  }

  #turned(restNormals: CornerAttribute, groupOf: Uint32Array, positions: Float32Array): CornerAttribute {
    const { triangles } = this.#sequence.rest;
    const sums = new Float64Array(this.#groups * 3);
    for (let c = 0; c < triangles.length; c += 3) addTriangleNormal(positions, triangles, c, groupOf, sums);
    const values = new Float32Array(sums.length);
    for (let k = 0; k < sums.length; k += 3) {
      const length = Math.hypot(sums[k], sums[k + 1], sums[k + 2]);
      // Triangles that have shrunk to nothing have no normal; any unit vector is as good.
      for (let d = 0; d < 3; d++) values[k + d] = length > 0 ? sums[k + d] / length : d === 2 ? 1 : 0;
    }
    if (restNormals.indices) return { size: 3, values, indices: groupOf };
    // Normals of vertices stay normals of vertices; those of no triangle keep what they have.
    const perVertex = restNormals.values.slice();
    triangles.forEach((vertex, c) => {
      for (let d = 0; d < 3; d++) perVertex[vertex * 3 + d] = values[groupOf[c] * 3 + d];
    });
    return { size: 3, values: perVertex };
  }
}

/** Adds the cross product of two edges, twice the area long, to the sums of the triangle's three corners. */
function addTriangleNormal(
  p: Float32Array,
  triangles: Uint32Array,
  c: number,
  groupOf: Uint32Array,
  sums: Float64Array,
): void {
  const i = triangles[c] * 3;
  const j = triangles[c + 1] * 3;
  const k = triangles[c + 2] * 3;
  const ax = p[j] - p[i];
  const ay = p[j + 1] - p[i + 1];
  const az = p[j + 2] - p[i + 2];
  const bx = p[k] - p[i];
  const by = p[k + 1] - p[i + 1];
  const bz = p[k + 2] - p[i + 2];
  for (let corner = c; corner < c + 3; corner++) {
    const g = groupOf[corner] * 3;
    sums[g] += ay * bz - az * by;
    sums[g + 1] += az * bx - ax * bz;
    sums[g + 2] += ax * by - ay * bx;
  }
}
