/** `pelt volume`: a closed mesh moved by a skeleton, as a body that keeps its volume. */
import { readBvh, readRig, writeSkinnedGlb } from '@pelt/io';
import { type Numerics, openNumerics } from '@pelt/math';
import {
  type Bone,
  type Clip,
  checkCancelled,
  InputError,
  type Mesh,
  type MeshSequence,
  poseAt,
  type RunContext,
  stageOf,
  triangleCount,
  UsageError,
  vertexCount,
} from '@pelt/model';
import {
  bindVolume,
  decompose,
  fitSkeleton,
  learnShapes,
  measureBody,
  ShapeBlender,
  type TetrahedraReport,
  tetrahedralize,
  VolumeDeformer,
} from '@pelt/skin';
import { boundsOf } from '../input/bounds.ts';
import { loadGltf, loadMesh } from '../input/load-sequence.ts';
import { readBytes } from '../input/read-file.ts';
import { readLandmarks } from '../input/read-landmarks.ts';
import { readVertexList } from '../input/read-vertex-list.ts';
import { isGltf, sourceFile } from '../input/source-files.ts';
import { refuseToReplace } from '../output/refuse-to-replace.ts';
import { outputFormat, outputPaths, writeSequence } from '../output/sequence-files.ts';
import { type Job, timed } from '../thread/job.ts';
import { type ExamplesRequest, loadExamples } from './volume-examples.ts';

export interface VolumeRequest {
  readonly mesh: string;
  /** What moves it: a rigged glTF, or a capture file with the places of its joints in the mesh. */
  readonly skeleton:
    | { readonly rig: string; readonly clip: string | undefined }
    | { readonly bvh: string; readonly landmarks: string };
  /** A file of vertices that follow the bones; absent: chosen by themselves. */
  readonly constraints: string | undefined;
  readonly examples: ExamplesRequest | undefined;
  readonly output: string;
  /** Every so many frames of the motion. */
  readonly step: number;
  readonly volumeWeight: number | undefined;
  readonly tolerance: number | undefined;
  readonly spacing: number | undefined;
  readonly grading: number | undefined;
  /** Of a GLB: bones and weights that the deformed mesh is fitted with. */
  readonly bones: number | undefined;
  readonly weights: number | undefined;
  readonly threads: number;
}

export interface VolumeReport {
  readonly input: {
    readonly mesh: string;
    readonly vertices: number;
    readonly triangles: number;
    readonly skeleton: string;
    readonly bones: number;
  };
  readonly frames: number;
  readonly body: TetrahedraReport;
  /** Vertices of the body that follow the bones. */
  readonly constraints: number;
  /** Shapes that it learnt from, the rest pose not counted. */
  readonly examples: number;
  readonly rounds: { readonly mean: number; readonly most: number };
  /** Least volume of a frame in volumes at rest, and most tetrahedra that are turned inside out in one. */
  readonly volume: number;
  readonly inverted: number;
  /** Of a GLB: what its bones cost. */
  readonly fit?: { readonly bones: number; readonly eRms: number };
  readonly seconds: {
    readonly read: number;
    readonly tetrahedra: number;
    readonly bind: number;
    readonly deform: number;
    readonly write: number;
  };
  readonly output: { readonly file: string; readonly bytes: number };
  readonly threads: number;
}

/** Frames a second of a fitted clip's motion stay what they were; a GLB is fitted with so many bones by default. */
const FITTED_BONES = 32;

export async function volume(request: VolumeRequest, job: Job): Promise<VolumeReport> {
  const { output, skeleton, constraints, step } = request;
  const format = outputFormat(output);
  const inputs = [request.mesh, ...('rig' in skeleton ? [skeleton.rig] : [skeleton.bvh, skeleton.landmarks])];
  const [{ mesh, bones, tips, clip, shapes }, read] = await timed(async () => {
    job.context.onProgress?.({ stage: 'reading', fraction: 0, detail: request.mesh });
    const mesh = await loadMesh(sourceFile(request.mesh), job.warn);
    const { bones, tips, clip: whole } = await loadSkeleton(request, job);
    const shapes = request.examples
      ? await loadExamples(request.examples, request.mesh, mesh, whole, bones.length, job.warn, job.context)
      : { examples: [], paths: [] };
    return { mesh, bones, tips, shapes, clip: thinned(whole, bones.length, step) };
  });
  const S = clip.times.length;
  refuseToReplace(format === 'glb' ? [output] : outputPaths(output, S), [
    ...inputs,
    ...shapes.paths,
    ...(constraints === undefined ? [] : [constraints]),
  ]);
  const chosen = constraints === undefined ? undefined : readVertexList(constraints, vertexCount(mesh));
  const { spacing, grading } = request;
  const [tetrahedra, filling] = await timed(() =>
    tetrahedralize(mesh, { spacing, grading }, stageOf(job.context, 0.02, 0.15)),
  );
  const strays = outside(mesh, bones);
  if (2 * strays > bones.length) {
    job.warn(
      `${strays} of ${bones.length} joints are outside the mesh; are '${request.mesh}' and the skeleton in one place, unit and pose?`,
    );
  }
  const numerics = await openNumerics({ threads: request.threads });
  try {
    const body = tetrahedra.mesh;
    const [{ binding, blender }, binds] = await timed(() => {
      const binding = bindVolume(
        numerics,
        body,
        bones,
        { constraints: chosen, tips },
        stageOf(job.context, 0.15, 0.18),
      );
      if (shapes.examples.length === 0) return { binding, blender: undefined };
      const learnt = learnShapes(numerics, mesh, bones, binding, shapes.examples, stageOf(job.context, 0.18, 0.2));
      return { binding, blender: new ShapeBlender(learnt, body, binding.skin, binding.fixed) };
    });
    const deformer = new VolumeDeformer(numerics, mesh, bones.length, binding, {
      volumeWeight: request.volumeWeight,
      tolerance: request.tolerance,
    });
    const [moved, deforms] = await timed(() => {
      return deformAll(deformer, blender, mesh, clip, bones.length, body, stageOf(job.context, 0.2, 0.8));
    });
    deformer.dispose();
    const [fitted, write] = await timed(async () => {
      if (format === 'glb') return writeFitted(moved.sequence, request, numerics, job);
      await writeSequence(
        output,
        moved.sequence,
        job.outputs,
        { ascii: false },
        job.warn,
        stageOf(job.context, 0.8, 1),
      );
      return undefined;
    });
    if (format === 'pc2' || format === 'mdd') job.warn(`'${output}' holds points only; its mesh is '${request.mesh}'`);
    return {
      input: {
        mesh: request.mesh,
        vertices: vertexCount(mesh),
        triangles: triangleCount(mesh),
        skeleton: 'rig' in skeleton ? skeleton.rig : skeleton.bvh,
        bones: bones.length,
      },
      frames: S,
      body: tetrahedra.report,
      constraints: binding.fixed.length,
      examples: Math.max(shapes.examples.length - 1, 0),
      rounds: moved.rounds,
      volume: moved.volume,
      inverted: moved.inverted,
      ...(fitted && { fit: fitted }),
      seconds: { read, tetrahedra: filling, bind: binds, deform: deforms, write },
      output: { file: output, bytes: job.outputs.totalBytes },
      threads: numerics.threads,
    };
  } finally {
    numerics.close();
  }
}

/** How many joints are outside the box of a mesh. */
function outside({ positions }: Mesh, bones: readonly Bone[]): number {
  const { min, max } = boundsOf(positions);
  const isOut = ({ rest }: Bone) => [0, 1, 2].some((k) => rest[4 * k + 3] < min[k] || rest[4 * k + 3] > max[k]);
  return bones.filter(isOut).length;
}

interface Skeleton {
  readonly bones: readonly Bone[];
  readonly tips: ReadonlyMap<number, readonly [number, number, number]>;
  readonly clip: Clip;
}

async function loadSkeleton({ skeleton }: VolumeRequest, job: Job): Promise<Skeleton> {
  if ('bvh' in skeleton) {
    const motion = readBvh(readBytes(skeleton.bvh), { name: skeleton.bvh, onWarning: job.warn });
    return fitSkeleton(motion, readLandmarks(skeleton.landmarks));
  }
  const file = sourceFile(skeleton.rig);
  if (!isGltf(file)) throw new InputError(`'${skeleton.rig}' is no glTF; a rig is a skinned .glb or .gltf`);
  const { rig, clips } = readRig(await loadGltf(file, job.warn));
  const clip = skeleton.clip === undefined ? clips[0] : clipNamed(clips, skeleton.clip);
  if (!clip) throw new InputError(`'${skeleton.rig}' has no animation to follow`);
  return { bones: rig.bones, tips: new Map(), clip };
}

function clipNamed(clips: readonly Clip[], name: string): Clip {
  const found = clips.find((clip) => clip.name === name) ?? (/^\d+$/.test(name) ? clips[Number(name)] : undefined);
  if (found) return found;
  throw new UsageError(`there is no clip '${name}'; the file has ${clips.map((clip) => `'${clip.name}'`).join(', ')}`);
}

/** Every `step`-th frame. */
function thinned(clip: Clip, bones: number, step: number): Clip {
  const S = Math.ceil(clip.times.length / step);
  const size = poseAt(clip, 0, bones).transforms.length;
  const transforms = new Float64Array(S * size);
  for (let t = 0; t < S; t++) transforms.set(poseAt(clip, t * step, bones).transforms, t * size);
  return { name: clip.name, times: clip.times.filter((_, t) => t % step === 0), transforms };
}

function deformAll(
  deformer: VolumeDeformer,
  blender: ShapeBlender | undefined,
  mesh: Mesh,
  clip: Clip,
  bones: number,
  body: Parameters<typeof measureBody>[0],
  context: RunContext,
) {
  const S = clip.times.length;
  const size = mesh.positions.length;
  const frames = new Float32Array(S * size);
  let [total, most, volume, inverted] = [0, 0, Number.POSITIVE_INFINITY, 0];
  for (let t = 0; t < S; t++) {
    checkCancelled(context);
    context.onProgress?.({ stage: 'deforming', fraction: t / S, detail: `frame ${t + 1} of ${S}` });
    const { transforms } = poseAt(clip, t, bones);
    if (blender) deformer.setShapes(blender.blend(transforms));
    const { rounds } = deformer.deform(transforms, frames.subarray(t * size, (t + 1) * size));
    const measures = measureBody(body, deformer.bodyPositions);
    total += rounds;
    most = Math.max(most, rounds);
    volume = Math.min(volume, measures.volume);
    inverted = Math.max(inverted, measures.inverted);
  }
  const sequence: MeshSequence = { name: clip.name, rest: mesh, frames, times: clip.times };
  return { sequence, rounds: { mean: total / S, most }, volume, inverted };
}

/** A GLB that plays anywhere: bones and weights fitted to the deformed mesh. */
async function writeFitted(
  sequence: MeshSequence,
  { output, bones = FITTED_BONES, weights }: VolumeRequest,
  numerics: Numerics,
  job: Job,
): Promise<{ bones: number; eRms: number }> {
  const run = { numerics, ...stageOf(job.context, 0.8, 0.98) };
  const { rig, clip, error } = decompose(sequence, { bones, weights }, run);
  const glb = await writeSkinnedGlb({ rig, clips: [clip] }, { onWarning: job.warn });
  job.outputs.write(output, glb.bytes);
  return { bones: rig.bones.length, eRms: error.eRms };
}
