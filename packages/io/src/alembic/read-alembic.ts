/** Reads meshes of an Alembic archive as a MeshSequence: all frames, or a subset. */
import {
  checkCancelled,
  InputError,
  type MeshSequence,
  type RunContext,
  resolveOptions,
  UsageError,
} from '@pelt/model';
import { ALEMBIC_DEFAULTS, AlembicAnimation, type AlembicOptions } from './alembic-animation.ts';
import type { AlembicArchive } from './open-alembic.ts';

export interface ReadAlembicOptions extends AlembicOptions {
  /** Frame numbers to read, strictly increasing; absent: all. */
  readonly frames: ArrayLike<number> | undefined;
}

export const READ_ALEMBIC_DEFAULTS: ReadAlembicOptions = { ...ALEMBIC_DEFAULTS, frames: undefined };

/**
 * Reads the meshes of an Alembic archive as a sequence. The rest pose is the first frame of the archive, even if
 * `frames` does not include it.
 * @example
 * {@includeCode ../../examples/alembic.ts}
 */
export function readAlembicSequence(
  archive: AlembicArchive,
  options?: Partial<ReadAlembicOptions>,
  context?: RunContext,
): MeshSequence {
  const { frames: wanted, ...others } = resolveOptions('readAlembicSequence', READ_ALEMBIC_DEFAULTS, options);
  const animation = new AlembicAnimation(archive, others);
  const { rest, times, name } = animation;
  const chosen = wanted ? checkedFrames(wanted, times.length) : undefined;
  const size = rest.positions.length;
  const count = chosen?.length ?? times.length;
  const frames = allocateFrames(archive.label, count, size);
  for (let k = 0; k < count; k++) {
    checkCancelled(context);
    animation.readFrame(chosen ? chosen[k] : k, frames.subarray(k * size, (k + 1) * size));
    context?.onProgress?.({ stage: 'reading frames', fraction: (k + 1) / count });
  }
  const start = chosen ? times[chosen[0]] : 0;
  const kept = chosen ? Float64Array.from(chosen, (t) => times[t] - start) : times;
  return { name, rest, frames, times: kept };
}

function checkedFrames(frames: ArrayLike<number>, count: number): Uint32Array {
  if (frames.length === 0) throw new UsageError('readAlembicSequence: frames is empty');
  for (let k = 0; k < frames.length; k++) {
    if (!Number.isInteger(frames[k]) || frames[k] < 0 || frames[k] >= count) {
      throw new UsageError(`readAlembicSequence: there is no frame ${frames[k]}; the archive has 0 to ${count - 1}`);
    }
    if (k > 0 && frames[k] <= frames[k - 1]) throw new UsageError('readAlembicSequence: frames must increase');
  }
  return Uint32Array.from(frames);
}

/** A larger sequence would not fit into memory. */
const MAX_NUMBERS = 2 ** 31;

/** Turns an allocation failure into an error with advice. */
function allocateFrames(label: string, count: number, size: number): Float32Array {
  try {
    if (count * size > MAX_NUMBERS) throw new RangeError(`${count * size} numbers`);
    return new Float32Array(count * size);
  } catch (cause) {
    const gigabytes = ((count * size * 4) / 1e9).toFixed(1);
    throw new InputError(
      `${label}: ${count} frames of ${size / 3} vertices need ${gigabytes} GB, which does not fit into memory; read fewer frames or use a lower rate`,
      { cause },
    );
  }
}
