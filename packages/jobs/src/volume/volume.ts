/** `pelt volume`: deforms a closed mesh by a skeleton, preserving its volume. */
import { writeSkinnedGlb } from '@pelt/io';
import {
  type Bone,
  boundsOf,
  type Clip,
  checkCancelled,
  InputError,
  type Mesh,
  type MeshSequence,
  poseAt,
  type Rig,
  type Run,
  type RunContext,
  stageOf,
  type TetMesh,
  triangleCount,
  UsageError,
  vertexCount,
} from '@pelt/model';
import { decompose } from '@pelt/skin/decompose';
import { tetrahedralize } from '@pelt/skin/tetrahedra';
import {
  createShapeBlender,
  createVolumeDeformer,
  learnShapes,
  measureBody,
  type ShapeBlender,
  type VolumeDeformer,
} from '@pelt/skin/volume';
import { loadMesh } from '../input/load-sequence.ts';
import { namedRig } from '../input/names.ts';
import { isSameMesh } from '../input/same-mesh.ts';
import { isGltf, sourceFile } from '../input/source-files.ts';
import { type Job, timed } from '../job.ts';
import { totalBytes } from '../outputs/outputs.ts';
import { outputFormat, outputPaths, probeSequence, writeSequence } from '../outputs/sequence-files.ts';
import type { Checked } from '../request/table.ts';
import { withNumerics } from '../with-numerics.ts';
import { type BodyReport, bindBody, encodeBody, savedBody, settingsOf } from './load-body.ts';
import { loadSkeleton } from './load-skeleton.ts';
import { readVertexList } from './read-vertex-list.ts';
import type { VOLUME } from './table.ts';
import { loadExamples } from './volume-examples.ts';

type VolumeRequest = Checked<typeof VOLUME>;

export interface VolumeReport {
  readonly input: {
    readonly mesh: string;
    readonly vertices: number;
    readonly triangles: number;
    readonly skeleton: string;
    readonly bones: number;
  };
  readonly frames: number;
  readonly body: BodyReport;
  /** Vertices of the body that follow the bones. */
  readonly constraints: number;
  /** Whose weights the surface has: those of the rig, such as were found, or those of a body that was saved. */
  readonly weights: 'rig' | 'found' | 'saved';
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

export async function volume(request: VolumeRequest, job: Job): Promise<VolumeReport> {
  const { inputs, output, options } = request;
  const [meshFile] = inputs;
  const { constraints, spacing, grading, save } = options;
  if (options.at && !options.examples) throw new UsageError('--at says in which frames --examples are; there are none');
  const format = outputFormat(output);
  probeSequence(output, true, job);
  if (save !== undefined) job.outputs.reserve(save);
  const [{ mesh, skeleton, clip, shapes }, read] = await timed(async () => {
    job.context.onProgress?.({ stage: 'reading', fraction: 0, detail: meshFile });
    const mesh = await loadMesh(sourceFile(job.files, meshFile), job);
    // A character that is given alone moves itself.
    const itself = options.rig === undefined && options.bvh === undefined && isGltf(sourceFile(job.files, meshFile));
    const skeleton = await loadSkeleton({ ...options, ...(itself && { rig: meshFile }) }, job);
    const { bones, clip: whole } = skeleton;
    const at = options.at === 'all' ? undefined : options.at;
    const shapes = options.examples
      ? await loadExamples(options.examples, at, meshFile, mesh, whole, bones.length, job, job.context)
      : [];
    return { mesh, skeleton, shapes, clip: thinned(whole, bones.length, options.step) };
  });
  const { bones } = skeleton;
  const S = clip.times.length;
  job.outputs.claim(outputPaths(output, S));
  job.expectFrames(vertexCount(mesh), S);
  const chosen = constraints === 'auto' ? undefined : readVertexList(constraints, vertexCount(mesh), job.files);
  const saved = savedBody(skeleton, mesh, options);
  const [filled, filling] = await timed(() =>
    saved ? undefined : tetrahedralize(mesh, { spacing, grading }, stageOf(job.context, 0.02, 0.15)),
  );
  const { rig: moving } = skeleton;
  // A rig of the same mesh says itself how its surface follows the bones.
  const same = moving && isSameMesh(moving.mesh.positions, mesh.positions);
  const rig = moving && same && saysMoreThanOneBone(moving) ? moving : undefined;
  if (moving && !same) requireSameSize(moving.mesh, skeleton.path, mesh, meshFile);
  const strays = outside(mesh, bones);
  if (2 * strays > bones.length) {
    throw new InputError(
      `${strays} of ${bones.length} joints are outside '${meshFile}'; bring mesh and skeleton to one place, unit and pose`,
    );
  }
  return withNumerics(job, async (run) => {
    const settings = settingsOf(options, saved);
    const [{ binding, blender }, binds] = await timed(() => {
      const binding = saved ?? bindBody(filled?.mesh as TetMesh, skeleton, rig, chosen, stageOf(run, 0.15, 0.18));
      if (shapes.length === 0) return { binding, blender: undefined };
      const data = { surface: mesh, bones, binding, examples: shapes };
      const learnt = learnShapes(data, {}, stageOf(run, 0.18, 0.2));
      return { binding, blender: createShapeBlender({ shapes: learnt, binding }) };
    });
    const deformer = createVolumeDeformer({ surface: mesh, bones, binding }, settings, run);
    const { body } = binding;
    const solid = save !== undefined && (await encodeBody(binding, settings, { mesh, skeleton, rig }, run, job));
    if (save !== undefined && solid) job.outputs.write(save, solid);
    const [moved, deforms] = await timed(() => {
      return deformAll(deformer, blender, mesh, clip, bones.length, body, stageOf(job.context, 0.2, 0.8));
    });
    deformer.dispose();
    const [fitted, write] = await timed(async () => {
      if (format === 'glb') return writeFitted(moved.sequence, request, run, job);
      await writeSequence(output, moved.sequence, job, {}, stageOf(job.context, 0.8, 1));
      return undefined;
    });
    const tetrahedra = body.tetrahedra.length / 4;
    if (moved.inverted > TORN * tetrahedra) {
      const count = `${moved.inverted} of ${tetrahedra} tetrahedra`;
      job.warn(`the bones pull the body apart: ${count} are inverted in frame ${moved.worst + 1}; check the motion`);
    }
    if (format === 'pc2' || format === 'mdd') job.warn(`'${output}' holds points only; its mesh is '${meshFile}'`);
    return {
      input: {
        mesh: meshFile,
        vertices: vertexCount(mesh),
        triangles: triangleCount(mesh),
        skeleton: skeleton.path,
        bones: bones.length,
      },
      frames: S,
      body: filled?.report ?? { vertices: body.positions.length / 3, tetrahedra },
      constraints: binding.fixed.length,
      weights: saved ? 'saved' : rig ? 'rig' : 'found',
      examples: Math.max(shapes.length - 1, 0),
      rounds: moved.rounds,
      volume: moved.volume,
      inverted: moved.inverted,
      ...(fitted && { fit: fitted }),
      seconds: { read, tetrahedra: filling, bind: binds, deform: deforms, write },
      output: { file: output, bytes: totalBytes(job.outputs) - (solid ? solid.length : 0) },
      threads: run.numerics.threads,
    };
  });
}

/** Meshes of one character differ less, whatever their resolution; units differ by far more. */
const MAX_SIZE_RATIO = 1.5;

/** A rig of another mesh moves this one only where it has its size: a smaller one would pull it together. */
function requireSameSize(rigged: Mesh, rigFile: string, mesh: Mesh, meshFile: string): void {
  const [theirs, ours] = [rigged, mesh].map(({ positions }) => {
    const { min, max } = boundsOf(positions);
    return Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  });
  const ratio = theirs / ours;
  if (ratio <= MAX_SIZE_RATIO && ratio >= 1 / MAX_SIZE_RATIO) return;
  throw new InputError(
    `the mesh of '${rigFile}' is ${Number(ratio.toPrecision(3))} times as large as '${meshFile}'; bring both to one unit`,
  );
}

/** How many joints are outside the box of a mesh. */
function outside({ positions }: Mesh, bones: readonly Bone[]): number {
  const { min, max } = boundsOf(positions);
  const isOut = ({ rest }: Bone) => [0, 1, 2].some((k) => rest[4 * k + 3] < min[k] || rest[4 * k + 3] > max[k]);
  return bones.filter(isOut).length;
}

/** Every `step`-th frame. */
function thinned(clip: Clip, bones: number, step: number): Clip {
  const S = Math.ceil(clip.times.length / step);
  const size = poseAt(clip, 0, bones).transforms.length;
  const transforms = new Float64Array(S * size);
  for (let t = 0; t < S; t++) transforms.set(poseAt(clip, t * step, bones).transforms, t * size);
  return { name: clip.name, times: clip.times.filter((_, t) => t % step === 0), transforms };
}

/** A mesh that hangs on one of several bones says nothing of how it follows the others: then weights are found. */
function saysMoreThanOneBone({ bones, weights }: Rig): boolean {
  const [first] = weights.bones;
  return bones.length < 2 || weights.bones.some((bone, k) => weights.weights[k] > 0 && bone !== first);
}

/** A body of which more is inverted is torn: no reader would take it for what was asked. */
const TORN = 0.01;

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
  let [total, most, volume, inverted, worst] = [0, 0, Number.POSITIVE_INFINITY, 0, 0];
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
    if (measures.inverted > inverted) [inverted, worst] = [measures.inverted, t];
  }
  const sequence: MeshSequence = { name: clip.name, rest: mesh, frames, times: clip.times };
  return { sequence, rounds: { mean: total / S, most }, volume, inverted, worst };
}

/** A GLB that plays anywhere: bones and weights fitted to the deformed mesh. */
async function writeFitted(
  sequence: MeshSequence,
  { output, options: { bones, weights, name } }: VolumeRequest,
  run: Run,
  job: Job,
): Promise<{ bones: number; eRms: number }> {
  const { rig, clip, error } = decompose(sequence, { bones, weights }, stageOf(run, 0.8, 0.98));
  const glb = await writeSkinnedGlb({ rig: namedRig(rig, name), clips: [clip] }, { onWarning: job.warn });
  job.outputs.write(output, glb.bytes);
  return { bones: rig.bones.length, eRms: error.eRms };
}
