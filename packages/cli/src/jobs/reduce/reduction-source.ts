/**
 * What `pelt reduce` starts from: the rig of a glTF with its clips, the shapes it shall keep, and the same without the
 * doubled vertices of seams, all clips in a row, as the solvers take it.
 */
import { type RigMorphs, readRig } from '@pelt/io';
import { enclosingBall, KdTree } from '@pelt/math';
import {
  type Clip,
  frameCount,
  InputError,
  type MeshSequence,
  poseAt,
  type Rig,
  type RunContext,
  UsageError,
  unweldRig,
  vertexCount,
  weldSequence,
} from '@pelt/model';
import { deformLinear, type ReductionInput } from '@pelt/skin';
import { type InputOptions, loadGltf, loadSequence } from '../../input/load-sequence.ts';
import { isGltf, sourceFile, sourceOf } from '../../input/source-files.ts';

export interface ReductionSource {
  readonly name: string;
  readonly bytes: number;
  readonly paths: readonly string[];
  readonly rig: Rig;
  readonly clips: readonly Clip[];
  readonly morphs: RigMorphs | undefined;
  readonly boneExtras: readonly unknown[];
  /** For each clip the shapes that it shall show. */
  readonly truths: readonly MeshSequence[];
  /** Whether the shapes are examples that were given, or what the rig plays. */
  readonly fromExamples: boolean;
  /** Welded, all clips as one. */
  readonly input: ReductionInput;
  /** A rig of the welded mesh and its clip in a row, for the vertices of the file and in clips again. */
  unweld(rig: Rig, joined: Clip): { readonly rig: Rig; readonly clips: readonly Clip[] };
}

/** Vertices of the rig and of the examples are one where they are this near at rest, in radii. */
const SAME_PLACE = 0.03;

export async function loadReduction(
  rigFile: string,
  exampleFiles: readonly string[],
  options: InputOptions,
  warn: (message: string) => void,
  context: RunContext | undefined,
): Promise<ReductionSource> {
  const file = sourceFile(rigFile);
  if (!isGltf(file)) throw new UsageError(`'${rigFile}' is not a glTF; a rig is read from .glb or .gltf`);
  const asset = await loadGltf(file, warn);
  if (!asset.skinned) throw new UsageError(`'${rigFile}' has no skin; make one with pelt fit`);
  const { rig, clips, morphs, boneExtras } = readRig(asset, { fps: options.fps });
  if (clips.length === 0) {
    throw new UsageError(`'${rigFile}' has no animation; a reduction is judged on the rig in motion`);
  }
  const truths = clips.map(
    (clip): MeshSequence => ({ name: clip.name, rest: rig.mesh, frames: played(rig, clip), times: clip.times }),
  );
  const paths = [rigFile];
  if (exampleFiles.length > 0) {
    const { clip: wanted, ...rest } = options;
    const c = clipNumber(clips, wanted);
    const loaded = await loadSequence(sourceOf(exampleFiles, options.rest), rest, warn, context);
    paths.push(...loaded.paths);
    truths[c] = matched(loaded.sequence, rig, clips[c], loaded.label);
  }
  const joined = joinClips(clips, rig.bones.length);
  const sequence = joinSequences(rig, truths, joined.times);
  const weld = weldSequence(sequence);
  return {
    name: file.path,
    bytes: file.bytes,
    paths,
    rig,
    clips,
    morphs,
    boneExtras,
    truths,
    fromExamples: exampleFiles.length > 0,
    input: { rig: weldedRig(rig, weld.map, weld.sequence), clips: [joined], examples: [weld.sequence] },
    unweld: (reduced, clip) => ({
      rig: unweldRig(reduced, weld.map, rig.mesh),
      clips: cutClips(clip, clips, reduced.bones.length),
    }),
  };
}

function played({ mesh, weights, bones }: Rig, clip: Clip): Float32Array {
  const size = mesh.positions.length;
  const frames = new Float32Array(clip.times.length * size);
  for (let t = 0; t < clip.times.length; t++) {
    const { transforms } = poseAt(clip, t, bones.length);
    deformLinear(mesh.positions, weights, transforms, frames.subarray(t * size, (t + 1) * size));
  }
  return frames;
}

function clipNumber(clips: readonly Clip[], wanted: string | undefined): number {
  if (wanted === undefined) return 0;
  const named = clips.findIndex(({ name }) => name === wanted);
  const number = named >= 0 ? named : Number(wanted);
  if (clips[number]) return number;
  throw new UsageError(`there is no clip '${wanted}'; the file has ${clips.map(({ name }) => `'${name}'`).join(', ')}`);
}

/** The examples with the vertices of the rig, by their place at rest where order or number differ. */
function matched(examples: MeshSequence, rig: Rig, clip: Clip, label: string): MeshSequence {
  if (frameCount(examples) !== clip.times.length) {
    throw new InputError(
      `'${label}' has ${frameCount(examples)} frames, the clip '${clip.name}' ${clip.times.length}; they must show the same`,
    );
  }
  const [own, other] = [rig.mesh.positions, examples.rest.positions];
  const limit = SAME_PLACE * (enclosingBall(own).radius || 1);
  const n = vertexCount(rig.mesh);
  const tree = new KdTree(other);
  const from = new Uint32Array(n);
  const [index, distance] = [new Uint32Array(1), new Float64Array(1)];
  const inOrder = own.length === other.length && own.every((value, k) => Math.abs(value - other[k]) <= limit);
  for (let i = 0; i < n; i++) {
    from[i] = i;
    if (inOrder) continue;
    tree.nearest(own, 3 * i, 1, index, distance);
    from[i] = index[0];
    if (Math.sqrt(distance[0]) > limit) {
      throw new InputError(
        `'${label}' has no vertex where vertex ${i} of the rig rests; give the shapes of the same mesh`,
      );
    }
  }
  const frames = new Float32Array(clip.times.length * own.length);
  const rest = new Float32Array(own.length);
  from.forEach((k, i) => {
    rest.set(other.subarray(3 * k, 3 * k + 3), 3 * i);
    for (let t = 0; t < clip.times.length; t++) {
      frames.set(
        examples.frames.subarray(t * other.length + 3 * k, t * other.length + 3 * k + 3),
        t * own.length + 3 * i,
      );
    }
  });
  return { name: clip.name, rest: { ...rig.mesh, positions: rest }, frames, times: clip.times };
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

/** The rig of the welded mesh: each vertex as the first of those that became it. */
function weldedRig(rig: Rig, map: Uint32Array, { rest }: MeshSequence): Rig {
  const n = vertexCount(rest);
  const { slots } = rig.weights;
  const positions = new Float32Array(3 * n);
  const weights = { slots, bones: new Uint16Array(n * slots), weights: new Float32Array(n * slots) };
  for (let i = map.length - 1; i >= 0; i--) {
    const w = map[i];
    positions.set(rig.mesh.positions.subarray(3 * i, 3 * i + 3), 3 * w);
    weights.bones.set(rig.weights.bones.subarray(i * slots, (i + 1) * slots), w * slots);
    weights.weights.set(rig.weights.weights.subarray(i * slots, (i + 1) * slots), w * slots);
  }
  return { ...rig, mesh: { name: rig.mesh.name, positions, triangles: rest.triangles }, weights };
}
