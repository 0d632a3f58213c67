import type { Accessor, Mesh as FileMesh, Primitive } from '@gltf-transform/core';
import { InputError, type Mesh, type MeshPart, triangleCount, validateMesh } from '@pelt/model';
import type { GlbDocument } from './glb-document.ts';
import { expandVertices, type FileVertices, splitCorners } from './split-corners.ts';
import { vertexTangents } from './tangents.ts';
import { smoothNormals, unitVectors } from './vertex-normals.ts';
import { MaterialWriter } from './write-materials.ts';

/** What every GLB writer can be told. */
export interface GlbOptions {
  /** Write the mesh's normals; without, viewers shade it flat. */
  readonly normals: boolean;
  /** Told of everything that glTF cannot hold. */
  readonly onWarning: ((message: string) => void) | undefined;
}

export const GLB_DEFAULTS: GlbOptions = { normals: true, onWarning: undefined };

/** What every GLB writer gives back. */
export interface GlbFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Model vertex of each vertex of the file; the first n are the model's in its order, seams add copies. */
  readonly vertexMap: Uint32Array;
}

export interface WrittenMesh {
  readonly mesh: FileMesh;
  readonly primitives: readonly Primitive[];
  readonly vertices: FileVertices;
  /** File vertices × 3, as they are in the file. */
  readonly positions: Float32Array;
  readonly normals: Float32Array | undefined;
}

/** 65535 restarts a strip, so that 16 bits reach one vertex less. */
const MAX_SHORT_INDEX = 65534;

/** The mesh, one primitive for each of its parts, all over the same vertices. */
export function writeMesh(glb: GlbDocument, mesh: Mesh, { normals, onWarning }: GlbOptions): WrittenMesh {
  validateMesh(mesh);
  if (triangleCount(mesh) === 0)
    throw new InputError(`mesh '${mesh.name}' has no triangles, so there is nothing to write`);
  const vertices = splitCorners(normals ? mesh : { ...mesh, normals: undefined });
  const { attributes, triangles } = vertices;
  const positions = expandVertices(mesh.positions, 3, vertices.vertexMap);
  const uvSets = [attributes.uvs ? 0 : -1, attributes.uvs2 ? 1 : -1].filter((set) => set >= 0);
  // A normal map without normals has nothing to bend.
  const mapped = normals ? normalMapSet(mesh, uvSets) : -1;
  const given = attributes.normals && unitVectors(attributes.normals.values);
  const unit = given ?? (mapped >= 0 ? smoothNormals(positions, triangles) : undefined);

  const shared = new Map<string, Accessor>();
  shared.set('POSITION', glb.accessor('VEC3', positions));
  if (unit) shared.set('NORMAL', glb.accessor('VEC3', unit));
  if (unit && mapped >= 0) {
    const uvs = (mapped === 0 ? attributes.uvs : attributes.uvs2)?.values ?? new Float32Array(0);
    shared.set('TANGENT', glb.accessor('VEC4', vertexTangents(positions, unit, uvs, triangles)));
  }
  if (attributes.uvs) shared.set('TEXCOORD_0', glb.accessor('VEC2', attributes.uvs.values.slice()));
  if (attributes.uvs2) {
    // Sets count from 0 without gaps.
    if (!attributes.uvs)
      shared.set('TEXCOORD_0', glb.accessor('VEC2', new Float32Array(2 * vertices.vertexMap.length)));
    shared.set('TEXCOORD_1', glb.accessor('VEC2', attributes.uvs2.values.slice()));
  }
  if (attributes.colors) {
    const colors = attributes.colors.values.map((value) => Math.min(Math.max(value, 0), 1));
    shared.set('COLOR_0', glb.accessor(attributes.colors.size === 3 ? 'VEC3' : 'VEC4', colors));
  }

  const materials = new MaterialWriter(glb, mesh, { uvSets, normals: mapped >= 0 }, onWarning ?? (() => {}));
  const fileMesh = glb.document.createMesh(mesh.name);
  const Indices = vertices.vertexMap.length - 1 > MAX_SHORT_INDEX ? Uint32Array : Uint16Array;
  const parts = partsOf(mesh);
  // Materials keep their order; −1, for none, comes last.
  for (const k of new Set(parts.map(({ material }) => material).sort((a, b) => (a < 0 ? 1 : b < 0 ? -1 : a - b)))) {
    materials.material(k);
  }
  const primitives = parts.map(({ firstTriangle, triangleCount: count, material, name }) => {
    const corners = triangles.subarray(3 * firstTriangle, 3 * (firstTriangle + count));
    const primitive = glb.document
      .createPrimitive()
      .setIndices(glb.accessor('SCALAR', Indices.from(corners)))
      .setMaterial(materials.material(material));
    for (const [semantic, accessor] of shared) primitive.setAttribute(semantic, accessor);
    // Primitives have no name in glTF.
    if (name && name !== mesh.name) primitive.setExtras({ name });
    fileMesh.addPrimitive(primitive);
    return primitive;
  });
  return { mesh: fileMesh, primitives, vertices, positions, normals: unit };
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
