/** The frames to fit: one animation, or several clips of one mesh behind each other. */
import { type Clip, stageOf, UsageError } from '@pelt/model';
import { concatenateSequences } from '@pelt/skin';
import { type LoadedSequence, loadSequence } from '../input/load-sequence.ts';
import { sourceOf } from '../input/source-files.ts';
import type { Job } from '../thread/job.ts';
import type { FitRequest } from './fit.ts';

/** Share of the whole job that reading is given. */
const READING = 0.05;

export interface LoadedClips extends LoadedSequence {
  /** The motion of all frames as the clips of the file. */
  split(clip: Clip): Clip[];
}

export async function loadClips(
  { files, input, clips }: Pick<FitRequest, 'files' | 'input' | 'clips'>,
  job: Job,
): Promise<LoadedClips> {
  const context = stageOf(job.context, 0, READING);
  if (!clips) {
    const loaded = await loadSequence(sourceOf(files, input.rest), input, job.warn, context);
    return { ...loaded, split: (clip) => [clip] };
  }
  if (files.length !== 1 || input.rest !== undefined) {
    throw new UsageError('with --clip name=files the input is one mesh, the rest pose of all clips; leave out --rest');
  }
  const [rest] = files;
  const parts: LoadedSequence[] = [];
  for (const { name, files: own } of clips) {
    const loaded = await loadSequence(sourceOf(own, rest), { ...input, rest }, job.warn, context);
    parts.push({ ...loaded, sequence: { ...loaded.sequence, name } });
  }
  const { sequence, split } = concatenateSequences(parts.map((part) => part.sequence));
  return {
    sequence,
    split,
    label: rest,
    paths: [...new Set(parts.flatMap(({ paths }) => paths))],
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
