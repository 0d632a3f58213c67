/** The face of a character: the objects that have morph targets, as a mesh of their own at rest. */
import type { GltfAsset } from '@pelt/io';
import { type CornerAttribute, gatherVertices, type Mesh, vertexCount } from '@pelt/model';

export interface Face {
  readonly mesh: Mesh;
  /** Morph targets over the vertices of this mesh. */
  readonly morphs: GltfAsset['scene']['morphs'];
  /** Vertices of the file that belong to objects without morph targets. */
  readonly left: number;
  /** The bone that has most of its weights; undefined without a skin. */
  readonly bone: string | undefined;
}

/** Of a skin the rest pose alone is taken: there morph targets are what they are. */
export function faceOf({ mesh, scene, skinned }: GltfAsset): Face {
  const nodes = new Set(scene.morphs.map(({ node }) => node));
  const n = vertexCount(mesh);
  const place = new Int32Array(n).fill(-1);
  const map: number[] = [];
  for (const { node, firstVertex, vertexCount: count } of scene.ranges) {
    if (!nodes.has(node)) continue;
    for (let i = firstVertex; i < firstVertex + count; i++) {
      if (place[i] >= 0) continue;
      place[i] = map.length;
      map.push(i);
    }
  }
  const bone = skinned ? heaviestBone(scene, map) : undefined;
  if (map.length === n) return { mesh, morphs: scene.morphs, left: 0, bone };
  const morphs = scene.morphs.map((morph) => ({ ...morph, firstVertex: place[morph.firstVertex] }));
  return { mesh: withVertices(mesh, map, place), morphs, left: n - map.length, bone };
}

function withVertices(mesh: Mesh, map: readonly number[], place: Int32Array): Mesh {
  const { positions, triangles, normals, uvs, uvs2, colors, parts, ...rest } = mesh;
  const kept = Array.from({ length: triangles.length / 3 }, (_, f) => f).filter((f) => place[triangles[3 * f]] >= 0);
  const attribute = (given: CornerAttribute | undefined): CornerAttribute | undefined => {
    if (!given) return undefined;
    const { size, values, indices } = given;
    if (indices) return { size, values, indices: gatherVertices(indices, 3, kept) };
    return { size, values: gatherVertices(values, size, map) };
  };
  const found = { normals: attribute(normals), uvs: attribute(uvs), uvs2: attribute(uvs2), colors: attribute(colors) };
  let first = 0;
  return {
    ...rest,
    ...Object.fromEntries(Object.entries(found).filter(([, value]) => value)),
    positions: gatherVertices(positions, 3, map),
    triangles: gatherVertices(triangles, 3, kept).map((i) => place[i]),
    ...(parts && {
      parts: parts.flatMap((part) => {
        const end = part.firstTriangle + part.triangleCount;
        const triangleCount = kept.filter((f) => f >= part.firstTriangle && f < end).length;
        if (triangleCount === 0) return [];
        const firstTriangle = first;
        first += triangleCount;
        return [{ ...part, firstTriangle, triangleCount }];
      }),
    }),
  };
}

function heaviestBone({ weights: { slots, bones, weights }, bones: all }: GltfAsset['scene'], map: readonly number[]) {
  const sums = new Float64Array(all.length);
  for (const i of map) for (let s = 0; s < slots; s++) sums[bones[i * slots + s]] += weights[i * slots + s];
  const most = sums.reduce((best, sum, j) => (sum > sums[best] ? j : best), 0);
  return all[most]?.name;
}
