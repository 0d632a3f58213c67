/** Merges meshes into one: vertices and triangles concatenated, one or more parts per mesh. */
import type { CornerAttribute, Mesh, MeshPart } from '@pelt/model';
import { smoothNormals } from '../smooth-normals.ts';
import type { MeshFaces } from './mesh-faces.ts';

export interface MeshBlock {
  readonly name: string;
  /** n × 3, rest pose, model space */
  readonly positions: Float32Array;
  readonly faces: MeshFaces;
  readonly normals: CornerAttribute | undefined;
  readonly uvs: CornerAttribute | undefined;
}

/** @param positions  the positions of all blocks, concatenated; not copied */
export function mergeMeshes(name: string, blocks: readonly MeshBlock[], positions: Float32Array): Mesh {
  const triangles = new Uint32Array(blocks.reduce((sum, { faces }) => sum + faces.triangles.length, 0));
  let firstVertex = 0;
  let next = 0;
  for (const block of blocks) {
    for (const vertex of block.faces.triangles) triangles[next++] = firstVertex + vertex;
    firstVertex += block.positions.length / 3;
  }
  const parts = partsOf(blocks);
  const normals = mergeAttributes(blocks, 3, ({ normals }) => normals, smoothNormalsOf);
  const uvs = mergeAttributes(
    blocks,
    2,
    ({ uvs }) => uvs,
    ({ faces }) => ({ size: 2, values: new Float32Array(2), indices: new Uint32Array(faces.triangles.length) }),
  );
  return { name, positions, triangles, ...(normals && { normals }), ...(uvs && { uvs }), ...(parts && { parts }) };
}

/** Undefined for a single mesh without face sets. */
function partsOf(blocks: readonly MeshBlock[]): MeshPart[] | undefined {
  if (blocks.length === 1 && blocks[0].faces.runs.every((run) => run.name === '')) return undefined;
  const parts: MeshPart[] = [];
  let firstTriangle = 0;
  for (const block of blocks) {
    for (const { name, triangleCount } of block.faces.runs) {
      const own = blocks.length > 1 && name ? `${block.name}/${name}` : name || block.name;
      parts.push({ name: own, firstTriangle, triangleCount, material: -1 });
      firstTriangle += triangleCount;
    }
  }
  return parts;
}

/** @param missing  makes the attribute for a block that lacks it while another has it */
function mergeAttributes(
  blocks: readonly MeshBlock[],
  size: 2 | 3,
  ownOf: (block: MeshBlock) => CornerAttribute | undefined,
  missing: (block: MeshBlock) => CornerAttribute,
): CornerAttribute | undefined {
  if (!blocks.some(ownOf)) return undefined;
  const attributes = blocks.map((block) => ownOf(block) ?? missing(block));
  if (attributes.length === 1) return attributes[0];
  const values = new Float32Array(attributes.reduce((sum, own) => sum + own.values.length, 0));
  let next = 0;
  for (const own of attributes) {
    values.set(own.values, next);
    next += own.values.length;
  }
  if (attributes.every(({ indices }) => !indices)) return { size, values };
  const indices = new Uint32Array(blocks.reduce((sum, { faces }) => sum + faces.triangles.length, 0));
  let firstValue = 0;
  let corner = 0;
  attributes.forEach((own, b) => {
    for (const index of own.indices ?? blocks[b].faces.triangles) indices[corner++] = firstValue + index;
    firstValue += own.values.length / size;
  });
  return { size, values, indices };
}

function smoothNormalsOf({ positions, faces }: MeshBlock): CornerAttribute {
  return { size: 3, values: smoothNormals(positions, faces.triangles) };
}
