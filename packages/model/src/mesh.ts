import { InputError } from './errors.ts';
import type { Image, Material } from './material.ts';
import { requireFinite, requireIndices, requireLength } from './require.ts';

/**
 * A value at every corner of every triangle: UVs, normals, colours. Where `indices` is absent the attribute is indexed
 * like the positions (glTF); where present it has an index of its own (OBJ), so that a seam does not split a vertex.
 */
export interface CornerAttribute {
  /** Numbers in one value: 2 for UVs, 3 for normals, 3 or 4 for colours. */
  readonly size: 2 | 3 | 4;
  /** count × size, row-major */
  readonly values: Float32Array;
  /** f × 3 indices into `values`; absent: the mesh's own `triangles` */
  readonly indices?: Uint32Array;
}

/** A run of triangles, and of the vertices they use, that was one object, group or primitive in the file. */
export interface MeshPart {
  readonly name: string;
  readonly firstTriangle: number;
  readonly triangleCount: number;
  /** Index into the mesh's `materials`; −1 for none. */
  readonly material: number;
  /** Index into the mesh's `objects`; absent where it has none. */
  readonly object?: number;
}

/** What a file shows as one object: a node with a mesh, whose primitives are parts. */
export interface MeshObject {
  readonly name: string;
  /** The mesh's own name. */
  readonly mesh: string;
  /** Anything that the file says about the node. */
  readonly extras?: unknown;
}

/**
 * A triangle mesh in its file's vertex order. A file of several objects is one Mesh with several parts.
 */
export interface Mesh {
  readonly name: string;
  /** n × 3 */
  readonly positions: Float32Array;
  /** f × 3 vertex indices, counter-clockwise from outside */
  readonly triangles: Uint32Array;
  readonly normals?: CornerAttribute;
  /** From the image's top left, v downwards, as glTF counts them. */
  readonly uvs?: CornerAttribute;
  /** A second set of UVs (light maps, occlusion). */
  readonly uvs2?: CornerAttribute;
  /** Linear, 0 to 1. */
  readonly colors?: CornerAttribute;
  /** In order, covering all triangles without overlap; absent: one part without material. */
  readonly parts?: readonly MeshPart[];
  /** Where the parts belong to several objects, in the order of the parts. */
  readonly objects?: readonly MeshObject[];
  readonly materials?: readonly Material[];
  readonly images?: readonly Image[];
}

/**
 * The number n of vertices of a mesh.
 * @example
 * {@includeCode ../examples/mesh.ts}
 */
export function vertexCount(mesh: Mesh): number {
  return mesh.positions.length / 3;
}

/**
 * The number f of triangles of a mesh.
 * @example
 * {@includeCode ../examples/mesh.ts}
 */
export function triangleCount(mesh: Mesh): number {
  return mesh.triangles.length / 3;
}

/**
 * Throws `InputError` unless every array has its size, every number is finite and every index is in range.
 * @example
 * {@includeCode ../examples/mesh.ts}
 */
export function validateMesh(mesh: Mesh): void {
  const what = mesh.name ? `mesh '${mesh.name}'` : 'mesh';
  if (mesh.positions.length % 3 !== 0) {
    throw new InputError(`${what}: ${mesh.positions.length} position numbers are not a multiple of 3`);
  }
  if (mesh.triangles.length % 3 !== 0) {
    throw new InputError(`${what}: ${mesh.triangles.length} triangle indices are not a multiple of 3`);
  }
  requireFinite(`${what}: positions`, mesh.positions, 3);
  requireIndices(`${what}: triangles`, mesh.triangles, vertexCount(mesh));
  for (const key of ['normals', 'uvs', 'uvs2', 'colors'] as const) {
    const attribute = mesh[key];
    if (attribute) validateCornerAttribute(`${what}: ${key}`, attribute, mesh);
  }
  if (mesh.parts) validateParts(what, mesh.parts, mesh);
}

function validateCornerAttribute(what: string, attribute: CornerAttribute, mesh: Mesh): void {
  if (attribute.values.length % attribute.size !== 0) {
    throw new InputError(`${what}: ${attribute.values.length} numbers are not a multiple of ${attribute.size}`);
  }
  requireFinite(what, attribute.values, attribute.size);
  const count = attribute.values.length / attribute.size;
  if (attribute.indices) {
    requireLength(`${what}: indices`, attribute.indices, mesh.triangles.length);
    requireIndices(`${what}: indices`, attribute.indices, count);
  } else if (count !== vertexCount(mesh)) {
    throw new InputError(`${what}: ${count} values for ${vertexCount(mesh)} vertices`);
  }
}

function validateParts(what: string, parts: readonly MeshPart[], mesh: Mesh): void {
  let next = 0;
  let last = 0;
  for (const part of parts) {
    if (part.firstTriangle !== next || part.triangleCount < 0) {
      throw new InputError(`${what}: part '${part.name}' starts at triangle ${part.firstTriangle}, expected ${next}`);
    }
    next += part.triangleCount;
    const object = part.object ?? -1;
    if (mesh.objects && !(object >= last && object < mesh.objects.length)) {
      throw new InputError(
        `${what}: part '${part.name}' belongs to object ${object}; objects follow each other from 0`,
      );
    }
    last = object;
    if (part.material < -1 || part.material >= (mesh.materials?.length ?? 0)) {
      throw new InputError(`${what}: part '${part.name}' names material ${part.material}, which is not there`);
    }
  }
  if (next !== triangleCount(mesh)) {
    throw new InputError(`${what}: its parts hold ${next} of ${triangleCount(mesh)} triangles`);
  }
}
