/** The frames to fit: all animations of a file, one of them, or several clips of one mesh, behind each other. */
import { type Clip, type MeshSequence, type RunContext, UsageError, vertexCount } from '@pelt/model';
import { concatenateSequences } from '@pelt/skin/decompose';
import type { NamedClip } from '../request/shared-options.ts';
import {
  type LoadedSequence,
  type OpenedSequence,
  openAllAnimations,
  openSequence,
  type Reader,
  readOpened,
  type SceneOptions,
} from './load-sequence.ts';
import { sourceOf } from './source-files.ts';

/** How the files of one animation, or of several clips, are to be taken. */
export interface ClipsOptions extends SceneOptions {
  readonly rest?: string;
  readonly fps?: number;
  readonly sample?: number;
  /** An animation of a glTF, and clips of the mesh that is the input. */
  readonly clip?: string | readonly (string | NamedClip)[];
}

/** A clip among the frames of several. */
export interface ClipSpan {
  readonly name: string;
  readonly times: Float64Array;
}

/** An animation of the files, by the name of its clip. */
export interface NamedOpened {
  readonly name: string;
  readonly opened: OpenedSequence;
}

export interface LoadedClips extends Omit<LoadedSequence, 'opened'> {
  /** What was asked to be read. */
  readonly inputs: readonly string[];
  /** The clips, in the order of their frames, with their own times. */
  readonly clips: readonly ClipSpan[];
  /** Of each clip the second of its file at which it begins. */
  readonly starts: readonly number[];
  /** What the frames are a sample of; empty where they are all that there are. */
  readonly sampledFrom: readonly NamedOpened[];
  /** The motion of all frames as the clips of the file. */
  split(clip: Clip): Clip[];
}

/** Clips that were opened, and of which no frame has been read. */
export interface OpenedClips {
  /** What was asked to be read. */
  readonly inputs: readonly string[];
  readonly label: string;
  readonly bytes: number;
  /** In the order of the clips, which are of one mesh; a clip without a name is called as its file calls it. */
  readonly parts: readonly { readonly name?: string; readonly opened: OpenedSequence }[];
  /** Whether the parts are all animations of one glTF. */
  readonly all?: boolean;
}

export async function openClips(
  inputs: readonly string[],
  { rest, fps, sample, clip = [], mesh: chosen, up, scale }: ClipsOptions,
  reader: Reader,
  context: RunContext,
): Promise<OpenedClips> {
  const scene = { mesh: chosen, up, scale, sample };
  const choices = typeof clip === 'string' ? [clip] : clip;
  const animation = choices.filter((choice) => typeof choice === 'string').at(-1);
  const clips = choices.filter((choice) => typeof choice !== 'string');
  if (clips.length === 0) {
    const source = sourceOf(reader.files, inputs, rest);
    const chosen = { rest, fps, clip: animation, ...scene };
    const wantsAll = animation === undefined && rest === undefined;
    const all = wantsAll ? await openAllAnimations(source, { fps, sample }, reader) : undefined;
    if (all) return { inputs, label: source.label, bytes: all[0].opened.bytes, parts: all, all: true };
    const opened = await openSequence(source, chosen, reader, context);
    return { inputs, label: opened.label, bytes: opened.bytes, parts: [{ opened }] };
  }
  if (inputs.length !== 1 || rest !== undefined) {
    throw new UsageError('with --clip name=files the input is one mesh, the rest pose of all clips; leave out --rest');
  }
  const twice = clips.find(({ name }, k) => clips.findIndex((other) => other.name === name) < k);
  if (twice) throw new UsageError(`there are two clips named '${twice.name}'; give each a name of its own`);
  const [mesh] = inputs;
  const parts: { name: string; opened: OpenedSequence }[] = [];
  for (const { name, files } of clips) {
    const source = sourceOf(reader.files, files, mesh);
    const opened = await openSequence(source, { rest: mesh, fps, clip: animation, ...scene }, reader, context);
    parts.push({ name, opened });
  }
  return { inputs, label: mesh, bytes: parts.reduce((sum, { opened }) => sum + opened.bytes, 0), parts };
}

export async function loadClips(
  inputs: readonly string[],
  options: ClipsOptions,
  reader: Reader,
  context: RunContext,
): Promise<LoadedClips> {
  return readClips(await openClips(inputs, options, reader, context), reader, context);
}

/** The frames of clips that were opened. */
export async function readClips(
  { inputs, label, bytes, parts, all }: OpenedClips,
  reader: Reader,
  context: RunContext,
): Promise<LoadedClips> {
  // All clips are in memory together: what they need is known before any of them is read.
  for (const { opened } of parts) reader.expectFrames?.(vertexCount(opened.source.rest), opened.count);
  const { expectFrames: _, ...counted } = reader;
  const read: LoadedSequence[] = [];
  for (const { name, opened } of parts) {
    const loaded = await readOpened(opened, counted, context);
    read.push(name === undefined ? loaded : { ...loaded, sequence: { ...loaded.sequence, name } });
  }
  const starts = startsOf(parts);
  if (parts[0].name === undefined) {
    const [loaded] = read;
    const spans = [spanOf(loaded.sequence)];
    return { ...loaded, inputs, clips: spans, starts, split: (motion) => [motion], sampledFrom: sampled(read) };
  }
  const { sequence, split } = concatenateSequences(read.map((part) => part.sequence));
  const clips = read.map(({ sequence: own }) => spanOf(own));
  const joined = all ? { ...sequence, name: clips[0].name, times: joinedTimes(clips) } : sequence;
  return { sequence: joined, split, inputs, clips, starts, sampledFrom: sampled(read), label, bytes };
}

/** The clips as their file tells the time: one that began at 0.5 s begins there again. */
export function atOwnStarts(clips: readonly Clip[], starts: readonly number[]): Clip[] {
  return clips.map((clip, c) => (starts[c] ? { ...clip, times: clip.times.map((time) => time + starts[c]) } : clip));
}

/** The second of its file at which each clip begins. */
export function startsOf(parts: OpenedClips['parts']): number[] {
  return parts.map(({ opened }) => opened.source.start ?? 0);
}

function spanOf({ name, times }: MeshSequence): ClipSpan {
  return { name, times };
}

/** One after the other, a frame apart. */
export function joinedTimes(clips: readonly ClipSpan[]): Float64Array {
  const times: number[] = [];
  let from = 0;
  for (const { times: own } of clips) {
    for (const time of own) times.push(from + time);
    const step = own.length > 1 ? own[own.length - 1] / (own.length - 1) : DEFAULT_STEP;
    from = times[times.length - 1] + step;
  }
  return Float64Array.from(times);
}

/** Between clips of a single pose. */
const DEFAULT_STEP = 1 / 30;

function sampled(parts: readonly LoadedSequence[]): readonly NamedOpened[] {
  if (parts.every(({ opened }) => opened.frames === undefined)) return [];
  return parts.map(({ opened, sequence }) => ({ name: sequence.name, opened }));
}
