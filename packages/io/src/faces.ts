/**
 * Faces of any number of corners as triangles, in the order of the faces, with the way back from each triangle's corner
 * to the face's, so that UVs and normals of corners can follow.
 */
import { PolygonTriangulator } from './polygon.ts';

export interface FaceTriangles {
  /** f × 3 vertex indices */
  readonly triangles: Uint32Array;
  /** f × 3 entries of the faces' corners, one for each of `triangles`; absent where they are the same, one by one */
  readonly cornerOf: Uint32Array | undefined;
}

/**
 * @param positions  n × 3
 * @param sizes      corners of each face, at least 3
 * @param corners    vertex of each corner, face by face, all in range
 * @param label      the file, for messages
 */
export function trianglesOfFaces(
  positions: Float32Array,
  sizes: Uint32Array,
  corners: Uint32Array,
  label: string,
): FaceTriangles {
  const count = corners.length - 2 * sizes.length;
  if (count === sizes.length) return { triangles: corners, cornerOf: undefined };
  const cornerOf = new Uint32Array(count * 3);
  const triangulator = new PolygonTriangulator(label);
  for (let face = 0, first = 0, o = 0; face < sizes.length; face++) {
    const size = sizes[face];
    triangulator.triangulate(positions, corners, first, size, cornerOf, o);
    for (const end = o + (size - 2) * 3; o < end; o++) cornerOf[o] += first;
    first += size;
  }
  return { triangles: cornerOf.map((corner) => corners[corner]), cornerOf };
}

/** The entries of an index per corner that triangles use. */
export function gatherCorners(indices: Uint32Array, { cornerOf }: FaceTriangles): Uint32Array {
  return cornerOf ? cornerOf.map((corner) => indices[corner]) : indices;
}
