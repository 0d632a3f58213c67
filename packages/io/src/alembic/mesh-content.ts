/**
 * The PolyMesh object of a sequence: bounds, points, faces, UVs and normals, in the order of the Alembic library, with
 * mesh parts as face sets. Alembic faces wind clockwise, and v points up.
 *
 * A sequence has normals for the rest pose only; those of other frames are rotated with the surface.
 */
import { type CornerAttribute, frameAt, type MeshPart, type MeshSequence } from '@pelt/model';
import { FrameMeshes } from '../frame-meshes.ts';
import type { ObjectContent, PropertyContent } from './archive-writer.ts';
import { SCOPES } from './geom-param.ts';
import { littleEndianBytes, POD, POD_NAMES } from './pod.ts';
import {
  arrayContent,
  compoundContent,
  ONE_SAMPLE,
  type PropertyType,
  repeated,
  type Samples,
  scalarContent,
} from './property-content.ts';
import type { SampledContent } from './sample-writer.ts';

const GEOM = 'schema=AbcGeom_PolyMesh_v1;schemaBaseType=AbcGeom_GeomBase_v1';
const FACE_SET = 'schema=AbcGeom_FaceSet_v1;schemaBaseType=AbcGeom_GeomBase_v1';
export const BOX: PropertyType = { pod: POD.float64, extent: 6, metadata: 'interpretation=box' };
const POINTS: PropertyType = {
  pod: POD.float32,
  extent: 3,
  metadata: `geoScope=${SCOPES.vertex};interpretation=point`,
};
const INTEGERS: PropertyType = { pod: POD.int32, extent: 1 };
const INDICES: PropertyType = { pod: POD.uint32, extent: 1 };
/** Face set flag: its faces belong to no other set. */
const EXCLUSIVE = 1;

/**
 * @param name    must not contain a slash
 * @param bounds  see `frameBounds`
 */
export function meshContent(
  name: string,
  sequence: MeshSequence,
  samples: Samples,
  bounds: SampledContent['sample'],
): ObjectContent {
  const { triangles, uvs, parts } = sequence.rest;
  const faceIndices = littleEndianBytes(reversedFaces(triangles));
  const faceCounts = littleEndianBytes(new Int32Array(triangles.length / 3).fill(3));
  const properties: PropertyContent[] = [
    scalarContent('.selfBnds', BOX, samples, bounds),
    arrayContent('P', POINTS, samples, (t) => littleEndianBytes(frameAt(sequence, t))),
    arrayContent('.faceIndices', INTEGERS, samples, repeated(faceIndices)),
    arrayContent('.faceCounts', INTEGERS, samples, repeated(faceCounts)),
  ];
  if (uvs) {
    const values = repeated(littleEndianBytes(upwards(uvs.values)));
    properties.push(geomParam('uv', 'vector', 2, uvs.indices, samples, values));
  }
  const normals = normalSamples(sequence);
  if (normals) {
    properties.push(
      geomParam('N', 'normal', 3, normals.indices, samples, (t) => littleEndianBytes(normals.valuesAt(t))),
    );
  }
  return {
    name,
    metadata: `${GEOM};schemaObjTitle=AbcGeom_PolyMesh_v1:.geom`,
    properties: [compoundContent('.geom', GEOM, properties)],
    children: faceSets(parts ?? []),
  };
}

/** Bounds per frame; the last result is cached, because the archive and the mesh request each frame in turn. */
export function frameBounds(sequence: MeshSequence): SampledContent['sample'] {
  let last = -1;
  let bytes: Uint8Array = new Uint8Array(0);
  return (t) => {
    if (t !== last) bytes = littleEndianBytes(boundsOf(frameAt(sequence, t)));
    last = t;
    return bytes;
  };
}

/** A valid object name: slashes separate names in a path. */
export function objectName(name: string, fallback: string): string {
  return name.replaceAll('/', '_') || fallback;
}

/** Per-vertex values unindexed, per-corner values indexed. */
function geomParam(
  name: string,
  interpretation: string,
  extent: number,
  indices: Uint32Array | undefined,
  samples: Samples,
  sample: SampledContent['sample'],
): PropertyContent {
  const metadata =
    `arrayExtent=1;geoScope=${indices ? SCOPES.corner : SCOPES.vertex};interpretation=${interpretation};` +
    `isGeomParam=true;podExtent=${extent};podName=${POD_NAMES[POD.float32]}`;
  const type: PropertyType = { pod: POD.float32, extent, metadata };
  if (!indices) return arrayContent(name, type, samples, sample);
  return compoundContent(name, metadata, [
    arrayContent('.vals', type, samples, sample),
    arrayContent('.indices', INDICES, samples, repeated(littleEndianBytes(reversedFaces(indices)))),
  ]);
}

interface NormalSamples {
  /** Per corner; undefined for per-vertex normals. */
  readonly indices: Uint32Array | undefined;
  readonly valuesAt: (t: number) => Float32Array;
}

function normalSamples(sequence: MeshSequence): NormalSamples | undefined {
  const { rest } = sequence;
  if (!rest.normals) return undefined;
  const frames = new FrameMeshes(sequence);
  const turned = (t: number) => frames.at(t).normals ?? rest.normals;
  const indices = turned(0)?.indices;
  // A frame equal to the rest pose gets the rest normals bit for bit.
  const atRest = indices ? regrouped(rest.normals, indices) : rest.normals.values;
  return {
    indices,
    valuesAt: (t) => (equal(frameAt(sequence, t), rest.positions) ? atRest : (turned(t)?.values ?? atRest)),
  };
}

/** Corner values reindexed by group. */
function regrouped({ size, values, indices }: CornerAttribute, groups: Uint32Array): Float32Array {
  const count = groups.reduce((most, group) => Math.max(most, group + 1), 0);
  const out = new Float32Array(count * size);
  groups.forEach((group, c) => {
    const from = (indices?.[c] ?? 0) * size;
    out.set(values.subarray(from, from + size), group * size);
  });
  return out;
}

function faceSets(parts: readonly MeshPart[]): ObjectContent[] {
  const taken = new Set<string>();
  // The library writes empty bounds for face sets.
  const empty = repeated(littleEndianBytes(boundsOf(new Float32Array(0))));
  return parts.map((part, k) => {
    const faces = Int32Array.from({ length: part.triangleCount }, (_, f) => part.firstTriangle + f);
    return {
      name: unusedName(objectName(part.name, `part${k}`), taken),
      metadata: `${FACE_SET};schemaObjTitle=AbcGeom_FaceSet_v1:.faceset`,
      properties: [
        compoundContent('.faceset', FACE_SET, [
          scalarContent('.selfBnds', BOX, ONE_SAMPLE, empty),
          arrayContent('.faces', INTEGERS, ONE_SAMPLE, repeated(littleEndianBytes(faces))),
          scalarContent('.facesExclusive', INDICES, ONE_SAMPLE, repeated(littleEndianBytes(Uint32Array.of(EXCLUSIVE)))),
        ]),
      ],
      children: [],
    };
  });
}

function unusedName(name: string, taken: Set<string>): string {
  let unused = name;
  for (let k = 2; taken.has(unused); k++) unused = `${name}_${k}`;
  taken.add(unused);
  return unused;
}

/** Reverses the corners of each triangle. */
function reversedFaces(corners: Uint32Array): Uint32Array {
  return corners.map((_, c) => corners[c + 2 - 2 * (c % 3)]);
}

function upwards(uvs: Float32Array): Float32Array {
  return uvs.map((value, k) => (k % 2 === 1 ? 1 - value : value));
}

/** Minimum then maximum per axis; the empty box if there are no points. */
function boundsOf(positions: Float32Array): Float64Array {
  const bounds = Float64Array.from({ length: 6 }, (_, d) => (d < 3 ? Number.MAX_VALUE : -Number.MAX_VALUE));
  for (let d = 0; d < 3; d++) {
    let [low, high] = [bounds[d], bounds[3 + d]];
    for (let k = d; k < positions.length; k += 3) {
      const value = positions[k];
      if (value < low) low = value;
      if (value > high) high = value;
    }
    bounds[d] = low;
    bounds[3 + d] = high;
  }
  return bounds;
}

function equal(a: Float32Array, b: Float32Array): boolean {
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}
