/** `pelt compare`: every metric between two animations. */
import { GltfMotion, readFrames } from '@pelt/io';
import {
  type CharacterSkin,
  type EnvelopingError,
  envelopingError,
  frameAt,
  frameCount,
  InputError,
  type MeshSequence,
  SequenceErrorMeter,
  type SequenceErrors,
  stageOf,
  UsageError,
  vertexCount,
} from '@pelt/model';
import { characterOf, hasOwnSkin } from '../input/asset-motion.ts';
import { clipIndex } from '../input/clip-index.ts';
import { type Correspondence, correspond, inOrderOf } from '../input/correspondence.ts';
import type { LimitCheck } from '../input/error-limit.ts';
import { type InputOptions, type LoadedSequence, loadGltf, loadSequence } from '../input/load-sequence.ts';
import { chooseClip, openRig } from '../input/open-rig.ts';
import { isAlembic, isGltf, type Source, sourceFile, sourcesOf } from '../input/source-files.ts';
import type { Job } from '../job.ts';
import type { Checked } from '../request/table.ts';
import { checkLimits } from './fail-over.ts';
import type { COMPARE } from './table.ts';

export interface CompareReport {
  readonly a: { readonly name: string; readonly bytes: number; readonly vertices: number };
  readonly b: {
    readonly name: string;
    readonly bytes: number;
    readonly vertices: number;
    /** The skin of a glTF, by which it was played. */
    readonly skin?: CharacterSkin['kind'];
  };
  readonly vertices: number;
  readonly frames: number;
  /** How vertices were found to correspond. */
  readonly matched: Correspondence['by'];
  readonly error: SequenceErrors;
  /** Where B is a skinned animation: how much of what its bones alone leave over its skin still misses. */
  readonly enveloping?: Omit<EnvelopingError, 'perVertex'>;
  /** Where B has a skin of its own (`skin`), which gives `error` and `enveloping`: what viewers show that blend linearly. */
  readonly plain?: { readonly error: SequenceErrors; readonly enveloping?: Omit<EnvelopingError, 'perVertex'> };
  /** Of --fail-over, one for each error and size that a limit is set for. */
  readonly limits?: readonly LimitCheck[];
}

/** A is the truth, B the approximation; sizes are those of A's rest pose. */
export async function compare(request: Checked<typeof COMPARE>, job: Job): Promise<CompareReport> {
  const { options } = request;
  const { failOver, baseline } = options;
  if (baseline !== undefined && !failOver)
    throw new UsageError('--baseline is for --fail-over; give it a limit such as 5%');
  const sources = sourcesOf(job.files, request.inputs);
  if (sources.length !== 2) {
    throw new UsageError(`two animations are compared, but ${sources.length} are given; a folder of frames is one`);
  }
  const a = await load(sources[0], options, job, 0);
  // A glTF has keys where it needs them: of two, B is sampled where A is.
  const times = !sources[0].cache && isGltf(sources[0].meshes[0]) ? a.sequence.times : undefined;
  const taken = { ...options, ...(times && { times }) };
  const b = await load(withMeshOf(sources[1], sources[0], options, job), taken, job, 0.4);
  const S = requireSameFrames(a, b);
  const { rest } = a.sequence;
  const n = vertexCount(rest);
  const found = correspond(a.sequence, b.sequence, [a.label, b.label]);
  const moved = (sequence: MeshSequence) => inOrderOf(a.sequence, sequence, found);
  const errorsOf = (sequence: MeshSequence): SequenceErrors => {
    const meter = new SequenceErrorMeter(rest, S);
    for (let t = 0; t < S; t++) {
      meter.addFrame(frameAt(a.sequence, t), frameAt(sequence, t));
      job.context.onProgress?.({ stage: 'comparing', fraction: 0.8 + (0.2 * (t + 1)) / S });
    }
    return meter.result();
  };
  const shown = moved(b.sequence);
  const bones = b.skinned && (await bonesOf(options, b.skinned.clip.transforms, S, job));
  const enveloping = bones && envelopingOf(a.sequence, shown, bones);
  const own = await ownSkin(sources[1], taken, b, job);
  const plain = own && moved({ ...b.sequence, frames: own.plain });
  const report: CompareReport = {
    a: { name: a.label, bytes: a.bytes, vertices: vertexCount(a.sequence.rest) },
    b: { name: b.label, bytes: b.bytes, vertices: vertexCount(b.sequence.rest), ...(own && { skin: own.skin }) },
    vertices: n,
    frames: S,
    matched: found.by,
    error: errorsOf(shown),
    ...(enveloping && { enveloping }),
    ...(plain && {
      plain: { error: errorsOf(plain), ...(bones && { enveloping: envelopingOf(a.sequence, plain, bones) }) },
    }),
  };
  return failOver ? { ...report, limits: checkLimits(failOver, report, a.sequence, baseline, job) } : report;
}

/** Of a glTF with a skin beyond linear blending: which, and its frames where it is blended linearly. */
async function ownSkin(source: Source, input: InputOptions, { opened }: LoadedSequence, job: Job) {
  const { meshes, cache } = source;
  if (cache || meshes.length !== 1 || !isGltf(meshes[0])) return undefined;
  const asset = await loadGltf(meshes[0], { ...job, warn: () => {} });
  if (asset.animations.length === 0 || !hasOwnSkin(asset)) return undefined;
  const { clip, fps, times } = optionsOf(source, input);
  const chosen = clip === undefined ? undefined : clipIndex(asset.animations, clip);
  const motion = new GltfMotion(asset, { clip: chosen, fps, times });
  const { frames } = readFrames(motion, { frames: opened.frames });
  return { skin: characterOf(asset, meshes[0].path).skin.kind, plain: frames };
}

function load(source: Source, input: InputOptions, job: Job, from: number): Promise<LoadedSequence> {
  return loadSequence(source, optionsOf(source, input), job, stageOf(job.context, from, from + 0.4));
}

function optionsOf(source: Pick<Source, 'meshes' | 'cache'>, input: InputOptions): InputOptions {
  // The rest pose that was given is for caches, as a file with a mesh has its own; a clip is for a glTF, and so on.
  const needsRest = source.cache && source.meshes.length === 0;
  const hasClips = !source.cache && isGltf(source.meshes[0]);
  const { mesh, up, scale } = input;
  return {
    rest: needsRest ? input.rest : undefined,
    fps: input.fps,
    sample: input.sample,
    clip: hasClips ? input.clip : undefined,
    ...(hasClips && input.times && input.fps === undefined && { times: input.times }),
    ...(!source.cache && isAlembic(source.meshes[0]) && { mesh, up, scale }),
  };
}

/** A lone cache as B plays on the mesh of A, where no rest pose is given. */
function withMeshOf(source: Source, other: Source, { rest }: InputOptions, { files }: Job): Source {
  if (!source.cache || source.meshes.length > 0 || rest !== undefined || other.meshes.length === 0) return source;
  return { ...source, meshes: [sourceFile(files, other.meshes[0].path)] };
}

function requireSameFrames(a: LoadedSequence, b: LoadedSequence): number {
  const [sa, sb] = [frameCount(a.sequence), frameCount(b.sequence)];
  if (sa === sb) return sa;
  throw new InputError(
    `'${a.label}' has ${sa} frames and '${b.label}' has ${sb}; sample glTF animations at one rate with --fps`,
  );
}

function envelopingOf(a: MeshSequence, b: MeshSequence, transforms: Float64Array) {
  const { perVertex: _, ...spread } = envelopingError(b.rest.positions, transforms, a.frames, b.frames);
  return spread;
}

/** S × m × 12 transforms of the bones that the enveloping error is measured against. */
async function bonesOf(
  { skeleton, fps, clip, rigClip }: Checked<typeof COMPARE>['options'],
  own: Float64Array,
  S: number,
  job: Job,
): Promise<Float64Array> {
  if (skeleton === undefined) return own;
  return chooseClip(await openRig(skeleton, job, { fps }), rigClip ?? clip, S).transforms;
}
