import type { CornerAttribute, Mesh, MeshObject, MeshPart } from '@pelt/model';
import { smoothNormals, unitVectors } from '../smooth-normals.ts';
import type { Binding } from './bind-bones.ts';
import type { VertexBlock } from './read-blocks.ts';
import type { MaterialSet } from './read-materials.ts';
import type { GltfMorph } from './scene.ts';
import { determinant, invert, type Transform, transformPoints } from './transform.ts';

/** All blocks as one mesh in its rest pose, in the order of the blocks, with their morph targets. */
export function mergeMesh(
  name: string,
  blocks: readonly VertexBlock[],
  { toRest }: Binding,
  { materials, images }: MaterialSet,
  objectOf: (block: VertexBlock) => MeshObject,
): { readonly mesh: Mesh; readonly morphs: readonly GltfMorph[] } {
  const firsts = new Uint32Array(blocks.length + 1);
  blocks.forEach(({ positions }, b) => {
    firsts[b + 1] = firsts[b] + positions.length / 3;
  });
  const positions = new Float32Array(3 * firsts[blocks.length]);
  blocks.forEach((block, b) => {
    transformPoints(toRest[b], morphedPositions(block), positions, 3 * firsts[b]);
  });
  const merge = (size: 2 | 3 | 4, fill: number, values: readonly (Float32Array | undefined)[]) =>
    mergeAttribute(size, fill, values, firsts);
  const colorSize = blocks.some(({ colors }) => colors?.size === 4) ? 4 : 3;
  const nodes = [...new Set(blocks.map(({ node }) => node))];
  const objects = nodes.map((node) => objectOf(blocks.find((block) => block.node === node) as VertexBlock));
  const { triangles, parts } = mergeTriangles(blocks, toRest, firsts, (node) =>
    nodes.length > 1 ? { object: nodes.indexOf(node) } : {},
  );
  const attributes = {
    normals: merge(3, 0, restNormals(blocks, toRest, firsts, positions, triangles)),
    uvs: merge(
      2,
      0,
      blocks.map(({ uvs }) => uvs),
    ),
    uvs2: merge(
      2,
      0,
      blocks.map(({ uvs2 }) => uvs2),
    ),
    // White changes nothing where a part has no colours but another does.
    colors: merge(
      colorSize,
      1,
      blocks.map(({ colors }) => colors && widened(colors.values, colors.size, colorSize)),
    ),
  };
  return {
    mesh: {
      name,
      positions,
      triangles,
      parts,
      ...(objects.length > 1 && { objects }),
      ...Object.fromEntries(Object.entries(attributes).filter(([, attribute]) => attribute)),
      ...(materials.length > 0 && { materials }),
      ...(images.length > 0 && { images }),
    },
    morphs: blocks.flatMap((block, b) => (block.targets.length > 0 ? [restMorph(block, toRest[b], firsts[b])] : [])),
  };
}

/** Stored positions with the morph targets that are on at rest. */
function morphedPositions({ positions, targets, targetWeights }: VertexBlock): Float32Array {
  if (!targetWeights.some((weight, k) => weight !== 0 && targets[k])) return positions;
  const sums = Float64Array.from(positions);
  targets.forEach((target, k) => {
    if (target) for (let c = 0; c < sums.length; c++) sums[c] += targetWeights[k] * target[c];
  });
  return Float32Array.from(sums);
}

/** Displacements turn and stretch with the rest pose but do not move with it. */
function restMorph(
  { node, positions, targets, targetWeights }: VertexBlock,
  toRest: Transform,
  first: number,
): GltfMorph {
  const linear = toRest.map((value, k) => (k % 4 === 3 ? 0 : value));
  return {
    node,
    firstVertex: first,
    vertexCount: positions.length / 3,
    targets: targets.map((target) => {
      if (!target) return undefined;
      const moved = new Float32Array(target.length);
      transformPoints(linear, target, moved);
      return moved;
    }),
    restWeights: targetWeights,
  };
}

function mergeTriangles(
  blocks: readonly VertexBlock[],
  toRest: readonly Transform[],
  firsts: Uint32Array,
  objectOf: (node: number) => Pick<MeshPart, 'object'>,
): { readonly triangles: Uint32Array; readonly parts: readonly MeshPart[] } {
  const parts: MeshPart[] = [];
  const total = blocks.reduce(
    (sum, block) => sum + block.parts.reduce((own, part) => own + part.triangles.length, 0),
    0,
  );
  const triangles = new Uint32Array(total);
  let next = 0;
  blocks.forEach((block, b) => {
    // A transform that mirrors turns a surface inside out; another order of the corners turns it back.
    const mirrors = determinant(toRest[b]) < 0;
    for (const { name, material, triangles: own } of block.parts) {
      const range = { firstTriangle: next / 3, triangleCount: own.length / 3 };
      parts.push({ name, material, ...range, ...objectOf(block.node) });
      for (let k = 0; k < own.length; k += 3) {
        triangles[next++] = own[k] + firsts[b];
        triangles[next++] = own[k + (mirrors ? 2 : 1)] + firsts[b];
        triangles[next++] = own[k + (mirrors ? 1 : 2)] + firsts[b];
      }
    }
  });
  return { triangles, parts };
}

/** Normals of all blocks if any has them; those of a block without are made from its surface. */
function restNormals(
  blocks: readonly VertexBlock[],
  toRest: readonly Transform[],
  firsts: Uint32Array,
  positions: Float32Array,
  triangles: Uint32Array,
): (Float32Array | undefined)[] {
  if (!blocks.some(({ normals }) => normals)) return [];
  const made = blocks.every(({ normals }) => normals) ? undefined : smoothNormals(positions, triangles);
  return blocks.map(({ normals }, b) => {
    if (!normals) return made?.subarray(3 * firsts[b], 3 * firsts[b + 1]);
    return isIdentity(toRest[b]) ? normals : unitVectors(transformNormals(toRest[b], normals));
  });
}

/** A⁻ᵀ n: what was perpendicular to the surface stays so. */
function transformNormals(a: Transform, normals: Float32Array): Float64Array {
  const inverse = invert(a, new Float64Array(12));
  const out = new Float64Array(normals.length);
  for (let k = 0; k < normals.length; k += 3) {
    for (let r = 0; r < 3; r++) {
      out[k + r] = inverse[r] * normals[k] + inverse[4 + r] * normals[k + 1] + inverse[8 + r] * normals[k + 2];
    }
  }
  return out;
}

function isIdentity(a: Transform): boolean {
  return a.every((value, k) => value === (k % 5 === 0 ? 1 : 0));
}

/** One attribute over all vertices, or none where no block has it; `fill` where a block does not. */
function mergeAttribute(
  size: 2 | 3 | 4,
  fill: number,
  blocks: readonly (Float32Array | undefined)[],
  firsts: Uint32Array,
): CornerAttribute | undefined {
  if (!blocks.some((values) => values)) return undefined;
  const merged = new Float32Array(size * firsts[firsts.length - 1]).fill(fill);
  blocks.forEach((values, b) => {
    if (values) merged.set(values, size * firsts[b]);
  });
  return { size, values: merged };
}

/** Colours with an alpha of 1 where others in the mesh have one. */
function widened(values: Float32Array, from: number, to: number): Float32Array {
  if (from === to) return values;
  return Float32Array.from({ length: (values.length / from) * to }, (_, k) =>
    k % to < from ? values[Math.floor(k / to) * from + (k % to)] : 1,
  );
}
