/** Reading for whoever shows an animation or a result, by the same rules as the commands. */
import { type Clip, frameCount, InputError, type MeshSequence, type Rig, type RunContext } from '@pelt/model';
import type { Files } from '../files/files.ts';
import type { ConvertFbx } from '../job.ts';
import { matchVertices } from '../reduce/match-examples.ts';
import { played } from '../reduce/reduction-source.ts';
import { type InputOptions, type LoadedSequence, loadSequence } from './load-sequence.ts';
import { openRig } from './open-rig.ts';
import { playLearnt } from './play-learnt.ts';
import { sourceOf } from './source-files.ts';

/** What reading takes of a host. */
export interface ReadingHost extends RunContext {
  readonly files: Files;
  readonly convertFbx?: ConvertFbx;
  readonly onWarning?: (message: string) => void;
}

/** A rig that plays an animation that was read apart. */
export interface MatchedRig {
  readonly rig: Rig;
  /** At as many frames as the animation. */
  readonly clip: Clip;
  /** For each vertex of the rig the one of the animation that it shows: a file repeats vertices along seams. */
  readonly vertices: Uint32Array;
  /** S × n × 3 positions as a learnt skin plays them; absent: the rig blends linearly. */
  readonly learnt?: Float32Array;
}

/**
 * Reads the files of one animation as the commands do.
 *
 * @param inputs  paths of a mesh and its cache, of frames, of a folder, or of one animated file
 * @example
 * {@includeCode ../../examples/open-for-view.ts}
 */
export function openAnimation(
  inputs: readonly string[],
  options: InputOptions,
  host: ReadingHost,
): Promise<LoadedSequence> {
  const source = sourceOf(host.files, inputs, options.rest);
  return loadSequence(source, options, readerOf(host), host);
}

/**
 * Reads a rigged glTF that plays an animation, with the vertices of the one matched to those of the other.
 *
 * @param path      of a skinned glTF with a clip of as many frames
 * @param sequence  what it was made from
 * @example
 * {@includeCode ../../examples/open-for-view.ts}
 */
export async function openMatchedRig(path: string, sequence: MeshSequence, host: ReadingHost): Promise<MatchedRig> {
  const S = frameCount(sequence);
  const { rig, clip, asset } = await clipOfLength(path, sequence, host);
  const shown = { name: clip.name, rest: rig.mesh, frames: played(rig, clip), times: clip.times };
  if (clip.times.length !== S) {
    throw new InputError(
      `'${path}' plays ${clip.times.length} frames, and the animation has ${S}; open its own animation`,
    );
  }
  const learnt = await playLearnt(asset, clip, rig.mesh.positions.length);
  return { rig, clip, vertices: matchVertices(sequence, shown, path), ...(learnt && { learnt }) };
}

/** The first clip with as many frames; keys that were thinned are sampled at the rate of the animation. */
async function clipOfLength(path: string, { times }: MeshSequence, host: ReadingHost) {
  const own = await openRig(path, readerOf(host));
  const exact = own.clips.find((clip) => clip.times.length === times.length);
  if (exact) return { rig: own.rig, clip: exact, asset: own.asset };
  const fps = (times.length - 1) / (times[times.length - 1] || 1);
  const sampled = await openRig(path, readerOf(host), { fps });
  const clip = sampled.clips.find((found) => found.times.length === times.length) ?? sampled.clips[0];
  if (!clip) throw new InputError(`'${path}' has no animation`);
  return { rig: sampled.rig, clip, asset: sampled.asset };
}

function readerOf({ files, convertFbx, onWarning }: ReadingHost) {
  return { files, convertFbx, warn: onWarning ?? (() => {}) };
}
