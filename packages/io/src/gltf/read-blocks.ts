import { InputError } from '@pelt/model';
import type { WarningTally } from '../warning-tally.ts';
import type { AccessorSet } from './accessor-set.ts';
import { expandTriangles, TRIANGLE_FAN, TRIANGLES } from './expand-triangles.ts';
import {
  childOf,
  countOf,
  indexOf,
  isObject,
  type JsonObject,
  numbersOf,
  objectsOf,
  optionalIndexOf,
  textOf,
} from './json-shape.ts';
import type { NodeTree } from './read-nodes.ts';

/** A primitive's triangles, as indices into the vertices of its block. */
export interface BlockPart {
  readonly name: string;
  readonly material: number;
  /** Its index in the mesh. */
  readonly primitive: number;
  readonly triangles: Uint32Array;
}

/**
 * Vertices that one node shows, as the file stores them, in the node's own space. Primitives of a mesh that share their
 * attributes (one for each material, say) are parts of one block, so that the file's vertices come back once.
 */
export interface VertexBlock {
  readonly node: number;
  readonly mesh: number;
  /** −1 where it is not skinned */
  readonly skin: number;
  /** n × 3 */
  readonly positions: Float32Array;
  /** n × 3 */
  readonly normals: Float32Array | undefined;
  /** n × 2 */
  readonly uvs: Float32Array | undefined;
  readonly uvs2: Float32Array | undefined;
  readonly colors: { readonly size: 3 | 4; readonly values: Float32Array } | undefined;
  /** n × 4 for each set */
  readonly joints: readonly ArrayLike<number>[];
  readonly weights: readonly Float32Array[];
  /** n × 3 for each morph target; `undefined` for one that moves nothing here */
  readonly targets: readonly (Float32Array | undefined)[];
  readonly targetWeights: readonly number[];
  readonly parts: BlockPart[];
}

/** A vertex of the merged mesh with everything it may carry. */
const BYTES_PER_VERTEX = 64;

/** @param limit  bytes that the merged mesh may take: a file may show one mesh a million times */
export function readBlocks(
  json: JsonObject,
  tree: NodeTree,
  accessors: AccessorSet,
  limit: number,
  warnings: WarningTally,
): VertexBlock[] {
  const meshes = objectsOf(json, 'meshes');
  const nodes = objectsOf(json, 'nodes');
  const materialCount = objectsOf(json, 'materials').length;
  const blocks: VertexBlock[] = [];
  let bytes = 0;
  for (const node of tree.shown) {
    const m = tree.meshes[node];
    if (m < 0) continue;
    const targetWeights = weightsOf(nodes[node], meshes[m], `nodes[${node}]`, `meshes[${m}]`);
    const shared = new Map<string, VertexBlock>();
    objectsOf(meshes[m], 'primitives', `meshes[${m}]`).forEach((primitive, p) => {
      const where = `meshes[${m}].primitives[${p}]`;
      const mode = countOf(primitive, 'mode', where, TRIANGLES);
      const attributes = childOf(primitive, 'attributes', where);
      if (mode > TRIANGLE_FAN) throw new InputError(`${where}.mode is ${mode}, expected 0 to ${TRIANGLE_FAN}`);
      if (mode < TRIANGLES || attributes.POSITION === undefined) {
        warnings.add(mode < TRIANGLES ? 'points and lines are left out' : `${where} has no positions and is left out`);
        return;
      }
      const key = JSON.stringify([attributes, primitive.targets ?? []]);
      let block = shared.get(key);
      if (!block) {
        block = readBlock(
          primitive,
          where,
          accessors,
          { node, mesh: m, skin: tree.skins[node] },
          targetWeights,
          warnings,
        );
        shared.set(key, block);
        blocks.push(block);
        bytes += (block.positions.length / 3) * BYTES_PER_VERTEX;
      }
      const material = optionalIndexOf(primitive, 'material', where, materialCount);
      const triangles = trianglesOf(primitive, where, mode, accessors, block.positions.length / 3, warnings);
      bytes += triangles.byteLength;
      if (bytes > limit) throw new InputError(`${where} makes the scene larger than ${limit} bytes`);
      block.parts.push({ name: partName(primitive, meshes[m], nodes[node]), material, primitive: p, triangles });
    });
  }
  return blocks;
}

/** Morph targets of each node's mesh: the most that any of its primitives has. */
export function targetCountsOf(json: JsonObject, tree: NodeTree): number[] {
  const counts = objectsOf(json, 'meshes').map((mesh, m) =>
    objectsOf(mesh, 'primitives', `meshes[${m}]`).reduce(
      (most, primitive, p) => Math.max(most, objectsOf(primitive, 'targets', `meshes[${m}].primitives[${p}]`).length),
      0,
    ),
  );
  return tree.meshes.map((mesh) => (mesh < 0 ? 0 : counts[mesh]));
}

function readBlock(
  primitive: JsonObject,
  where: string,
  accessors: AccessorSet,
  { node, mesh, skin }: Pick<VertexBlock, 'node' | 'mesh' | 'skin'>,
  targetWeights: readonly number[],
  warnings: WarningTally,
): VertexBlock {
  const attributes = childOf(primitive, 'attributes', where);
  const count = accessors.count(indexOf(attributes, 'POSITION', `${where}.attributes`, accessors.length));
  const accessorOf = (owner: JsonObject, semantic: string, at: string): number => {
    const index = optionalIndexOf(owner, semantic, at, accessors.length);
    if (index >= 0 && accessors.count(index) !== count) {
      throw new InputError(`${at}.${semantic} has ${accessors.count(index)} elements, but there are ${count} vertices`);
    }
    return index;
  };
  const floats = (semantic: string, sizes: readonly number[]): Float32Array | undefined => {
    const index = accessorOf(attributes, semantic, `${where}.attributes`);
    return index < 0 ? undefined : accessors.floats(index, `${where}.attributes.${semantic}`, sizes);
  };
  const colors = floats('COLOR_0', [3, 4]);
  const joints: ArrayLike<number>[] = [];
  const weights: Float32Array[] = [];
  for (let set = 0; Object.hasOwn(attributes, `JOINTS_${set}`); set++) {
    const setWeights = floats(`WEIGHTS_${set}`, [4]);
    if (!setWeights) throw new InputError(`${where}.attributes has JOINTS_${set} without WEIGHTS_${set}`);
    const index = accessorOf(attributes, `JOINTS_${set}`, `${where}.attributes`);
    joints.push(accessors.unsigned(index, `${where}.attributes.JOINTS_${set}`, 4));
    weights.push(setWeights);
  }
  if (skin >= 0 && joints.length === 0) warnings.add(`${where} has a skin but no joints; it moves with its node`);
  const targets = objectsOf(primitive, 'targets', where).map((target, k) => {
    const at = `${where}.targets[${k}]`;
    const index = accessorOf(target, 'POSITION', at);
    return index < 0 ? undefined : accessors.floats(index, `${at}.POSITION`, [3]);
  });
  return {
    node,
    mesh,
    skin: joints.length > 0 ? skin : -1,
    positions: floats('POSITION', [3]) as Float32Array,
    normals: floats('NORMAL', [3]),
    uvs: floats('TEXCOORD_0', [2]),
    uvs2: floats('TEXCOORD_1', [2]),
    colors: colors && { size: colors.length === 3 * count ? 3 : 4, values: colors },
    joints,
    weights,
    targets,
    targetWeights: targets.map((_, k) => targetWeights[k] ?? 0),
    parts: [],
  };
}

function trianglesOf(
  primitive: JsonObject,
  where: string,
  mode: number,
  accessors: AccessorSet,
  vertices: number,
  warnings: WarningTally,
): Uint32Array {
  const index = optionalIndexOf(primitive, 'indices', where, accessors.length);
  const corners =
    index < 0 ? Uint32Array.from({ length: vertices }, (_, k) => k) : accessors.unsigned(index, `${where}.indices`, 1);
  if (mode === TRIANGLES && corners.length % 3 !== 0) {
    warnings.add('the corners of some triangles are no multiple of three; the last are left out');
  }
  if (index >= 0 && holdsRestart(corners, vertices)) {
    warnings.add('an index that glTF reserves for primitive restart is read as a vertex');
  }
  return expandTriangles(mode, corners, vertices, `${where}.indices`);
}

/** Whether the largest value of an index type, which would restart a primitive, is used as a vertex. */
function holdsRestart(corners: ArrayLike<number>, vertices: number): boolean {
  const largest = corners instanceof Uint8Array ? 0xff : corners instanceof Uint16Array ? 0xffff : 0xffffffff;
  return vertices > largest && (corners as Uint16Array).includes(largest);
}

/** The weights of morph targets at rest: the node's, else the mesh's, else none. */
function weightsOf(node: JsonObject, mesh: JsonObject, nodeWhere: string, meshWhere: string): number[] {
  return numbersOf(node, 'weights', nodeWhere, -1) ?? numbersOf(mesh, 'weights', meshWhere, -1) ?? [];
}

function partName(primitive: JsonObject, mesh: JsonObject, node: JsonObject): string {
  const own = isObject(primitive.extras) ? textOf(primitive.extras, 'name') : '';
  return own || textOf(mesh, 'name') || textOf(node, 'name');
}
