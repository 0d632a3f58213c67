/**
 * GeomParams (UVs, normals): values with a scope (constant, uniform, varying, vertex or facevarying), optionally
 * indexed. The scope comes from the metadata; if the number of values contradicts it, the number decides, because some
 * exporters label facevarying data as `vtx`.
 */
import type { CornerAttribute } from '@pelt/model';
import type { WarningTally } from '../warning-tally.ts';
import { metadataValue } from './headers.ts';
import { facesOfCorners, type MeshFaces } from './mesh-faces.ts';
import type { AlembicMesh } from './mesh-object.ts';

export interface GeomParam {
  /** count × size, as stored */
  readonly values: Float32Array;
  /** Index into `values` per element of the scope (vertex, corner, face). */
  readonly indices: Int32Array | undefined;
  readonly scope: string;
}

/** Scope names in the metadata. */
export const SCOPES = { constant: 'con', uniform: 'uni', varying: 'var', vertex: 'vtx', corner: 'fvr' } as const;

/** The first sample of a GeomParam; undefined if the mesh has none of that name and size. */
export function readGeomParam(mesh: AlembicMesh, name: string, size: number): GeomParam | undefined {
  const schema = mesh.content.object.schema;
  if (!schema) return undefined;
  const scope = metadataValue(schema.metadata(name) ?? '', 'geoScope');
  const plain = schema.sampled(name);
  if (plain) return plain.header.extent === size ? { values: plain.float32(0), indices: undefined, scope } : undefined;
  const compound = schema.compound(name);
  const values = compound?.sampled('.vals');
  if (!compound || !values || values.header.extent !== size) return undefined;
  return { values: values.float32(0), indices: compound.sampled('.indices')?.int32(0), scope };
}

/** @return undefined, with a warning, if the values match no scope */
export function cornerAttribute(
  param: GeomParam,
  size: 2 | 3,
  mesh: AlembicMesh,
  faces: MeshFaces,
  warnings: WarningTally,
): CornerAttribute | undefined {
  const count = param.values.length / size;
  const { indices } = param;
  if (count === 0) return undefined;
  if (indices?.some((index) => index < 0 || index >= count)) {
    warnings.add(`${size === 2 ? 'UVs' : 'normals'} of '${mesh.path}' have indices out of range and were skipped`);
    return undefined;
  }
  const values = finiteValues(param.values, `a ${size === 2 ? 'UV' : 'normal'} of '${mesh.path}'`, warnings);
  const scope = scopeOf(param.scope, indices?.length ?? count, mesh, faces);
  switch (scope) {
    case SCOPES.vertex:
      return { size, values: indices ? expanded(values, size, indices) : values };
    case SCOPES.corner:
      return ofVerticesWherePossible({ size, values, indices: itemIndices(faces.corners, indices) }, mesh, faces);
    case SCOPES.uniform:
      return { size, values, indices: itemIndices(facesOfCorners(faces), indices) };
    case SCOPES.constant:
      return { size, values, indices: new Uint32Array(faces.triangles.length).fill(indices?.[0] ?? 0) };
    default:
      warnings.add(
        `${indices?.length ?? count} ${size === 2 ? 'UVs' : 'normals'} of '${mesh.path}' ` +
          'match neither its vertices nor its corners nor its faces; skipped',
      );
      return undefined;
  }
}

function scopeOf(named: string, items: number, mesh: AlembicMesh, faces: MeshFaces): string | undefined {
  const counts = new Map<string, number>([
    [SCOPES.vertex, mesh.vertices],
    [SCOPES.corner, faces.cornerCount],
    [SCOPES.uniform, faces.counts.length],
    [SCOPES.constant, 1],
  ]);
  const scope = named === SCOPES.varying ? SCOPES.vertex : named;
  if (counts.get(scope) === items) return scope;
  for (const [other, count] of counts) if (count === items) return other;
  return undefined;
}

function itemIndices(items: Uint32Array, indices: Int32Array | undefined): Uint32Array {
  return indices ? items.map((item) => indices[item]) : items;
}

function expanded(values: Float32Array, size: number, indices: Int32Array): Float32Array {
  const out = new Float32Array(indices.length * size);
  for (let i = 0; i < indices.length; i++) {
    for (let d = 0; d < size; d++) out[i * size + d] = values[indices[i] * size + d];
  }
  return out;
}

/** Drops indices equal to the triangles', which make the attribute a per-vertex one. */
function ofVerticesWherePossible(attribute: CornerAttribute, mesh: AlembicMesh, faces: MeshFaces): CornerAttribute {
  const { size, values, indices } = attribute;
  if (values.length !== mesh.vertices * size) return attribute;
  return indices?.every((index, c) => index === faces.triangles[c]) ? { size, values } : attribute;
}

function finiteValues(values: Float32Array, what: string, warnings: WarningTally): Float32Array {
  if (values.every((value) => Number.isFinite(value))) return values;
  warnings.add(`${what} is not a finite number; 0 is used`);
  return values.map((value) => (Number.isFinite(value) ? value : 0));
}
