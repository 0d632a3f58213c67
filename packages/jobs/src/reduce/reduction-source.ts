/**
 * What `pelt reduce` starts from: the rig of a glTF with its clips, the shapes it shall keep, and the same without the
 * doubled vertices of seams, all clips in a row, as the solvers take it.
 */
import type { RigMorphs } from '@pelt/io';
import {
  type Clip,
  frameCount,
  type MeshSequence,
  poseAt,
  type Rig,
  type RunContext,
  UsageError,
  unweldRig,
  vertexCount,
  weldRig,
  weldSequence,
} from '@pelt/model';
import { deformLinear } from '@pelt/skin/blending';
import type { ReductionInput } from '@pelt/skin/reduce';
import { type InputOptions, loadSequence, type Reader } from '../input/load-sequence.ts';
import { chooseClip, type OpenedRig, openRig } from '../input/open-rig.ts';
import { isGltf, sourceOf } from '../input/source-files.ts';
import { matchExamples } from './match-examples.ts';

export interface ReductionSource {
  readonly name: string;
  readonly bytes: number;
  readonly rig: Rig;
  readonly clips: readonly Clip[];
  readonly morphs: RigMorphs | undefined;
  readonly boneExtras: readonly unknown[];
  /** For each clip the shapes that it shall show. */
  readonly truths: readonly MeshSequence[];
  /** All clips in a row, one frame a second, and the shapes with them. */
  readonly joined: Clip;
  readonly sequence: MeshSequence;
  /** Whether the shapes are examples that were given, or what the rig plays. */
  readonly fromExamples: boolean;
  /** Welded, all clips as one. */
  readonly input: ReductionInput;
  /** A rig of the welded mesh and its clip in a row, for the vertices of the file and in clips again. */
  unweld(rig: Rig, joined: Clip): { readonly rig: Rig; readonly clips: readonly Clip[] };
}

export interface ReductionOptions extends InputOptions {
  /** Which clip of the rig the examples show. */
  readonly rigClip?: string;
}

/** @param paths  the rig, then the files of the examples */
export async function loadReduction(
  [rigFile, ...examples]: readonly string[],
  options: ReductionOptions,
  reader: Reader,
  context: RunContext | undefined,
): Promise<ReductionSource> {
  const opened = await openRig(rigFile, reader, { fps: options.fps });
  const { rig, clips, morphs, boneExtras, bytes } = opened;
  if (clips.length === 0) {
    throw new UsageError(`'${rigFile}' has no animation; a reduction is judged on the rig in motion`);
  }
  const S = clips.reduce((sum, { times }) => sum + times.length, 0);
  reader.expectFrames?.(vertexCount(rig.mesh), S);
  const truths = clips.map(
    (clip): MeshSequence => ({ name: clip.name, rest: rig.mesh, frames: played(rig, clip), times: clip.times }),
  );
  if (examples.length > 0) {
    const { clip, loaded } = await loadExamples(examples, options, opened, reader, context);
    const c = clips.indexOf(clip);
    truths[c] = matchExamples(loaded.sequence, rig, truths[c], loaded.label);
  } else if ((options.clip ?? options.rigClip) !== undefined) {
    throw new UsageError('--clip and --rig-clip say what the examples show; there are no examples');
  }
  const joined = joinClips(clips, rig.bones.length);
  const sequence = joinSequences(rig, truths, joined.times);
  const weld = weldSequence(sequence);
  return {
    name: rigFile,
    bytes,
    rig,
    clips,
    morphs,
    boneExtras,
    truths,
    joined,
    sequence,
    fromExamples: examples.length > 0,
    input: { rig: weldRig(rig, weld), clips: [joined], examples: [weld.sequence] },
    unweld: (reduced, clip) => ({
      rig: unweldRig(reduced, weld.map, rig.mesh),
      clips: cutClips(clip, clips, reduced.bones.length),
    }),
  };
}

/** The examples, and the clip of the rig that they show. */
async function loadExamples(
  paths: readonly string[],
  { rest, fps, clip, rigClip, mesh, up, scale }: ReductionOptions,
  opened: OpenedRig,
  reader: Reader,
  context: RunContext | undefined,
) {
  const source = sourceOf(reader.files, paths, rest);
  // Where the examples have no animations of their own, --clip can only mean one of the rig.
  const own = source.cache === undefined && isGltf(source.meshes[0]);
  const loaded = await loadSequence(
    source,
    { rest, fps, clip: own ? clip : undefined, mesh, up, scale },
    reader,
    context,
  );
  return { loaded, clip: chooseClip(opened, rigClip ?? (own ? undefined : clip), frameCount(loaded.sequence)) };
}

/** S × n × 3 positions of a clip. */
export function played({ mesh, weights, bones }: Rig, clip: Clip): Float32Array {
  const size = mesh.positions.length;
  const frames = new Float32Array(clip.times.length * size);
  for (let t = 0; t < clip.times.length; t++) {
    const { transforms } = poseAt(clip, t, bones.length);
    deformLinear(mesh.positions, weights, transforms, frames.subarray(t * size, (t + 1) * size));
  }
  return frames;
}

function joinClips(clips: readonly Clip[], bones: number): Clip {
  const S = clips.reduce((sum, { times }) => sum + times.length, 0);
  const transforms = new Float64Array(S * bones * 12);
  let at = 0;
  for (const clip of clips) {
    transforms.set(clip.transforms, at);
    at += clip.transforms.length;
  }
  return { name: 'all', times: Float64Array.from({ length: S }, (_, t) => t), transforms };
}

function cutClips(joined: Clip, clips: readonly Clip[], bones: number): Clip[] {
  let t = 0;
  return clips.map((clip) => {
    const transforms = joined.transforms.slice(t * bones * 12, (t + clip.times.length) * bones * 12);
    t += clip.times.length;
    return { ...clip, transforms };
  });
}

function joinSequences(rig: Rig, truths: readonly MeshSequence[], times: Float64Array): MeshSequence {
  const frames = new Float32Array(times.length * rig.mesh.positions.length);
  let at = 0;
  for (const truth of truths) {
    frames.set(truth.frames, at);
    at += truth.frames.length;
  }
  const given = truths.find(({ rest }) => rest !== rig.mesh);
  return { name: rig.name, rest: given?.rest ?? rig.mesh, frames, times };
}
