/**
 * A mesh sequence as an Alembic archive: one polygon mesh below one transform. The layout and the names are those of the
 * Alembic library, so that what reads its archives reads these. There is no date in it: equal sequences give equal
 * bytes.
 */
import { type MeshSequence, resolveOptions, validateMeshSequence } from '@pelt/model';
import { writeArchive } from './archive-writer.ts';
import { BOX, frameBounds, meshContent, objectName } from './mesh-content.ts';
import { littleEndianBytes, POD } from './pod.ts';
import { compoundContent, ONE_SAMPLE, repeated, scalarContent } from './property-content.ts';
import { ACYCLIC, IDENTITY_SAMPLING, type TimeSampling } from './time-sampling.ts';

export interface WriteAlembicOptions {
  /** Name of the mesh and of its transform; empty: that of the rest pose. */
  readonly name: string;
}

export const WRITE_ALEMBIC_DEFAULTS: WriteAlembicOptions = { name: '' };

/** How far a time may be from an even step, as a share of it, to count as evenly spaced. */
const EVEN_STEP = 1e-6;

const XFORM = 'schema=AbcGeom_Xform_v3';

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

/** Keys in the order of the alphabet, as the library writes them. */
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
