import { cbrt } from '@pelt/math';
import { InputError, resolveOptions, validateMesh } from '@pelt/model';
import { fileLabel, READ_DEFAULTS, type ReadOptions, stemOf } from '../read-options.ts';
import { readHumanoid } from '../vrm/read-humanoid.ts';
import { WarningTally } from '../warning-tally.ts';
import { type Binding, bindBones } from './bind-bones.ts';
import { bindWeights } from './bind-weights.ts';
import { EXPANSION_BASE_BYTES, EXPANSION_LIMIT } from './check-accessors.ts';
import { readExtensions } from './extension-payload.ts';
import { isObject, type JsonObject, objectsOf, textOf } from './json-shape.ts';
import { mergeMesh } from './merge-mesh.ts';
import { restWorlds } from './node-poses.ts';
import { type GltfDocument, labelled, openDocument } from './open-document.ts';
import { readAnimations } from './read-animations.ts';
import { readBlocks, targetCountsOf, type VertexBlock } from './read-blocks.ts';
import { readMaterials } from './read-materials.ts';
import { readNodes } from './read-nodes.ts';
import { readSkins } from './read-skins.ts';
import type { ResolveFile } from './resources.ts';
import type { GltfAsset, GltfBone, VertexRange } from './scene.ts';
import { determinant } from './transform.ts';

/**
 * A glTF 2.0 file, GLB or JSON, as one mesh at rest with all that moves it. Any bytes give an asset or a `PeltError`
 * that says what is wrong and where.
 *
 * Reference: Khronos Group. glTF 2.0 specification (ISO/IEC 12113:2022).
 */
export interface ReadGltfOptions extends ReadOptions {
  /** Bytes of a file that the glTF names, by its path relative to the glTF; never absolute, never outside its folder. */
  readonly resolve: ResolveFile | undefined;
}

export const READ_GLTF_DEFAULTS: ReadGltfOptions = { ...READ_DEFAULTS, resolve: undefined };

/**
 * Reads a glTF or GLB file: its meshes as one mesh, its nodes, skins, morph targets and animations.
 *
 * @param bytes  of the file; buffers and images beside it come through `options.resolve`
 * @example
 * {@includeCode ../../examples/skinned.ts}
 */
export async function readGltf(bytes: Uint8Array, options?: Partial<ReadGltfOptions>): Promise<GltfAsset> {
  const { name, onWarning, resolve } = resolveOptions('readGltf', READ_GLTF_DEFAULTS, options);
  const label = fileLabel('glTF', name);
  const warnings = new WarningTally(label, onWarning);
  try {
    return await readAsset(await openDocument(bytes, resolve, warnings), stemOf(name), warnings);
  } catch (error) {
    throw labelled(label, error);
  } finally {
    warnings.flush();
  }
}

/** A document as one mesh at rest with all that moves it. */
export async function readAsset(document: GltfDocument, name: string, warnings: WarningTally): Promise<GltfAsset> {
  const { json, accessors, views, resolve, totalBytes } = document;
  const tree = readNodes(json, warnings);
  const limit = EXPANSION_BASE_BYTES + EXPANSION_LIMIT * totalBytes;
  const blocks = readBlocks(json, tree, accessors, limit, warnings);
  if (!blocks.some(({ parts }) => parts.some(({ triangles }) => triangles.length > 0))) {
    throw new InputError('there are no triangles in its scene');
  }
  const worlds = restWorlds(tree.nodes, tree.order);
  const binding = bindBones(tree, worlds, readSkins(json, accessors, warnings), blocks, warnings);
  const materials = await readMaterials(json, views, resolve, warnings);
  const { mesh, morphs } = mergeMesh(name, blocks, binding, materials, ({ node, mesh: m }) => {
    const { extras } = tree.nodes[node];
    const meshName = textOf(objectsOf(json, 'meshes')[m], 'name');
    return { name: tree.nodes[node].name, mesh: meshName, ...(extras !== undefined && { extras }) };
  });
  validateMesh(mesh);
  const meshes = objectsOf(json, 'meshes');
  const named = morphs.map((morph) => ({ ...morph, ...targetNames(meshes[tree.meshes[morph.node]]) }));
  const skinnedNodes = [...new Set(blocks.filter(({ skin }) => skin >= 0).map(({ node }) => node))];
  return {
    name,
    mesh,
    skinned: skinnedNodes.length > 0,
    scene: {
      nodes: tree.nodes,
      order: tree.order,
      bones: placed(binding.bones, json),
      weights: bindWeights(blocks, binding, warnings),
      morphs: named,
      skinnedNodes,
      ranges: rangesOf(blocks, binding),
    },
    animations: readAnimations(json, accessors, tree.nodes, targetCountsOf(json, tree), warnings),
    extensions: readExtensions(json, views),
  };
}

/** As exporters keep them, for glTF has no place of its own for the names of morph targets. */
function targetNames({ extras }: JsonObject): { readonly names?: readonly string[] } {
  const names = isObject(extras) ? extras.targetNames : undefined;
  return Array.isArray(names) && names.every((name) => typeof name === 'string') ? { names } : {};
}

/** Bones with what a VRM says of them. */
function placed(bones: readonly GltfBone[], json: JsonObject): readonly GltfBone[] {
  const places = readHumanoid(json);
  if (places.size === 0) return bones;
  return bones.map((bone) => {
    const place = places.get(bone.node);
    return place ? { ...bone, place } : bone;
  });
}

/** Where each primitive's vertices are in the merged mesh. */
function rangesOf(blocks: readonly VertexBlock[], { boneIndices, toRest }: Binding): VertexRange[] {
  let firstVertex = 0;
  return blocks.flatMap(({ node, mesh, skin, positions, parts }, b) => {
    const first = firstVertex;
    const count = positions.length / 3;
    firstVertex += count;
    const scale = cbrt(Math.abs(determinant(toRest[b])));
    const shared = { node, mesh, skin, firstVertex: first, vertexCount: count, bones: boneIndices[b], scale };
    return parts.map(({ primitive }) => ({ ...shared, primitive }));
  });
}
