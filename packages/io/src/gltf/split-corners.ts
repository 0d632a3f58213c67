import type { CornerAttribute, Mesh } from '@pelt/model';

/**
 * Vertices as a GPU wants them. The model lets UVs, normals and colours have indices of their own; in a glTF one index
 * serves all attributes, so a vertex on a seam becomes several. The first n file vertices are the model's, in its
 * order, each with what its first corner has; copies for other corners follow. A mesh without seams stays as it is.
 */
export interface FileVertices {
  /** Model vertex of each file vertex. */
  readonly vertexMap: Uint32Array;
  /** f × 3 file vertices */
  readonly triangles: Uint32Array;
  /** Values for every file vertex, in place of the mesh's. */
  readonly attributes: Readonly<Partial<Record<AttributeKey, FileAttribute>>>;
}

export interface FileAttribute {
  readonly size: number;
  /** vertices × size */
  readonly values: Float32Array;
}

const ATTRIBUTE_KEYS = ['normals', 'uvs', 'uvs2', 'colors'] as const;
export type AttributeKey = (typeof ATTRIBUTE_KEYS)[number];

const NONE = 0xffffffff;

export function splitCorners(mesh: Mesh): FileVertices {
  const n = mesh.positions.length / 3;
  const present = ATTRIBUTE_KEYS.flatMap((key) => {
    const attribute = mesh[key];
    return attribute ? [{ key, attribute }] : [];
  });
  if (!present.some(({ attribute }) => attribute.indices)) {
    return {
      vertexMap: Uint32Array.from({ length: n }, (_, i) => i),
      triangles: mesh.triangles,
      attributes: Object.fromEntries(present.map(({ key, attribute: { size, values } }) => [key, { size, values }])),
    };
  }
  const { triangles, corners, vertexMap } = assignFileVertices(
    mesh,
    present.map(({ attribute }) => attribute),
  );
  const attributes = present.map(({ key, attribute }) => [
    key,
    { size: attribute.size, values: gather(attribute, mesh, corners) },
  ]);
  return { vertexMap, triangles, attributes: Object.fromEntries(attributes) };
}

/** Every corner's file vertex, and for every file vertex a corner that it stands for (or `NONE`). */
function assignFileVertices(mesh: Mesh, attributes: readonly CornerAttribute[]) {
  const n = mesh.positions.length / 3;
  const triangles = new Uint32Array(mesh.triangles.length);
  const vertexMap = Array.from({ length: n }, (_, i) => i);
  const corners: number[] = new Array(n).fill(NONE);
  // The file vertices of one model vertex are a linked list, from the first n on.
  const next: number[] = new Array(n).fill(NONE);
  for (let c = 0; c < triangles.length; c++) {
    let at = mesh.triangles[c];
    if (corners[at] === NONE) corners[at] = c;
    while (!attributes.every((attribute) => sameValue(attribute, mesh, corners[at], c))) {
      if (next[at] === NONE) {
        next[at] = corners.length;
        corners.push(c);
        next.push(NONE);
        vertexMap.push(mesh.triangles[c]);
      }
      at = next[at];
    }
    triangles[c] = at;
  }
  return { triangles, corners, vertexMap: Uint32Array.from(vertexMap) };
}

/** Equal values count as one, whatever their indices: some writers repeat them at every corner. */
function sameValue({ size, values, indices }: CornerAttribute, mesh: Mesh, a: number, b: number): boolean {
  const index = indices ?? mesh.triangles;
  if (index[a] === index[b]) return true;
  for (let k = 0; k < size; k++) if (values[size * index[a] + k] !== values[size * index[b] + k]) return false;
  return true;
}

function gather({ size, values, indices }: CornerAttribute, mesh: Mesh, corners: readonly number[]): Float32Array {
  const out = new Float32Array(size * corners.length);
  const index = indices ?? mesh.triangles;
  corners.forEach((corner, v) => {
    // A vertex without a triangle has a value of its own only where the attribute is indexed like the positions.
    const from = corner !== NONE ? index[corner] : indices ? NONE : v;
    if (from !== NONE) for (let k = 0; k < size; k++) out[size * v + k] = values[size * from + k];
  });
  return out;
}
