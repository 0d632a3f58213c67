/** The frames to fit: one animation, or several clips of one mesh behind each other. */
import { type Clip, type RunContext, UsageError } from '@pelt/model';
import { concatenateSequences } from '@pelt/skin/decompose';
import type { NamedClip } from '../request/shared-options.ts';
import {
  type LoadedSequence,
  loadSequence,
  type OpenedSequence,
  type Reader,
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

/** An animation of the files, by the name of its clip. */
export interface NamedOpened {
  readonly name: string;
  readonly opened: OpenedSequence;
}

export interface LoadedClips extends Omit<LoadedSequence, 'opened'> {
  /** What the frames are a sample of; empty where they are all that there are. */
  readonly sampledFrom: readonly NamedOpened[];
  /** The motion of all frames as the clips of the file. */
  split(clip: Clip): Clip[];
}

export async function loadClips(
  inputs: readonly string[],
  { rest, fps, sample, clip = [], mesh: chosen, up, scale }: ClipsOptions,
  reader: Reader,
  context: RunContext,
): Promise<LoadedClips> {
  const scene = { mesh: chosen, up, scale, sample };
  const choices = typeof clip === 'string' ? [clip] : clip;
  const animation = choices.filter((choice) => typeof choice === 'string').at(-1);
  const clips = choices.filter((choice) => typeof choice !== 'string');
  if (clips.length === 0) {
    const source = sourceOf(reader.files, inputs, rest);
    const loaded = await loadSequence(source, { rest, fps, clip: animation, ...scene }, reader, context);
    return { ...loaded, split: (motion) => [motion], sampledFrom: sampled([loaded]) };
  }
  if (inputs.length !== 1 || rest !== undefined) {
    throw new UsageError('with --clip name=files the input is one mesh, the rest pose of all clips; leave out --rest');
  }
  const twice = clips.find(({ name }, k) => clips.findIndex((other) => other.name === name) < k);
  if (twice) throw new UsageError(`there are two clips named '${twice.name}'; give each a name of its own`);
  const [mesh] = inputs;
  const parts: LoadedSequence[] = [];
  for (const { name, files } of clips) {
    const source = sourceOf(reader.files, files, mesh);
    const loaded = await loadSequence(source, { rest: mesh, fps, clip: animation, ...scene }, reader, context);
    parts.push({ ...loaded, sequence: { ...loaded.sequence, name } });
  }
  const { sequence, split } = concatenateSequences(parts.map((part) => part.sequence));
  return {
    sequence,
    split,
    sampledFrom: sampled(parts),
    label: mesh,
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

function sampled(parts: readonly LoadedSequence[]): readonly NamedOpened[] {
  if (parts.every(({ opened }) => opened.frames === undefined)) return [];
  return parts.map(({ opened, sequence }) => ({ name: sequence.name, opened }));
}
