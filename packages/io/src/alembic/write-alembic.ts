/**
 * Writes a mesh sequence as an Alembic archive: one polygon mesh under one transform, in the layout of the Alembic
 * library. The date is omitted, so that equal sequences give equal bytes.
 */
import { type MeshSequence, resolveOptions, validateMeshSequence } from '@pelt/model';
import { writeArchive } from './archive-writer.ts';
import { BOX, frameBounds, meshContent, objectName } from './mesh-content.ts';
import { littleEndianBytes, POD } from './pod.ts';
import { compoundContent, ONE_SAMPLE, repeated, scalarContent } from './property-content.ts';
import { ACYCLIC, IDENTITY_SAMPLING, type TimeSampling } from './time-sampling.ts';

export interface WriteAlembicOptions {
  /** Name of the mesh and its transform; empty: the name of the rest mesh. */
  readonly name: string;
}

export const WRITE_ALEMBIC_DEFAULTS: WriteAlembicOptions = { name: '' };

/** Tolerance for uniform times, as a fraction of the step. */
const EVEN_STEP = 1e-6;

const XFORM = 'schema=AbcGeom_Xform_v3';

/**
 * Writes a sequence as an Alembic archive: one polygon mesh under one transform. Equal sequences give equal bytes.
 * @example
 * {@includeCode ../../examples/alembic.ts}
 */
export function writeAlembic(sequence: MeshSequence, options?: Partial<WriteAlembicOptions>): Uint8Array<ArrayBuffer> {
  const { name } = resolveOptions('writeAlembic', WRITE_ALEMBIC_DEFAULTS, options);
  validateMeshSequence(sequence);
  const S = sequence.times.length;
  const own = objectName(name || sequence.rest.name || sequence.name, 'mesh');
  const sampling = S > 1 ? samplingOf(sequence.times) : undefined;
  const samples = sampling ? { sampling: 1, samples: S } : ONE_SAMPLE;
  const bounds = frameBounds(sequence);
  const properties = [scalarContent('.childBnds', BOX, samples, bounds)];
  if (sampling) {
    const count = repeated(littleEndianBytes(Uint32Array.of(S)));
    properties.push(scalarContent('1.samples', { pod: POD.uint32, extent: 1 }, ONE_SAMPLE, count));
  }
  const inherits = scalarContent('.inherits', { pod: POD.bool, extent: 1 }, ONE_SAMPLE, repeated(Uint8Array.of(1)));
  return writeArchive({
    metadata: archiveMetadata(sampling),
    timeSamplings: sampling ? [IDENTITY_SAMPLING, sampling] : [IDENTITY_SAMPLING],
    properties,
    children: [
      {
        name: own,
        metadata: `${XFORM};schemaObjTitle=AbcGeom_Xform_v3:.xform`,
        properties: [compoundContent('.xform', XFORM, [inherits])],
        children: [meshContent(own, sequence, samples, bounds)],
      },
    ],
  });
}

/** Sorted by key, as the library writes it. */
function archiveMetadata(sampling: TimeSampling | undefined): string {
  const entries = ['_ai_AlembicVersion=Alembic 1.8.0 (layout)', '_ai_Application=pelt'];
  if (sampling && sampling.timePerCycle < ACYCLIC) entries.push(`_ai_DCC_FPS=${1 / sampling.timePerCycle}`);
  return entries.join(';');
}

function samplingOf(times: Float64Array): TimeSampling {
  const step = times[1] - times[0];
  const even = times.every((time, t) => Math.abs(time - (times[0] + t * step)) <= EVEN_STEP * step);
  return even ? { timePerCycle: step, times: times.slice(0, 1) } : { timePerCycle: ACYCLIC, times };
}
