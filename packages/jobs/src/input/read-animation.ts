/**
 * The frames of an animation in memory. Many OBJ files are scanned in threads of the host where it has some; every other
 * source is read frame by frame, and its time is that of the disk.
 */
import { emptySequence, FrameFiles, type FrameSource, readFrames } from '@pelt/io';
import { checkCancelled, type MeshSequence, type RunContext, vertexCount } from '@pelt/model';
import type { Job } from '../job.ts';
import type { SourceFile } from './source-files.ts';

/** Bytes of OBJ files below which starting threads takes longer than it saves. */
export const PARALLEL_BYTES = 8e6;

/**
 * @param frames  numbers of the frames to read, strictly increasing; absent: all
 * @param files   of an animation that has one for each frame
 */
export async function readAnimation(
  source: FrameSource,
  frames: Uint32Array | undefined,
  files: readonly SourceFile[],
  { scanFrames }: Pick<Job, 'scanFrames'>,
  context?: RunContext,
): Promise<MeshSequence> {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const parallel = scanFrames && bytes >= PARALLEL_BYTES && files.every(({ format }) => format === 'obj');
  if (parallel && source instanceof FrameFiles) return scanInParallel(source, frames, scanFrames, context);
  return readFrames(source, { frames }, context);
}

/**
 * Threads scan positions and hash the faces; what they do not vouch for is read here, in the order of the frames, so that
 * result and errors are those of reading one file after the other.
 */
async function scanInParallel(
  source: FrameFiles,
  frames: Uint32Array | undefined,
  scanFrames: NonNullable<Job['scanFrames']>,
  context?: RunContext,
): Promise<MeshSequence> {
  const sequence = emptySequence(source, frames);
  const count = sequence.times.length;
  const n = vertexCount(sequence.rest);
  const room = (k: number) => sequence.frames.subarray(3 * n * k, 3 * n * (k + 1));
  const done = new Uint8Array(count);
  let finished = 0;
  const finish = (k: number) => {
    done[k] = 1;
    context?.onProgress?.({ stage: 'reading frames', fraction: ++finished / count });
  };
  const read = (k: number) => {
    checkCancelled(context);
    source.readFrame(frames ? frames[k] : k, room(k));
    finish(k);
  };
  // The faces of the first are those that the others mostly have.
  read(0);
  const paths = Array.from({ length: count - 1 }, (_, k) => source.files[frames ? frames[k + 1] : k + 1].name);
  await scanFrames(paths, n, {
    signal: context?.signal,
    scanned: (k, positions, faces) => {
      if (!source.knowsFaces(faces)) return;
      room(k + 1).set(positions);
      finish(k + 1);
    },
  });
  for (let k = 1; k < count; k++) if (!done[k]) read(k);
  return sequence;
}
