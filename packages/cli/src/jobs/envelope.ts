/** `pelt envelope`: pose-dependent skin learnt from examples of a rig. */
import { readRig } from '@pelt/io';
import { openNumerics } from '@pelt/math';
import {
  type Clip,
  envelopingError,
  frameCount,
  gatherVertices,
  InputError,
  type MeshSequence,
  poseAt,
  type Rig,
  type Run,
  stageOf,
  TRANSFORM_SIZE,
  UsageError,
  vertexCount,
  weldSequence,
} from '@pelt/model';
import {
  createReducedDeformer,
  deformLinear,
  type EnvelopeMethod,
  reduceEnvelope,
  trainAddedJoints,
  trainEnvelope,
} from '@pelt/skin';
import { type InputOptions, loadGltf, loadSequence } from '../input/load-sequence.ts';
import { isGltf, sourceFile, sourceOf } from '../input/source-files.ts';
import { refuseToReplace } from '../output/refuse-to-replace.ts';
import { bakedRig, writeBaked, writeLearnt } from '../output/write-envelope.ts';
import { type Job, timed } from '../thread/job.ts';

/** `mohr-gleicher` is plain skinning over added joints: no learnt skin, and always baked. */
export const ENVELOPE_PREDICTORS = ['improved', 'thesis', 'psd', 'ssd', 'mohr-gleicher'] as const satisfies readonly (
  | EnvelopeMethod
  | 'mohr-gleicher'
)[];

export interface EnvelopeRequest {
  readonly rig: string;
  readonly files: readonly string[];
  readonly input: InputOptions;
  readonly output: string;
  /** Numbers of the frames that train, from 1; absent: all. */
  readonly train: readonly number[] | undefined;
  readonly predictor: (typeof ENVELOPE_PREDICTORS)[number];
  readonly proxies: number | undefined;
  /** E_RMS that the proxies may differ from the full skin by. */
  readonly maxError: number | undefined;
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
  readonly max: number;
}

export interface EnvelopeReport {
  readonly input: { readonly name: string; readonly bytes: number; readonly vertices: number; readonly frames: number };
  readonly predictor: EnvelopeRequest['predictor'];
  readonly bones: number;
  readonly proxies: number;
  readonly keys: number;
  readonly weightsPerVertex: number;
  /** What the examples chose by being left out, where they had to. */
  readonly choice: Choice | undefined;
  readonly training: { readonly frames: number; readonly error: EnvelopeErrors };
  /** On the frames that did not train, where there are any. */
  readonly heldOut: { readonly frames: number; readonly error: EnvelopeErrors } | undefined;
  readonly seconds: { readonly read: number; readonly train: number; readonly write: number };
  readonly output: { readonly file: string; readonly bytes: number };
  readonly threads: number;
}

interface Choice {
  readonly pull: number;
  readonly tolerance: number;
  readonly heldShare: number;
  /** Pose space deformation did better on examples left out, and took over. */
  readonly fellBack: boolean;
  /** Root mean square distances on examples left out, in per cent of the size. */
  readonly leftOut: { readonly learnt: number; readonly psd: number } | undefined;
}

export async function envelope(request: EnvelopeRequest, job: Job): Promise<EnvelopeReport> {
  const { output, predictor, threads } = request;
  if (!/\.glb$/i.test(output)) throw new UsageError(`'${output}' is not a .glb; a learnt skin is written as GLB`);
  job.outputs.reserve(output);
  const [loaded, read] = await timed(() => load(request, job));
  const { rig, clip, sequence, label, bytes } = loaded;
  const S = frameCount(sequence);
  const train = (request.train ?? Array.from({ length: S }, (_, t) => t + 1)).map((frame) => frame - 1);
  const numerics = await openNumerics({ threads });
  try {
    const [skin, training] = await timed(() =>
      predictor === 'mohr-gleicher'
        ? addedJoints(request, loaded, train, { numerics, ...job.context })
        : learnt({ ...request, predictor }, loaded, train, { numerics, ...job.context }, job),
    );
    const measured = (frames: readonly number[]) => ({
      frames: frames.length,
      error: errorsAt(skin.deform, rig, sequence, clip, frames),
    });
    const others = Array.from({ length: S }, (_, t) => t).filter((t) => !train.includes(t));
    const [written, writing] = await timed(() => skin.write(job));
    const report: EnvelopeReport = {
      input: { name: label, bytes, vertices: vertexCount(sequence.rest), frames: S },
      predictor,
      bones: rig.bones.length,
      ...skin.report,
      training: measured(train),
      heldOut: others.length > 0 ? measured(others) : undefined,
      seconds: { read, train: training, write: writing },
      output: { file: output, bytes: written },
      threads: numerics.threads,
    };
    skin.dispose();
    return report;
  } finally {
    numerics.close();
  }
}

/** A skin that can be measured and written. */
interface Skin {
  readonly report: Pick<EnvelopeReport, 'proxies' | 'keys' | 'weightsPerVertex' | 'choice'>;
  readonly deform: (pose: Float64Array, out: Float32Array) => void;
  readonly write: (job: Job) => Promise<number>;
  readonly dispose: () => void;
}

type Loaded = Awaited<ReturnType<typeof load>>;

function learnt(
  request: EnvelopeRequest & { readonly predictor: EnvelopeMethod },
  loaded: Loaded,
  frames: readonly number[],
  run: Run,
  job: Job,
): Skin {
  const { rig, clip } = loaded;
  const { name } = loaded.sequence;
  const { output, predictor, weights, proxies, maxError, bake } = request;
  // Pose space deformation has displacements, which joints cannot carry: what is baked keeps its predictors.
  const options = { method: predictor, frames, weights, fallback: !bake, correction: !bake };
  const { envelope, ...chosen } = trainEnvelope(loaded, options, stageOf(run, 0.05, 0.7));
  if (chosen.fellBack) {
    job.warn('pose space deformation did better on examples left out, and takes the place of the learnt gradients');
  }
  const poses = frames.map((t) => poseAt(clip, t, rig.bones.length).transforms);
  const reduction = { proxies, mostProxies: proxies, maxError, weights, correction: !bake };
  const reduced = reduceEnvelope({ envelope, poses }, reduction, stageOf(run, 0.7, 0.95));
  const deformer = createReducedDeformer(reduced, {}, run);
  const { crossValidation: leftOut, ...choice } = chosen;
  const percent = leftOut && { learnt: 100 * leftOut.learnt, psd: 100 * leftOut.psd };
  return {
    report: {
      proxies: reduced.proxies,
      keys: reduced.keys.references.length,
      weightsPerVertex: reduced.skin.slots,
      choice: predictor === 'psd' || predictor === 'ssd' ? undefined : { ...choice, leftOut: percent },
    },
    deform: (pose, out) => deformer.deform(pose, out),
    write: (job) =>
      bake
        ? writeBaked(output, { ...bakedRig(reduced), name }, (pose) => deformer.palette.update(pose), clip, job)
        : writeLearnt(output, reduced, clip, job),
    dispose: () => deformer.dispose(),
  };
}

function addedJoints({ output, weights }: EnvelopeRequest, loaded: Loaded, frames: readonly number[], run: Run): Skin {
  const { rig: extended, joints } = trainAddedJoints(loaded, { frames, weights }, stageOf(run, 0.05, 0.95));
  const { name } = loaded.sequence;
  const rig = { ...extended, name, bones: extended.bones.map((bone) => ({ ...bone, parent: -1 })) };
  const palette = new Float64Array(TRANSFORM_SIZE * rig.bones.length);
  return {
    report: { proxies: 0, keys: 0, weightsPerVertex: rig.weights.slots, choice: undefined },
    deform: (pose, out) => deformLinear(rig.mesh.positions, rig.weights, joints.extend(pose, palette), out),
    write: (job) => writeBaked(output, rig, (pose) => joints.extend(pose, palette), loaded.clip, job),
    dispose: () => undefined,
  };
}

/** The rig, its clip at the examples' frames, the examples on the rig's own rest pose. */
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
  return { rig, clip, sequence, label: loaded.label, bytes: loaded.bytes + file.bytes };
}

/** Beside the best single bone of the given skeleton, whatever bones the skin has. */
function errorsAt(
  deform: Skin['deform'],
  rig: Rig,
  given: MeshSequence,
  clip: Clip,
  chosen: readonly number[],
): EnvelopeErrors {
  // A vertex on a seam counts once.
  const { sequence, first } = weldSequence(given);
  const { frames, rest } = sequence;
  const posed = new Float32Array(given.rest.positions.length);
  const size = rest.positions.length;
  const m = rig.bones.length * TRANSFORM_SIZE;
  const transforms = new Float64Array(chosen.length * m);
  const [truth, predicted] = [new Float32Array(chosen.length * size), new Float32Array(chosen.length * size)];
  chosen.forEach((t, k) => {
    const pose = clip.transforms.subarray(t * m, (t + 1) * m);
    transforms.set(pose, k * m);
    truth.set(frames.subarray(t * size, (t + 1) * size), k * size);
    deform(pose, posed);
    predicted.set(gatherVertices(posed, 3, first), k * size);
  });
  const { error, median, p95, max } = envelopingError(rest.positions, transforms, truth, predicted);
  return { error: 100 * error, median: 100 * median, p95: 100 * p95, max: 100 * max };
}
