/** What a skin is learnt from: shapes, frame by frame, and the pose that the skeleton is in at each of them. */
import { linearPart, polarDecomposition, transformPoint } from '@pelt/math';
import {
  frameCount,
  type Rig,
  type Run,
  stageOf,
  TRANSFORM_SIZE,
  UnsupportedError,
  UsageError,
  vertexCount,
} from '@pelt/model';
import type { AddedExample } from '@pelt/skin/pose';
import { characterOf } from '../input/asset-motion.ts';
import { isHandleFile, readHandleExamples, solveHandles } from '../input/handle-examples.ts';
import { learnFromClips } from '../input/learn-poser.ts';
import { type ClipsOptions, loadClips } from '../input/load-clips.ts';
import { type InputFigures, inputFigures } from '../input/load-sequence.ts';
import { matchExamples, playedSequence } from '../input/match-examples.ts';
import { type OpenedCharacter, openCharacter, requireSkin } from '../input/open-character.ts';
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
  run: Run,
): Promise<LoadedExamples> {
  const handled = files.filter(isHandleFile);
  const shapes = files.filter((file) => !isHandleFile(file));
  if (handled.length === 0) return loadShapes(rigFile, shapes, options, job);
  const given = shapes.length > 0 ? await loadShapes(rigFile, shapes, options, job) : undefined;
  const own = given?.opened ?? (await openCharacter(rigFile, job));
  requireLearnable(own);
  const poser = learnFromClips(own, {}, stageOf(run, 0, 0.03), job);
  const solved = solveHandles(
    poser,
    handled.flatMap((file) => readHandleExamples(file, job)),
    stageOf(run, 0.03, 0.05),
    job,
  );
  const bytes = handled.reduce((sum, file) => sum + job.files.stat(file).bytes, 0);
  return withDragged(given, own, poser.rig, solved, handled.join(' + '), bytes);
}

/** Shapes that handles on the skin make, behind those that were given: joints as rigid as they are, the skin as it came. */
function withDragged(
  given: LoadedExamples | undefined,
  opened: OpenedCharacter,
  rig: Rig,
  solved: readonly Required<AddedExample>[],
  label: string,
  bytes: number,
): LoadedExamples {
  const before = given ? frameCount(given.sequence) : 0;
  const S = before + solved.length;
  const [n3, size] = [rig.mesh.positions.length, TRANSFORM_SIZE * rig.bones.length];
  const frames = new Float32Array(S * n3);
  const transforms = new Float64Array(S * size);
  if (given) {
    frames.set(given.sequence.frames);
    transforms.set(given.clip.transforms);
  }
  solved.forEach((example, k) => {
    frames.set(example.positions, (before + k) * n3);
    transforms.set(rigidJoints(rig, example.transforms), (before + k) * size);
  });
  const times = Float64Array.from({ length: S }, (_, t) => given?.clip.times[t] ?? t);
  // Times must rise: those that were dragged come a second apart.
  for (let t = Math.max(1, before); t < S; t++) times[t] = times[t - 1] + 1;
  const input = given?.input ?? { name: '', bytes: opened.bytes, vertices: n3 / 3, frames: 0 };
  return {
    rig: given?.rig ?? rig,
    clip: { name: given?.clip.name ?? 'dragged', times, transforms },
    sequence: { name: given?.sequence.name ?? 'dragged', rest: given?.rig.mesh ?? rig.mesh, times, frames },
    opened,
    input: {
      ...input,
      name: [input.name, label].filter(Boolean).join(' + '),
      bytes: input.bytes + bytes,
      frames: S,
    },
    spans: [...(given?.spans ?? []), solved.length],
  };
}

/** The joints where affine ones carry them, turned as these turn. */
function rigidJoints({ bones }: Rig, transforms: Float64Array): Float64Array {
  const out = new Float64Array(transforms.length);
  const [linear, rotation, stretch, at] = [9, 9, 9, 3].map((size) => new Float64Array(size));
  bones.forEach(({ rest }, j) => {
    const k = TRANSFORM_SIZE * j;
    linearPart(transforms, k, linear, 0);
    polarDecomposition(linear, 0, rotation, 0, stretch, 0);
    transformPoint(transforms, k, rest[3], rest[7], rest[11], at, 0);
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) out[k + 4 * r + c] = rotation[3 * r + c];
      out[k + 4 * r + 3] =
        at[r] - rotation[3 * r] * rest[3] - rotation[3 * r + 1] * rest[7] - rotation[3 * r + 2] * rest[11];
    }
  });
  return out;
}

async function loadShapes(
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
