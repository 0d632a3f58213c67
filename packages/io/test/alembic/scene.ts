/** Builds archives for tests: objects as exporters write them, including those that `writeAlembic` does not. */

import { type ObjectContent, type PropertyContent, writeArchive } from '../../src/alembic/archive-writer.ts';
import { littleEndianBytes, POD, POD_NAMES } from '../../src/alembic/pod.ts';
import { arrayContent, compoundContent, type Samples, scalarContent } from '../../src/alembic/property-content.ts';
import { ACYCLIC, IDENTITY_SAMPLING, type TimeSampling } from '../../src/alembic/time-sampling.ts';
import {
  type AlembicAnimation,
  type AlembicArchive,
  openAlembic,
  readAlembicSequence,
  sourceOfBytes,
} from '../../src/index.ts';

export type { AlembicAnimation };

/** Time sampling 1 of every built archive: 24 samples a second, from frame 1 on. */
export const AT_24: TimeSampling = { timePerCycle: 1 / 24, times: Float64Array.of(1 / 24) };

export const uniform = (fps: number, start = 0): TimeSampling => ({
  timePerCycle: 1 / fps,
  times: Float64Array.of(start),
});
export const cyclic = (timePerCycle: number, ...times: number[]): TimeSampling => ({
  timePerCycle,
  times: Float64Array.from(times),
});
export const acyclic = (...times: number[]): TimeSampling => cyclic(ACYCLIC, ...times);

export function buildArchive(children: readonly ObjectContent[], samplings: readonly TimeSampling[] = [AT_24]) {
  return writeArchive({
    metadata: '_ai_Application=tests',
    timeSamplings: [IDENTITY_SAMPLING, ...samplings],
    properties: [],
    children,
  });
}

export function openBytes(bytes: Uint8Array, name = 'a.abc'): AlembicArchive {
  return openAlembic(sourceOfBytes(bytes), { name });
}

export function openScene(children: readonly ObjectContent[], samplings?: readonly TimeSampling[]): AlembicArchive {
  return openBytes(buildArchive(children, samplings));
}

/** Reads a scene's meshes and collects the warnings. */
export function readScene(
  children: readonly ObjectContent[],
  options: Parameters<typeof readAlembicSequence>[1] = {},
  samplings?: readonly TimeSampling[],
) {
  const warnings: string[] = [];
  const onWarning = (message: string) => {
    warnings.push(message);
  };
  return { ...readAlembicSequence(openScene(children, samplings), { onWarning, ...options }), warnings };
}

export const floats = (values: readonly number[]) => littleEndianBytes(Float32Array.from(values));
export const doubles = (values: readonly number[]) => littleEndianBytes(Float64Array.from(values));
export const integers = (values: readonly number[]) => littleEndianBytes(Int32Array.from(values));

/** Samples of one property: one is constant, several belong to a time sampling. */
export function samplesOf<T>(samples: readonly T[], sampling = 1): Samples {
  return samples.length > 1 ? { sampling, samples: samples.length } : { sampling: 0, samples: 1 };
}

/** Every geometry has bounds, which no reader may do without; nothing here looks at their value. */
const BOUNDS = scalarContent(
  '.selfBnds',
  { pod: POD.float64, extent: 6, metadata: 'interpretation=box' },
  { sampling: 0, samples: 1 },
  () => doubles([0, 0, 0, 1, 1, 1]),
);

const geometry = (kind: string) => `schema=AbcGeom_${kind}_v1;schemaBaseType=AbcGeom_GeomBase_v1`;

export interface MeshInput {
  readonly kind?: 'PolyMesh' | 'SubD';
  /** One list of coordinates for each sample. */
  readonly points: readonly (readonly number[])[];
  readonly counts?: readonly (readonly number[])[];
  readonly indices?: readonly (readonly number[])[];
  readonly sampling?: number;
  readonly properties?: readonly PropertyContent[];
  readonly objectProperties?: readonly PropertyContent[];
  readonly children?: readonly ObjectContent[];
}

/** A triangle that an archive winds clockwise: seen from +z its corners are 0, 2, 1. */
export const TRIANGLE: MeshInput = { points: [[0, 0, 0, 1, 0, 0, 0, 1, 0]], counts: [[3]], indices: [[0, 2, 1]] };

export function meshObject(name: string, input: MeshInput): ObjectContent {
  const { kind = 'PolyMesh', points, counts = [], indices = [], sampling = 1, properties = [] } = input;
  const array = (property: string, samples: readonly (readonly number[])[]) =>
    samples.length === 0
      ? []
      : [
          arrayContent(property, { pod: POD.int32, extent: 1 }, samplesOf(samples, sampling), (t) =>
            integers(samples[t]),
          ),
        ];
  return {
    name,
    metadata: `${geometry(kind)};schemaObjTitle=AbcGeom_${kind}_v1:.geom`,
    properties: [
      compoundContent('.geom', geometry(kind), [
        { ...BOUNDS },
        arrayContent(
          'P',
          { pod: POD.float32, extent: 3, metadata: 'geoScope=vtx;interpretation=point' },
          samplesOf(points, sampling),
          (t) => floats(points[t]),
        ),
        ...array('.faceIndices', indices),
        ...array('.faceCounts', counts),
        ...properties,
      ]),
      ...(input.objectProperties ?? []),
    ],
    children: input.children ?? [],
  };
}

/** Kinds of operations, as the upper half of their byte. */
export const OP = { scale: 0, translate: 1, rotate: 2, matrix: 3, rotateX: 4, rotateY: 5, rotateZ: 6 } as const;

export interface XformInput {
  readonly ops: readonly number[];
  /** All numbers of one sample, for each sample. */
  readonly values: readonly (readonly number[])[];
  readonly sampling?: number;
  readonly inherits?: readonly boolean[];
  /** The lower half of each operation's byte. */
  readonly hint?: number;
  readonly objectProperties?: readonly PropertyContent[];
}

export function xformObject(name: string, input: XformInput, children: readonly ObjectContent[]): ObjectContent {
  const { ops, values, sampling = 1, inherits = [true], hint = 0 } = input;
  const properties: PropertyContent[] = [
    scalarContent('.inherits', { pod: POD.bool, extent: 1 }, samplesOf(inherits, sampling), (t) =>
      Uint8Array.of(inherits[t] ? 1 : 0),
    ),
  ];
  if (ops.length > 0) {
    const encoded = Uint8Array.from(ops, (op) => op * 16 + hint);
    properties.push(
      scalarContent('.ops', { pod: POD.uint8, extent: ops.length }, { sampling: 0, samples: 1 }, () => encoded),
      scalarContent('.vals', { pod: POD.float64, extent: values[0].length }, samplesOf(values, sampling), (t) =>
        doubles(values[t]),
      ),
      scalarContent('isNotConstantIdentity', { pod: POD.bool, extent: 1 }, { sampling: 0, samples: 1 }, () =>
        Uint8Array.of(1),
      ),
    );
  }
  return {
    name,
    metadata: 'schema=AbcGeom_Xform_v3;schemaObjTitle=AbcGeom_Xform_v3:.xform',
    properties: [compoundContent('.xform', 'schema=AbcGeom_Xform_v3', properties), ...(input.objectProperties ?? [])],
    children,
  };
}

export const translate = (x: number, y: number, z: number): XformInput => ({
  ops: [OP.translate],
  values: [[x, y, z]],
});

export function faceSetObject(name: string, faces: readonly number[]): ObjectContent {
  const content = arrayContent('.faces', { pod: POD.int32, extent: 1 }, { sampling: 0, samples: 1 }, () =>
    integers(faces),
  );
  return {
    name,
    metadata: `${geometry('FaceSet')};schemaObjTitle=AbcGeom_FaceSet_v1:.faceset`,
    properties: [compoundContent('.faceset', geometry('FaceSet'), [{ ...BOUNDS }, content])],
    children: [],
  };
}

/** UVs or normals, with indices where they are given. */
export function geomParam(
  name: 'uv' | 'N',
  scope: string,
  values: readonly number[],
  indices?: readonly number[],
): PropertyContent {
  const extent = name === 'uv' ? 2 : 3;
  const metadata = `arrayExtent=1;geoScope=${scope};interpretation=${name === 'uv' ? 'vector' : 'normal'};isGeomParam=true;podExtent=${extent};podName=${POD_NAMES[POD.float32]}`;
  const one = { sampling: 0, samples: 1 };
  const type = { pod: POD.float32, extent, metadata };
  if (!indices) return arrayContent(name, type, one, () => floats(values));
  return compoundContent(name, metadata, [
    arrayContent('.vals', type, one, () => floats(values)),
    arrayContent('.indices', { pod: POD.uint32, extent: 1 }, one, () => integers(indices)),
  ]);
}

/** −1 as the parent, 0 hidden, 1 visible. */
export function visibleProperty(...values: number[]): PropertyContent {
  return scalarContent('visible', { pod: POD.int8, extent: 1 }, samplesOf(values), (t) =>
    Uint8Array.of(values[t] & 255),
  );
}

export function instanceObject(name: string, source: string): ObjectContent {
  const path = new TextEncoder().encode(`${source}\0`);
  return {
    name,
    metadata: 'isInstance=1',
    properties: [
      scalarContent('.instanceSource', { pod: POD.string, extent: 1 }, { sampling: 0, samples: 1 }, () => path),
    ],
    children: [],
  };
}
