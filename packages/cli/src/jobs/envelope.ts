/** `pelt envelope`: pose-dependent skin learnt from examples of a rig. */
import { envelopeExtension, readRig, writeSkinnedGlb } from '@pelt/io';
import { openNumerics } from '@pelt/math';
import {
  type Clip,
  envelopingError,
  frameCount,
  InputError,
  type MeshSequence,
  poseAt,
  type ReducedEnvelope,
  type Rig,
  stageOf,
  TRANSFORM_SIZE,
  UsageError,
  unweldRig,
  vertexCount,
  type Weld,
  weldSequence,
} from '@pelt/model';
import { type EnvelopeMethod, ReducedDeformer, reduceEnvelope, trainEnvelope } from '@pelt/skin';
import { type InputOptions, loadGltf, loadSequence } from '../input/load-sequence.ts';
import { isGltf, sourceFile, sourceOf } from '../input/source-files.ts';
import { refuseToReplace } from '../output/refuse-to-replace.ts';
import { type Job, timed } from '../thread/job.ts';

export const ENVELOPE_PREDICTORS = ['improved', 'thesis'] as const satisfies readonly EnvelopeMethod[];

export interface EnvelopeRequest {
  readonly rig: string;
  readonly files: readonly string[];
  readonly input: InputOptions;
  readonly output: string;
  /** Numbers of the frames that train, from 1; absent: all. */
  readonly train: readonly number[] | undefined;
  readonly predictor: (typeof ENVELOPE_PREDICTORS)[number];
  readonly proxies: number | undefined;
  readonly weights: number | undefined;
  /** Write the proxy bones as joints, the clip baked, in place of the extension. */
  readonly bake: boolean;
  readonly threads: number;
}

/** Enveloping error in per cent, over the frames and over the vertices. */
export interface EnvelopeErrors {
  readonly error: number;
  readonly median: number;
  readonly p95: number;
}

export interface EnvelopeReport {
  readonly input: { readonly name: string; readonly bytes: number; readonly vertices: number; readonly frames: number };
  readonly bones: number;
  readonly proxies: number;
  readonly keys: number;
  readonly weightsPerVertex: number;
  /** What was used, chosen by leaving examples out where there are enough. */
  readonly pull: number;
  readonly heldShare: number;
  readonly training: { readonly frames: number; readonly error: EnvelopeErrors };
  /** On the frames that did not train, where there are any. */
  readonly heldOut: { readonly frames: number; readonly error: EnvelopeErrors } | undefined;
  readonly seconds: { readonly read: number; readonly train: number; readonly write: number };
  readonly output: { readonly file: string; readonly bytes: number };
  readonly threads: number;
}

export async function envelope(request: EnvelopeRequest, job: Job): Promise<EnvelopeReport> {
  const { output, predictor, weights, proxies, bake, threads } = request;
  if (!/\.glb$/i.test(output)) throw new UsageError(`'${output}' is not a .glb; a learnt skin is written as GLB`);
  job.outputs.reserve(output);
  const [{ rig, clip, sequence, weld, label, bytes }, read] = await timed(() => load(request, job));
  const S = frameCount(sequence);
  const train = (request.train ?? Array.from({ length: S }, (_, t) => t + 1)).map((frame) => frame - 1);
  const numerics = await openNumerics({ threads });
  try {
    const [{ learnt, reduced }, training] = await timed(() => {
      // The file's form needs predictors; pose space deformation alone has none.
      const options = { method: predictor, weights, fallback: false };
      const context = stageOf(job.context, 0.05, 0.7);
      const learnt = trainEnvelope(rig, clip, weld.sequence, numerics, train, options, context);
      const poses = train.map((t) => poseAt(clip, t, rig.bones.length).transforms);
      const reduction = { proxies, weights, correction: !bake };
      return {
        learnt,
        reduced: reduceEnvelope(learnt.envelope, poses, numerics, reduction, stageOf(job.context, 0.7, 0.95)),
      };
    });
    const deformer = new ReducedDeformer(numerics, reduced);
    const measured = (frames: readonly number[]) => ({
      frames: frames.length,
      error: errorsAt(deformer, weld.sequence, clip, frames),
    });
    const others = Array.from({ length: S }, (_, t) => t).filter((t) => !train.includes(t));
    const [written, writing] = await timed(() =>
      bake
        ? writeBaked(request, deformer, clip, sequence, weld, job)
        : writeLearnt(request, reduced, clip, sequence, weld, job),
    );
    const report: EnvelopeReport = {
      input: { name: label, bytes, vertices: vertexCount(sequence.rest), frames: S },
      bones: rig.bones.length,
      proxies: reduced.proxies,
      keys: reduced.keys.references.length,
      weightsPerVertex: reduced.skin.slots,
      pull: learnt.pull,
      heldShare: learnt.heldShare,
      training: measured(train),
      heldOut: others.length > 0 ? measured(others) : undefined,
      seconds: { read, train: training, write: writing },
      output: { file: output, bytes: written },
      threads: numerics.threads,
    };
    deformer.dispose();
    return report;
  } finally {
    numerics.close();
  }
}

/** The rig at the welded vertices, its clip at the examples' frames, the examples on the rig's own rest pose. */
async function load({ rig: rigFile, files, input, output }: EnvelopeRequest, job: Job) {
  const file = sourceFile(rigFile);
  if (!isGltf(file)) throw new InputError(`'${rigFile}' is no glTF; a rig is a skinned .glb or .gltf`);
  const asset = await loadGltf(file, job.warn);
  if (!asset.skinned) throw new InputError(`'${rigFile}' has no skin`);
  const { rig, clips } = readRig(asset);
  const loaded = await loadSequence(sourceOf(files, input.rest), input, job.warn, stageOf(job.context, 0, 0.05));
  refuseToReplace([output], [rigFile, ...loaded.paths]);
  const S = frameCount(loaded.sequence);
  const clip = clips.find(({ times }) => times.length === S);
  if (!clip) {
    const counts = clips.map(({ name, times }) => `'${name}' has ${times.length}`).join(', ');
    throw new InputError(
      `the examples have ${S} frames, and no animation of '${rigFile}' has as many (${counts || 'it has none'})`,
    );
  }
  if (vertexCount(loaded.sequence.rest) !== vertexCount(rig.mesh)) {
    throw new InputError(
      `the examples have ${vertexCount(loaded.sequence.rest)} vertices, '${rigFile}' ${vertexCount(rig.mesh)}`,
    );
  }
  const sequence: MeshSequence = { ...loaded.sequence, rest: rig.mesh };
  const weld = weldSequence(sequence);
  return { rig: welded(rig, weld), clip, sequence, weld, label: loaded.label, bytes: loaded.bytes + file.bytes };
}

function welded(rig: Rig, { sequence, map }: Weld): Rig {
  const { slots } = rig.weights;
  const n = vertexCount(sequence.rest);
  const weights = { slots, bones: new Uint16Array(n * slots), weights: new Float32Array(n * slots) };
  map.forEach((w, i) => {
    weights.bones.set(rig.weights.bones.subarray(i * slots, (i + 1) * slots), w * slots);
    weights.weights.set(rig.weights.weights.subarray(i * slots, (i + 1) * slots), w * slots);
  });
  return { ...rig, mesh: sequence.rest, weights };
}

function errorsAt(deformer: ReducedDeformer, { frames, rest }: MeshSequence, clip: Clip, chosen: readonly number[]) {
  const size = rest.positions.length;
  const m = deformer.envelope.rig.bones.length * TRANSFORM_SIZE;
  const transforms = new Float64Array(chosen.length * m);
  const [truth, predicted] = [new Float32Array(chosen.length * size), new Float32Array(chosen.length * size)];
  chosen.forEach((t, k) => {
    const pose = clip.transforms.subarray(t * m, (t + 1) * m);
    transforms.set(pose, k * m);
    truth.set(frames.subarray(t * size, (t + 1) * size), k * size);
    deformer.deform(pose, predicted.subarray(k * size, (k + 1) * size));
  });
  const { error, median, p95 } = envelopingError(rest.positions, transforms, truth, predicted);
  return { error: 100 * error, median: 100 * median, p95: 100 * p95 };
}

async function writeLearnt(
  { output }: EnvelopeRequest,
  reduced: ReducedEnvelope,
  clip: Clip,
  { rest }: MeshSequence,
  { map }: Weld,
  job: Job,
): Promise<number> {
  const rig = unweldRig(reduced.rig, map, rest);
  const write = (vertexMap: Uint32Array) =>
    writeSkinnedGlb(
      { rig, clips: [clip], extensions: [envelopeExtension(reduced, vertexMap)] },
      { onWarning: job.warn },
    );
  let glb = await write(map);
  // Where the writer splits vertices along seams, what is kept by vertex has to follow.
  if (glb.vertexMap.length !== map.length) glb = await write(glb.vertexMap.map((i) => map[i]));
  job.outputs.write(output, glb.bytes);
  return glb.bytes.length;
}

/** Proxies and bones as loose joints, each with its own track: any engine plays the reduced skin as it is. */
async function writeBaked(
  { output }: EnvelopeRequest,
  deformer: ReducedDeformer,
  clip: Clip,
  { rest }: MeshSequence,
  { map }: Weld,
  job: Job,
): Promise<number> {
  const { rig, proxies, skin } = deformer.envelope;
  const identity = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
  const joints = Array.from({ length: proxies }, (_, k) => ({ name: `proxy ${k}`, parent: -1, rest: identity }));
  const bones = [...joints, ...rig.bones.map((bone) => ({ ...bone, parent: -1 }))];
  const transforms = new Float64Array(clip.times.length * bones.length * TRANSFORM_SIZE);
  clip.times.forEach((_, t) => {
    transforms.set(deformer.proxies(poseAt(clip, t, rig.bones.length).transforms), t * bones.length * TRANSFORM_SIZE);
  });
  const baked = unweldRig({ ...rig, bones, weights: skin }, map, rest);
  const glb = await writeSkinnedGlb(
    { rig: baked, clips: [{ ...clip, transforms }] },
    { affine: 'pair', onWarning: job.warn },
  );
  job.outputs.write(output, glb.bytes);
  return glb.bytes.length;
}
