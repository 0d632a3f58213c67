/** What a skin is learnt from: shapes, frame by frame, and the pose that the skeleton is in at each of them. */
import { stageOf, UnsupportedError, UsageError, vertexCount } from '@pelt/model';
import { characterOf } from '../input/asset-motion.ts';
import { type ClipsOptions, loadClips } from '../input/load-clips.ts';
import { type InputFigures, inputFigures } from '../input/load-sequence.ts';
import { matchExamples, playedSequence } from '../input/match-examples.ts';
import { type OpenedCharacter, requireSkin } from '../input/open-character.ts';
import { RigClips } from '../input/rig-clips.ts';
import type { Job } from '../job.ts';
import type { Examples } from './encode-envelope.ts';

export interface LoadedExamples extends Examples {
  /** What the examples are of. */
  readonly opened: OpenedCharacter;
  readonly input: Omit<InputFigures, 'triangles'>;
  /** How many frames each clip of the examples has, in their order. */
  readonly spans: readonly number[];
}

export async function loadExamples(
  rigFile: string,
  files: readonly string[],
  options: ClipsOptions & { readonly rigClip?: string },
  job: Job,
): Promise<LoadedExamples> {
  const { rigClip } = options;
  if (files.length === 0) throw new UsageError('what is to be learnt? give examples, or --teacher volume');
  const playing = new RigClips(rigFile, job);
  const { rig, bytes: rigBytes, asset, file } = await playing.own();
  const opened = { path: rigFile, bytes: rigBytes, asset, file, character: characterOf(asset, rigFile) };
  requireLearnable(opened);
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
  return {
    rig,
    clip,
    opened,
    sequence,
    input: { ...input, bytes: bytes + rigBytes },
    spans: spans.map(({ times }) => times.length),
  };
}

/** A learnt skin takes the place of linear blending, of dual quaternions and of what was learnt before. */
export function requireLearnable(opened: OpenedCharacter): void {
  const purpose = 'a skin is learnt over joints and weights of a linear one';
  const cure = 'give the rig from before pelt reduce --method two-layer or pelt fit --eigenskin';
  requireSkin(opened, ['linear', 'dual-quaternion', 'envelope'], purpose, cure);
  if (!opened.character.poseSpace) return;
  throw new UnsupportedError(
    `'${opened.path}' has a pose space, which belongs to the weights that it has now; learn the skin first, then pelt pose --save`,
  );
}
