/** A glTF file as a scene, for writers of other formats. */
import type { SkinWeights } from '@pelt/model';
import { EXPANSION_BASE_BYTES, EXPANSION_LIMIT } from '../gltf/check-accessors.ts';
import { fitTrs } from '../gltf/fit-trs.ts';
import { isObject, objectsOf, textOf } from '../gltf/json-shape.ts';
import type { GltfDocument } from '../gltf/open-document.ts';
import { readAnimations } from '../gltf/read-animations.ts';
import { readBlocks, targetCountsOf, type VertexBlock } from '../gltf/read-blocks.ts';
import { readMaterials } from '../gltf/read-materials.ts';
import { readNodes } from '../gltf/read-nodes.ts';
import { readSkins } from '../gltf/read-skins.ts';
import type { GltfNode } from '../gltf/scene.ts';
import { composeTrs, identityTransform, type Trs } from '../gltf/transform.ts';
import type { WarningTally } from '../warning-tally.ts';
import type { FileScene, SceneBlock, SceneMesh, SceneNode } from './file-scene.ts';

/** A matrix whose nearest translation, rotation and scale miss it by more, against its size, shears. */
const SHEAR = 1e-5;

/** @param name  the file's name without its extension */
export async function gltfToScene(document: GltfDocument, name: string, warnings: WarningTally): Promise<FileScene> {
  const { json, accessors, views, resolve, totalBytes } = document;
  const tree = readNodes(json, warnings);
  const blocks = readBlocks(json, tree, accessors, EXPANSION_BASE_BYTES + EXPANSION_LIMIT * totalBytes, warnings);
  const skins = readSkins(json, accessors, warnings);
  const fileMeshes = objectsOf(json, 'meshes');
  const meshes: SceneMesh[] = [];
  const meshOf = new Map<number, number>();
  const nodes: SceneNode[] = tree.nodes.map((node, k) => {
    const own = blocks.filter((block) => block.node === k);
    const trs = trsOf(node, warnings);
    const plain = {
      name: node.name,
      parent: node.parent,
      trs,
      ...(node.extras !== undefined && { extras: node.extras }),
    };
    if (own.length === 0) return { ...plain, mesh: -1, skin: -1, weights: [] };
    const [{ mesh: m, skin }] = own;
    const targets = own.reduce((most, block) => Math.max(most, block.targets.length), 0);
    let mesh = meshOf.get(m);
    if (mesh === undefined) {
      mesh = meshes.length;
      meshOf.set(m, mesh);
      meshes.push({
        name: textOf(fileMeshes[m], 'name') || node.name,
        targetNames: targetNames(fileMeshes[m].extras, targets),
        blocks: own.map((block) => blockOf(block, targets)),
      });
    }
    const weights = Array.from(
      { length: targets },
      (_, r) => own.find((block) => r in block.targetWeights)?.targetWeights[r] ?? 0,
    );
    return { ...plain, mesh, skin, weights };
  });
  const { materials, images } = await readMaterials(json, views, resolve, warnings);
  const clips = readAnimations(json, accessors, tree.nodes, targetCountsOf(json, tree), warnings);
  return {
    name,
    nodes,
    order: tree.order,
    meshes,
    skins: skins.map(({ joints, inverseBinds }, s) => ({
      name: textOf(objectsOf(json, 'skins')[s], 'name'),
      joints,
      inverseBinds,
    })),
    clips: clips.map((clip, k) => ({ ...clip, name: clip.name || `clip-${k}` })),
    materials,
    images,
  };
}

function trsOf({ trs, matrix, name }: GltfNode, warnings: WarningTally): Trs {
  if (!matrix) return trs;
  const fitted = fitTrs(matrix, Float64Array.of(0, 0, 0, 1));
  const back = composeTrs(fitted, identityTransform());
  const size = matrix.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (matrix.some((value, k) => Math.abs(value - back[k]) > SHEAR * size)) {
    warnings.add(`node '${name}' shears; the nearest translation, rotation and scale are written`);
  }
  return fitted;
}

function targetNames(extras: unknown, count: number): string[] {
  const names = isObject(extras) && Array.isArray(extras.targetNames) ? extras.targetNames : [];
  const taken = new Set<string>();
  return Array.from({ length: count }, (_, r) => {
    const wanted = typeof names[r] === 'string' && names[r] ? names[r] : `shape ${r}`;
    let name = wanted;
    for (let k = 2; taken.has(name); k++) name = `${wanted} ${k}`;
    taken.add(name);
    return name;
  });
}

function blockOf(block: VertexBlock, targets: number): SceneBlock {
  const { positions, normals, uvs, uvs2, colors, parts } = block;
  return {
    positions,
    normals,
    uvs,
    uvs2,
    colors,
    weights: block.joints.length > 0 ? weightsOf(block) : undefined,
    targets: Array.from({ length: targets }, (_, r) => block.targets[r]),
    parts,
  };
}

/** All sets as slots, a joint once for each vertex, largest weight first, of sum 1. */
function weightsOf({ joints, weights, positions }: VertexBlock): SkinWeights {
  const n = positions.length / 3;
  const rows: [joint: number, weight: number][][] = [];
  let slots = 1;
  for (let i = 0; i < n; i++) {
    const row = new Map<number, number>();
    joints.forEach((set, s) => {
      for (let k = 4 * i; k < 4 * i + 4; k++) {
        if (weights[s][k] > 0) row.set(set[k], (row.get(set[k]) ?? 0) + weights[s][k]);
      }
    });
    const sorted = [...row].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    // A vertex without weights hangs on the first joint.
    rows.push(sorted.length > 0 ? sorted : [[joints[0][4 * i], 1]]);
    slots = Math.max(slots, sorted.length);
  }
  const out = { slots, bones: new Uint16Array(n * slots), weights: new Float32Array(n * slots) };
  rows.forEach((row, i) => {
    const sum = row.reduce((total, [, weight]) => total + weight, 0);
    row.forEach(([joint, weight], s) => {
      out.bones[i * slots + s] = joint;
      out.weights[i * slots + s] = weight / sum;
    });
  });
  return out;
}
