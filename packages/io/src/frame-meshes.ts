/**
 * The frames of a sequence as meshes of their own, for formats of one file a frame. Everything is the rest pose's but
 * the positions, and the normals, which turn with them: a normal is the area-weighted mean over those triangles around
 * a point that shared it at rest, so that smooth stays smooth across seams and hard edges stay hard.
 */
import { type CornerAttribute, frameAt, type Mesh, type MeshSequence, vertexNormals } from '@pelt/model';
import { unitVectors } from './smooth-normals.ts';

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
    return this.posed(frameAt(this.#sequence, t));
  }

  /**
   * The mesh with other positions, which it shares.
   *
   * @param positions  n × 3
   */
  posed(positions: Float32Array): Mesh {
    const { rest } = this.#sequence;
    const normals = rest.normals && this.#groupOf && this.#turned(rest.normals, this.#groupOf, positions);
    return normals ? { ...rest, positions, normals } : { ...rest, positions };
  }

  #turned(restNormals: CornerAttribute, groupOf: Uint32Array, positions: Float32Array): CornerAttribute {
    const { triangles } = this.#sequence.rest;
    const values = unitVectors(vertexNormals(positions, triangles, new Float64Array(this.#groups * 3), groupOf));
    if (restNormals.indices) return { size: 3, values, indices: groupOf };
    // Normals of vertices stay normals of vertices; those of no triangle keep what they have.
    const perVertex = restNormals.values.slice();
    triangles.forEach((vertex, c) => {
      for (let d = 0; d < 3; d++) perVertex[vertex * 3 + d] = values[groupOf[c] * 3 + d];
    });
    return { size: 3, values: perVertex };
  }
}
