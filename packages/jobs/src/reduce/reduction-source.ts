/**
 * What `pelt reduce` starts from: the rig of a glTF with its clips, the shapes it shall keep, and, where a solver needs
 * them, the same without the doubled vertices of seams, all clips in a row.
 */
import type { GltfAsset } from '@pelt/io';
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
import { type GltfFile, type InputOptions, loadSequence, type Reader } from '../input/load-sequence.ts';
import { matchExamples, playedSequence } from '../input/match-examples.ts';
import { chooseClip, type OpenedRig, openRig } from '../input/open-rig.ts';
import { isGltf, sourceOf } from '../input/source-files.ts';
import { exampleTruth, type FrameTruth, playedTruth, sampledFrames } from '../outputs/frame-truth.ts';

export interface ReductionSource
  extends Pick<OpenedRig, 'rig' | 'clips' | 'starts' | 'morphs' | 'boneExtras' | 'extras'> {
  readonly name: string;
  readonly bytes: number;
  readonly asset: GltfAsset;
  readonly file: GltfFile;
  readonly truth: FrameTruth;
  /** Whether its bones are the masters of two layers: the file has others beside them. */
  readonly flattened?: true;
  /** Without a skin or a clip there is nothing to judge fewer weights or bones by: it can be packed alone. */
  readonly packsOnly?: true;
  /** The shapes that were given, with their clip; absent: the rig is its own truth. */
  readonly examples?: readonly MeshSequence[];
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
  const found = await openRig(rigFile, reader, { fps: options.fps, unskinned: examples.length === 0 });
  const still = found.clips.length === 0;
  if (still && examples.length > 0) {
    throw new UsageError(`'${rigFile}' has no animation that the examples could show`);
  }
  const opened = still ? { ...found, clips: [restClip(found.rig.bones.length)], starts: [0] } : found;
  const { rig, clips, starts, asset } = opened;
  const source = { ...opened, name: rigFile, ...((still || !asset.skinned) && { packsOnly: true as const }) };
  if (examples.length === 0) {
    if ((options.clip ?? options.rigClip) !== undefined) {
      throw new UsageError('--clip and --rig-clip say what the examples show; there are no examples');
    }
    return { ...source, truth: playedTruth(asset, rig.mesh, clips, starts) };
  }
  const { clip, loaded } = await loadExamples(examples, options, opened, reader, context);
  reader.expectFrames?.(
    vertexCount(rig.mesh),
    clips.reduce((sum, { times }) => sum + times.length, 0),
  );
  const truths = clips.map((own) => playedSequence(rig, own));
  const c = clips.indexOf(clip);
  truths[c] = matchExamples(loaded.sequence, rig, truths[c], loaded.label);
  return { ...source, truth: exampleTruth(truths), examples: truths };
}

/** One frame, at rest. */
function restClip(bones: number): Clip {
  const transforms = Float64Array.from({ length: 12 * bones }, (_, k) => Number((k % 12) % 5 === 0));
  return { name: 'rest', times: Float64Array.of(0), transforms };
}

/** A rig without doubled vertices and all of its clips as one, as the solvers take it. */
export interface WeldedProblem {
  readonly input: ReductionInput;
  /** The shapes at the frames of the one clip. */
  readonly sequence: MeshSequence;
  readonly clip: Clip;
  /** A rig of the welded mesh, for the vertices of the file. */
  unweld(rig: Rig): Rig;
  /** The one clip in clips again. */
  cut(clip: Clip, bones: number): Clip[];
}

/** Vertices in the frames that weights are fitted to, where the bones stay and every frame need not be there. */
const FITTED_VERTICES = 1_500_000;

/** @param every  take every frame; else a sample of those that the rig plays */
export function weldedProblem(source: ReductionSource, every: boolean): WeldedProblem {
  const { rig, clips, examples } = source;
  const m = rig.bones.length;
  const lengths = clips.map(({ times }) => times.length);
  const all = every || examples !== undefined;
  const frames = sampledFrames(
    lengths,
    all ? 0 : vertexCount(rig.mesh),
    all ? Number.MAX_SAFE_INTEGER : FITTED_VERTICES,
  );
  const times = Float64Array.from(frames.keys());
  const transforms = new Float64Array(frames.length * m * 12);
  const size = rig.mesh.positions.length;
  const shapes = new Float32Array(frames.length * size);
  frames.forEach(({ clip, frame }, k) => {
    const pose = poseAt(clips[clip], frame, m).transforms;
    transforms.set(pose, k * m * 12);
    const shape = shapes.subarray(k * size, (k + 1) * size);
    if (examples) shape.set(examples[clip].frames.subarray(frame * size, (frame + 1) * size));
    else deformLinear(rig.mesh.positions, rig.weights, pose, shape);
  });
  const given = examples?.find(({ rest }) => rest !== rig.mesh);
  const sequence = { name: rig.name, rest: given?.rest ?? rig.mesh, frames: shapes, times };
  const clip = { name: 'all', times, transforms };
  const weld = weldSequence(sequence);
  return {
    input: { rig: weldRig(rig, weld), clips: [clip], examples: [weld.sequence] },
    sequence,
    clip,
    unweld: (reduced) => unweldRig(reduced, weld.map, rig.mesh),
    cut: (joined, bones) => cutClips(joined, clips, bones),
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

function cutClips(joined: Clip, clips: readonly Clip[], bones: number): Clip[] {
  let t = 0;
  return clips.map((clip) => {
    const transforms = joined.transforms.slice(t * bones * 12, (t + clip.times.length) * bones * 12);
    t += clip.times.length;
    return { ...clip, transforms };
  });
}
