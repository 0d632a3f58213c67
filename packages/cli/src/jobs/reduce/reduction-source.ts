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
  type Mesh,
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

/** The examples must have a vertex this near to every vertex of the rig at rest, in radii. */
const SAME_PLACE = 0.03;
/** Vertices at about the same place that are told apart by their motion, and frames that are compared for it. */
const RIVALS = 8;
const COMPARED_FRAMES = 12;

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
    truths[c] = matched(loaded.sequence, rig, truths[c], loaded.label);
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

/**
 * The examples with the vertices of the rig: in their order where the triangles are the same, else by place.
 *
 * @param shown  what the rig plays, at the frames of its clip
 */
function matched(examples: MeshSequence, rig: Rig, shown: MeshSequence, label: string): MeshSequence {
  if (frameCount(examples) !== frameCount(shown)) {
    throw new InputError(
      `'${label}' has ${frameCount(examples)} frames, the clip '${shown.name}' ${frameCount(shown)}; they must show the same`,
    );
  }
  const [own, other] = [rig.mesh.positions, examples.rest.positions];
  const from = sameTriangles(rig.mesh, examples.rest) ? undefined : placesOf(examples, shown, label);
  const frames = new Float32Array(shown.frames.length);
  const rest = new Float32Array(own.length);
  for (let i = 0; i < own.length / 3; i++) {
    const k = from ? from[i] : i;
    rest.set(other.subarray(3 * k, 3 * k + 3), 3 * i);
    for (let t = 0; t < frameCount(shown); t++) {
      const at = t * other.length + 3 * k;
      frames.set(examples.frames.subarray(at, at + 3), t * own.length + 3 * i);
    }
  }
  return { ...shown, rest: { ...rig.mesh, positions: rest }, frames };
}

function sameTriangles(a: Mesh, b: Mesh): boolean {
  const { triangles } = b;
  return (
    vertexCount(a) === vertexCount(b) &&
    a.triangles.length === triangles.length &&
    a.triangles.every((i, k) => i === triangles[k])
  );
}

/**
 * For each vertex of the rig one of the examples. A fit moves the rest pose a little, so that the nearest at rest may be a
 * neighbour: of the nearest few, the one that moves most alike.
 */
function placesOf(examples: MeshSequence, shown: MeshSequence, label: string): Uint32Array {
  const [own, other] = [shown.rest.positions, examples.rest.positions];
  const limit = SAME_PLACE * (enclosingBall(own).radius || 1);
  const tree = new KdTree(other);
  const count = Math.min(RIVALS, other.length / 3);
  const [index, distance] = [new Uint32Array(count), new Float64Array(count)];
  const step = Math.max(Math.floor(frameCount(shown) / COMPARED_FRAMES), 1);
  const apart = (i: number, k: number): number => {
    let sum = 0;
    for (let t = 0; t < frameCount(shown); t += step) {
      for (let c = 0; c < 3; c++) {
        sum += (shown.frames[t * own.length + 3 * i + c] - examples.frames[t * other.length + 3 * k + c]) ** 2;
      }
    }
    return sum;
  };
  return Uint32Array.from({ length: own.length / 3 }, (_, i) => {
    tree.nearest(own, 3 * i, count, index, distance);
    if (!(Math.sqrt(distance[0]) <= limit)) {
      throw new InputError(
        `'${label}' has no vertex where vertex ${i} of the rig rests; give the shapes of the same mesh`,
      );
    }
    return index.reduce((best, k) => (apart(i, k) < apart(i, best) ? k : best));
  });
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
