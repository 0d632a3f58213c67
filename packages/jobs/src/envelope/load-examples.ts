/** What a skin is learnt from: shapes, frame by frame, and the pose that the skeleton is in at each of them. */
import { type Clip, stageOf, UsageError, vertexCount } from '@pelt/model';
import { type ClipsOptions, loadClips } from '../input/load-clips.ts';
import { type InputFigures, inputFigures } from '../input/load-sequence.ts';
import { matchExamples, playedSequence } from '../input/match-examples.ts';
import { RigClips } from '../input/rig-clips.ts';
import type { Job } from '../job.ts';
import type { Examples } from './encode-envelope.ts';

export interface LoadedExamples extends Examples {
  /** All of the rig, to be written. */
  readonly clips: readonly Clip[];
  readonly input: Omit<InputFigures, 'triangles'>;
}

export async function loadExamples(
  rigFile: string,
  files: readonly string[],
  options: ClipsOptions & { readonly rigClip?: string },
  job: Job,
): Promise<LoadedExamples> {
  const { rigClip } = options;
  const playing = new RigClips(rigFile, job);
  const { rig, clips, bytes: rigBytes } = await playing.own();
  const loaded = await loadClips(files, options, job, stageOf(job.context, 0, 0.05));
  const { sequence: given, clips: spans, label } = loaded;
  if (rigClip !== undefined && spans.length > 1) {
    throw new UsageError('--rig-clip goes with one clip of examples; choose that by --clip');
  }
  const clip = await playing.posesAt(spans, given.times, rigClip);
  // Files repeat vertices along seams and between parts; examples from elsewhere have them once.
  const inOrder = vertexCount(given.rest) === vertexCount(rig.mesh);
  const matched = inOrder ? given : matchExamples(given, rig, playedSequence(rig, clip), label);
  const { triangles: _, bytes, ...input } = inputFigures(loaded);
  const sequence = { ...matched, rest: rig.mesh };
  return { rig, clip, clips, sequence, input: { ...input, bytes: bytes + rigBytes } };
}
