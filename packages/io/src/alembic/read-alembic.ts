/** Reads meshes of an Alembic archive as a MeshSequence: all frames, or a subset. */
import { type MeshSequence, type RunContext, resolveOptions } from '@pelt/model';
import { READ_FRAMES_DEFAULTS, type ReadFramesOptions, readFrames } from '../frame-source.ts';
import { ALEMBIC_DEFAULTS, AlembicAnimation, type AlembicOptions } from './alembic-animation.ts';
import type { AlembicArchive } from './open-alembic.ts';

export interface ReadAlembicOptions extends AlembicOptions, ReadFramesOptions {}

export const READ_ALEMBIC_DEFAULTS: ReadAlembicOptions = { ...ALEMBIC_DEFAULTS, ...READ_FRAMES_DEFAULTS };

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
  return readFrames(new AlembicAnimation(archive, others), { frames: wanted }, context);
}
