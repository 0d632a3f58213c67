/** Reading for whoever shows an animation or a result, by the same rules as the commands. */
import { readFrames } from '@pelt/io';
import type { Clip, MeshSequence, Rig, RunContext } from '@pelt/model';
import type { Files } from '../files/files.ts';
import { motionOf } from './asset-motion.ts';
import { clipIndex } from './clip-index.ts';
import { type ClipSpan, type ClipsOptions, joinedTimes, openClips, readClips } from './load-clips.ts';
import { gltfFile, type Reader } from './load-sequence.ts';
import { matchVertices, playedSequence } from './match-examples.ts';
import type { OpenedRig } from './open-rig.ts';
import { OpenedFiles } from './opened-files.ts';
import { playOwnSkin } from './play-own-skin.ts';
import { RigClips } from './rig-clips.ts';
import { isGltf, sourceOf } from './source-files.ts';

/** What reading takes of a host. */
export interface ReadingHost extends RunContext {
  readonly files: Files;
  /** Files that were opened before; absent: all are opened for this reading. */
  readonly opened?: OpenedFiles;
  readonly onWarning?: (message: string) => void;
}

/** A rig that plays an animation that was read apart. */
export interface MatchedRig {
  readonly rig: Rig;
  /** At as many frames as the animation. */
  readonly clip: Clip;
  /** For each vertex of the rig the one of the animation that it shows: a file repeats vertices along seams. */
  readonly vertices: Uint32Array;
  /** S × n × 3 positions as a skin of its own, or morph targets, play them; absent: the rig blends linearly. */
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
  return { sequence, label, clips, skinned: await hasSkin(inputs, options, reader) };
}

/** Whether the animation is one file with a skin that moves. */
async function hasSkin(inputs: readonly string[], { rest }: ClipsOptions, reader: Reader): Promise<boolean> {
  const { meshes, cache } = sourceOf(reader.files, inputs, rest);
  if (cache || rest !== undefined || meshes.length !== 1 || !isGltf(meshes[0])) return false;
  const { asset } = await gltfFile(meshes[0], { ...reader, warn: () => {} });
  return asset.skinned && asset.animations.length > 0;
}

/** S × n × 3 positions of a file with morph targets, whose bones alone do not give the shape. */
async function playMorphs({ asset }: OpenedRig, spans: readonly ClipSpan[], { name }: Clip): Promise<Float32Array> {
  const parts: Float32Array[] = [];
  for (const { name: wanted, times } of spans) {
    const clip = clipIndex(asset.animations, spans.length > 1 ? wanted : name);
    parts.push(readFrames(await motionOf(asset, { clip, times })).frames);
  }
  if (parts.length === 1) return parts[0];
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
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
  const playing = new RigClips(path, readerOf(host));
  const own = await playing.own();
  const { rig, asset } = own;
  const clip = await playing.posesAt(clips, sequence.times);
  const learnt = (await playOwnSkin(asset, clip)) ?? (own.morphs && (await playMorphs(own, clips, clip)));
  return { rig, clip, vertices: matchVertices(sequence, playedSequence(rig, clip), path), ...(learnt && { learnt }) };
}

function readerOf({ files, opened = new OpenedFiles(), onWarning }: ReadingHost) {
  return { files, opened, warn: onWarning ?? (() => {}) };
}
