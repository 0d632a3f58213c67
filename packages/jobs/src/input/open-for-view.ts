/** Reading for whoever shows an animation or a result, by the same rules as the commands. */
import { type Clip, frameCount, InputError, type MeshSequence, type Rig, type RunContext } from '@pelt/model';
import type { Files } from '../files/files.ts';
import type { ConvertFbx } from '../job.ts';
import { matchVertices } from '../reduce/match-examples.ts';
import { played } from '../reduce/reduction-source.ts';
import { type ClipSpan, type ClipsOptions, joinedTimes, openClips, readClips } from './load-clips.ts';
import { type OpenedRig, openRig } from './open-rig.ts';
import { playLearnt } from './play-learnt.ts';

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

/** An animation as it is shown: all clips of it behind each other. */
export interface OpenedAnimation {
  readonly sequence: MeshSequence;
  readonly label: string;
  /** In the order of their frames, with their own times. */
  readonly clips: readonly ClipSpan[];
  /** Whether the file has a skin of its own that moves it. */
  readonly skinned: boolean;
}

/**
 * Reads the files of one animation as the commands do: all clips, where a file has several.
 *
 * @param inputs  paths of a mesh and its cache, of frames, of a folder, or of one animated file
 * @example
 * {@includeCode ../../examples/open-for-view.ts}
 */
export async function openAnimation(
  inputs: readonly string[],
  options: ClipsOptions,
  host: ReadingHost,
): Promise<OpenedAnimation> {
  const reader = readerOf(host);
  const opened = await openClips(inputs, options, reader, host);
  const { sequence: read, label, clips } = await readClips(opened, reader, host);
  const sequence = clips.length > 1 ? { ...read, times: joinedTimes(clips) } : read;
  return { sequence, label, clips, skinned: opened.parts.every((part) => part.opened.skinned !== undefined) };
}

/**
 * Reads a rigged glTF that plays an animation, with the vertices of the one matched to those of the other.
 *
 * @param path       of a skinned glTF with a clip of as many frames, or one for each clip of the animation
 * @param animation  what it was made from
 * @example
 * {@includeCode ../../examples/open-for-view.ts}
 */
export async function openMatchedRig(
  path: string,
  { sequence, clips }: Pick<OpenedAnimation, 'sequence' | 'clips'>,
  host: ReadingHost,
): Promise<MatchedRig> {
  const S = frameCount(sequence);
  const playing = new RigClips(path, host);
  const { rig, asset } = await playing.own();
  const found: Clip[] = [];
  for (const span of clips) found.push(await playing.clipFor(span, clips.length > 1));
  const clip = found.length === 1 ? found[0] : joined(found, sequence.times);
  const shown = { name: clip.name, rest: rig.mesh, frames: played(rig, clip), times: clip.times };
  if (clip.times.length !== S) {
    throw new InputError(
      `'${path}' plays ${clip.times.length} frames, and the animation has ${S}; open its own animation`,
    );
  }
  const learnt = await playLearnt(asset, clip, rig.mesh.positions.length);
  return { rig, clip, vertices: matchVertices(sequence, shown, path), ...(learnt && { learnt }) };
}

/** The clips of a rig at the frames of an animation. */
class RigClips {
  readonly #path: string;
  readonly #host: ReadingHost;
  #own: OpenedRig | undefined;

  constructor(path: string, host: ReadingHost) {
    this.#path = path;
    this.#host = host;
  }

  async own(): Promise<OpenedRig> {
    this.#own ??= await openRig(this.#path, readerOf(this.#host));
    return this.#own;
  }

  /**
   * The first with as many frames; keys that were thinned are sampled at the rate of the animation.
   *
   * @param byName  whether only those count that are called so
   */
  async clipFor({ name, times }: ClipSpan, byName: boolean): Promise<Clip> {
    const fits = (clip: Clip) => !byName || clip.name === name;
    const own = (await this.own()).clips;
    const exact = own.find((clip) => fits(clip) && clip.times.length === times.length);
    if (exact) return exact;
    const fps = (times.length - 1) / (times[times.length - 1] || 1);
    const { clips } = await openRig(this.#path, readerOf(this.#host), { fps });
    const clip = clips.find((found) => fits(found) && found.times.length === times.length) ?? clips.find(fits);
    if (!clip) throw new InputError(`'${this.#path}' has no animation${byName ? ` called '${name}'` : ''}`);
    return clip;
  }
}

function joined(clips: readonly Clip[], times: Float64Array): Clip {
  const transforms = new Float64Array(clips.reduce((sum, clip) => sum + clip.transforms.length, 0));
  let at = 0;
  for (const clip of clips) {
    transforms.set(clip.transforms, at);
    at += clip.transforms.length;
  }
  const frames = clips.reduce((sum, clip) => sum + clip.times.length, 0);
  return { name: clips[0].name, times: frames === times.length ? times : new Float64Array(frames), transforms };
}

function readerOf({ files, convertFbx, onWarning }: ReadingHost) {
  return { files, convertFbx, warn: onWarning ?? (() => {}) };
}
