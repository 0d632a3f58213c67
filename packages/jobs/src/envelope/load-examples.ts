/** What a skin is learnt from: shapes, frame by frame, and the pose that the skeleton is in at each of them. */
import { type Clip, frameCount, InputError, stageOf, UsageError, vertexCount } from '@pelt/model';
import { type ClipsOptions, type LoadedClips, loadClips } from '../input/load-clips.ts';
import { type InputFigures, inputFigures } from '../input/load-sequence.ts';
import { chooseClip, type OpenedRig, openRig } from '../input/open-rig.ts';
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
  const opened = await openRig(rigFile, job);
  const { rig, clips } = opened;
  const loaded = await loadClips(files, options, job, stageOf(job.context, 0, 0.05));
  const clip = posesOf(opened, loaded, options.rigClip);
  if (vertexCount(loaded.sequence.rest) !== vertexCount(rig.mesh)) {
    throw new InputError(
      `the examples have ${vertexCount(loaded.sequence.rest)} vertices, '${rigFile}' ${vertexCount(rig.mesh)}`,
    );
  }
  const { triangles: _, bytes, ...input } = inputFigures(loaded);
  const sequence = { ...loaded.sequence, rest: rig.mesh };
  return { rig, clip, clips, sequence, input: { ...input, bytes: bytes + opened.bytes } };
}

/** The clip of the rig that has the frames; of several clips, each by its name, behind each other. */
function posesOf(opened: OpenedRig, { clips: spans, sequence }: LoadedClips, rigClip: string | undefined): Clip {
  if (spans.length === 1) return chooseClip(opened, rigClip, frameCount(sequence));
  if (rigClip !== undefined) {
    throw new UsageError('--rig-clip goes with one clip of examples; choose that by --clip');
  }
  const own = spans.map(({ name, times }) => {
    const found = opened.clips.find((clip) => clip.name === name);
    if (found?.times.length === times.length) return found;
    const has = found ? `has ${found.times.length}` : 'is not there';
    throw new InputError(
      `the clip '${name}' of the examples has ${times.length} frames; in '${opened.path}' it ${has}; choose one by --clip`,
    );
  });
  const transforms = new Float64Array(own.reduce((sum, clip) => sum + clip.transforms.length, 0));
  let at = 0;
  for (const clip of own) {
    transforms.set(clip.transforms, at);
    at += clip.transforms.length;
  }
  return { name: sequence.name, times: sequence.times, transforms };
}
