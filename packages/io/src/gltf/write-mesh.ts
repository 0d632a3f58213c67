import type { Node, Primitive } from '@gltf-transform/core';
import { gatherVertices, InputError, type Mesh, type MeshPart, triangleCount, validateMesh } from '@pelt/model';
import { smoothNormals, unitVectors } from '../smooth-normals.ts';
import { GlbDocument } from './glb-document.ts';
import type { GlbOptions } from './glb-options.ts';
import { type FileVertices, splitCorners } from './split-corners.ts';
import { vertexTangents } from './tangents.ts';
import { MaterialWriter } from './write-materials.ts';

export interface WrittenMesh {
  readonly glb: GlbDocument;
  /** One for each object, with its place in the scene. */
  readonly nodes: readonly Node[];
  readonly primitives: readonly Primitive[];
  readonly vertices: FileVertices;
  /** File vertices × 3; absent where none are written. */
  readonly normals: Float32Array | undefined;
}

/** 65535 restarts a strip, so that 16 bits reach one vertex less. */
const MAX_SHORT_INDEX = 65534;

/**
 * A new document with the mesh: a node for each of its objects, a primitive for each of its parts. All primitives are over
 * the same vertices until `finishVertices` has taken them apart.
 *
 * @param extras  of the node, where there is one
 */
export function writeMesh(mesh: Mesh, { normals, onWarning }: GlbOptions, extras?: unknown): WrittenMesh {
  validateMesh(mesh);
  if (triangleCount(mesh) === 0) {
    throw new InputError(`mesh '${mesh.name}' has no triangles, so there is nothing to write`);
  }
  const vertices = splitCorners(normals ? mesh : { ...mesh, normals: undefined });
  const glb = new GlbDocument();
  const uvSets = [vertices.attributes.uvs ? 0 : -1, vertices.attributes.uvs2 ? 1 : -1].filter((set) => set >= 0);
  // A normal map without normals has nothing to bend.
  const mappedSet = normals ? normalMapSet(mesh, uvSets) : -1;
  const arrays = attributeArrays(mesh, vertices, mappedSet);
  const attributes = arrays.map(({ semantic, type, values }) => ({ semantic, accessor: glb.accessor(type, values) }));

  const parts = partsOf(mesh);
  const materials = new MaterialWriter(glb, mesh, { uvSets, normals: mappedSet >= 0 }, onWarning ?? (() => {}));
  // Materials keep their order; −1, for none, comes last.
  for (const k of new Set(parts.map(({ material }) => material).sort((a, b) => (a < 0 ? 1 : b < 0 ? -1 : a - b)))) {
    materials.material(k);
  }
  const objects = mesh.objects ?? [{ name: mesh.name, mesh: mesh.name, extras }];
  const fileMeshes = objects.map((object) => glb.document.createMesh(object.mesh));
  const nodes = objects.map((object, k) => glb.node(object.name, undefined, object.extras).setMesh(fileMeshes[k]));
  for (const node of nodes) glb.scene.addChild(node);
  const Indices = vertices.vertexMap.length - 1 > MAX_SHORT_INDEX ? Uint32Array : Uint16Array;
  const primitives = parts.map(({ firstTriangle, triangleCount: count, material, name, object = 0 }) => {
    const corners = vertices.triangles.subarray(3 * firstTriangle, 3 * (firstTriangle + count));
    const primitive = glb.document
      .createPrimitive()
      .setIndices(glb.accessor('SCALAR', Indices.from(corners)))
      .setMaterial(materials.material(material));
    for (const { semantic, accessor } of attributes) primitive.setAttribute(semantic, accessor);
    // Primitives have no name in glTF.
    if (name && name !== objects[object].mesh) primitive.setExtras({ name });
    fileMeshes[object].addPrimitive(primitive);
    return primitive;
  });
  const written = arrays.find(({ semantic }) => semantic === 'NORMAL')?.values;
  return {
    glb,
    nodes: nodes.filter((_, k) => fileMeshes[k].listPrimitives().length > 0),
    primitives,
    vertices,
    normals: written,
  };
}

interface AttributeArray {
  readonly semantic: string;
  readonly type: 'VEC2' | 'VEC3' | 'VEC4';
  readonly values: Float32Array<ArrayBuffer>;
}

/** @param mappedSet  UVs of a normal map, which needs normals and tangents; −1 for none */
function attributeArrays(mesh: Mesh, vertices: FileVertices, mappedSet: number): AttributeArray[] {
  const { vertexMap, triangles, attributes } = vertices;
  const { uvs, uvs2, colors } = attributes;
  const arrays: AttributeArray[] = [];
  const add = (semantic: string, type: AttributeArray['type'], values: Float32Array<ArrayBuffer>) => {
    arrays.push({ semantic, type, values });
    return values;
  };
  const positions = add('POSITION', 'VEC3', gatherVertices(mesh.positions, 3, vertexMap));
  if (attributes.normals || mappedSet >= 0) {
    const given = attributes.normals && unitVectors(attributes.normals.values);
    const normals = add('NORMAL', 'VEC3', given ?? smoothNormals(positions, triangles));
    const mapped = [uvs, uvs2][mappedSet];
    if (mapped) add('TANGENT', 'VEC4', vertexTangents(positions, normals, mapped.values, triangles));
  }
  // Sets of UVs count from 0 without gaps.
  if (uvs || uvs2) add('TEXCOORD_0', 'VEC2', uvs?.values.slice() ?? new Float32Array(2 * vertexMap.length));
  if (uvs2) add('TEXCOORD_1', 'VEC2', uvs2.values.slice());
  if (colors) {
    const clamped = Float32Array.from(colors.values, (value) => Math.min(Math.max(value, 0), 1));
    add('COLOR_0', colors.size === 3 ? 'VEC3' : 'VEC4', clamped);
  }
  return arrays;
}

function partsOf(mesh: Mesh): readonly MeshPart[] {
  const whole = { name: '', firstTriangle: 0, triangleCount: triangleCount(mesh), material: -1 };
  return (mesh.parts ?? [whole]).filter((part) => part.triangleCount > 0);
}

/** The set of UVs of the first normal map that can be used; −1 for none. */
function normalMapSet(mesh: Mesh, uvSets: readonly number[]): number {
  const used = new Set(mesh.parts?.map(({ material }) => material));
  for (const [k, { normalTexture }] of (mesh.materials ?? []).entries()) {
    if (used.has(k) && normalTexture && uvSets.includes(normalTexture.uvSet)) return normalTexture.uvSet;
  }
  return -1;
}
