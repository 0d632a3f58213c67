/** `pelt compare`: every metric between two animations. */
import {
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
  weldSequence,
} from '@pelt/model';
import { type InputOptions, type LoadedSequence, loadGltf, loadSequence } from '../input/load-sequence.ts';
import { chooseClip, openRig } from '../input/open-rig.ts';
import { playLearnt } from '../input/play-learnt.ts';
import { isAlembic, isGltf, type Source, sourceFile, sourcesOf } from '../input/source-files.ts';
import type { Job } from '../job.ts';
import type { Checked } from '../request/table.ts';
import type { COMPARE } from './table.ts';

export interface CompareReport {
  readonly a: { readonly name: string; readonly bytes: number; readonly vertices: number };
  readonly b: { readonly name: string; readonly bytes: number; readonly vertices: number };
  readonly vertices: number;
  readonly frames: number;
  readonly error: SequenceErrors;
  /** Where B is a skinned animation: how much of what its bones alone leave over its skin still misses. */
  readonly enveloping?: Omit<EnvelopingError, 'perVertex'>;
  /** The same where B carries a learnt skin, played as such; `error` and `enveloping` are what any viewer shows. */
  readonly learnt?: { readonly error: SequenceErrors; readonly enveloping: Omit<EnvelopingError, 'perVertex'> };
}

/** A is the truth, B the approximation; sizes are those of A's rest pose. */
export async function compare(request: Checked<typeof COMPARE>, job: Job): Promise<CompareReport> {
  const { options } = request;
  const sources = sourcesOf(job.files, request.inputs);
  if (sources.length !== 2) {
    throw new UsageError(`two animations are compared, but ${sources.length} are given; a folder of frames is one`);
  }
  const a = await load(sources[0], options, job, 0);
  const b = await load(withMeshOf(sources[1], sources[0], options, job), options, job, 0.4);
  const n = requireSameVertices(a, b);
  const S = requireSameFrames(a, b);

  const size = 3 * n;
  // Triangles of the one without repetitions; sizes of A.
  const fewer = vertexCount(a.sequence.rest) === n ? a.sequence.rest : b.sequence.rest;
  const rest = { ...fewer, positions: a.sequence.rest.positions.subarray(0, size) };
  const errorsOf = (sequence: MeshSequence): SequenceErrors => {
    const meter = new SequenceErrorMeter(rest, S);
    for (let t = 0; t < S; t++) {
      meter.addFrame(frameAt(a.sequence, t).subarray(0, size), frameAt(sequence, t).subarray(0, size));
      job.context.onProgress?.({ stage: 'comparing', fraction: 0.8 + (0.2 * (t + 1)) / S });
    }
    return meter.result();
  };
  const bones = b.skinned && (await bonesOf(options, b.skinned.clip.transforms, S, job));
  const enveloping = bones && envelopingOf(a.sequence, b.sequence, bones, n);
  const played =
    b.skinned &&
    (await playLearnt(await loadGltf(sources[1].meshes[0], job), b.skinned.clip, b.sequence.rest.positions.length));
  const learnt = played && { ...b.sequence, frames: played };
  return {
    a: { name: a.label, bytes: a.bytes, vertices: vertexCount(a.sequence.rest) },
    b: { name: b.label, bytes: b.bytes, vertices: vertexCount(b.sequence.rest) },
    vertices: n,
    frames: S,
    error: errorsOf(b.sequence),
    ...(enveloping && { enveloping }),
    ...(bones &&
      learnt && { learnt: { error: errorsOf(learnt), enveloping: envelopingOf(a.sequence, learnt, bones, n) } }),
  };
}

function load(source: Source, input: InputOptions, job: Job, from: number): Promise<LoadedSequence> {
  // The rest pose that was given is for caches, as a file with a mesh has its own; a clip is for a glTF, and so on.
  const needsRest = source.cache && source.meshes.length === 0;
  const hasClips = !source.cache && isGltf(source.meshes[0]);
  const { mesh, up, scale } = input;
  const options: InputOptions = {
    rest: needsRest ? input.rest : undefined,
    fps: input.fps,
    sample: input.sample,
    clip: hasClips ? input.clip : undefined,
    ...(!source.cache && isAlembic(source.meshes[0]) && { mesh, up, scale }),
  };
  return loadSequence(source, options, job, stageOf(job.context, from, from + 0.4));
}

/** A lone cache as B plays on the mesh of A, where no rest pose is given. */
function withMeshOf(source: Source, other: Source, { rest }: InputOptions, { files }: Job): Source {
  if (!source.cache || source.meshes.length > 0 || rest !== undefined || other.meshes.length === 0) return source;
  return { ...source, meshes: [sourceFile(files, other.meshes[0].path)] };
}

/**
 * Vertices correspond by their order. A glTF repeats vertices on seams, behind all others; repetitions are left out of
 * account where they coincide with what they repeat.
 */
function requireSameVertices(a: LoadedSequence, b: LoadedSequence): number {
  const [na, nb] = [vertexCount(a.sequence.rest), vertexCount(b.sequence.rest)];
  if (na === nb) return na;
  const [n, larger] = na < nb ? [na, b] : [nb, a];
  if (onlyRepeats(larger.sequence, n)) return n;
  throw new InputError(
    `'${a.label}' has ${na} vertices and '${b.label}' has ${nb}; only animations of one mesh, in one order, compare`,
  );
}

function onlyRepeats(sequence: MeshSequence, n: number): boolean {
  const { map } = weldSequence(sequence);
  const distinct = map.subarray(0, n).reduce((most, w) => Math.max(most, w), -1);
  return map.subarray(n).every((w) => w <= distinct);
}

function requireSameFrames(a: LoadedSequence, b: LoadedSequence): number {
  const [sa, sb] = [frameCount(a.sequence), frameCount(b.sequence)];
  if (sa === sb) return sa;
  throw new InputError(
    `'${a.label}' has ${sa} frames and '${b.label}' has ${sb}; sample glTF animations at one rate with --fps`,
  );
}

function envelopingOf(a: MeshSequence, b: MeshSequence, transforms: Float64Array, n: number) {
  const { perVertex: _, ...spread } = envelopingError(
    b.rest.positions.subarray(0, 3 * n),
    transforms,
    firstVertices(a, n),
    firstVertices(b, n),
  );
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

/** S × n × 3: the first n vertices of every frame. */
function firstVertices(sequence: MeshSequence, n: number): Float32Array {
  if (vertexCount(sequence.rest) === n) return sequence.frames;
  const S = frameCount(sequence);
  const out = new Float32Array(S * n * 3);
  for (let t = 0; t < S; t++) out.set(frameAt(sequence, t).subarray(0, 3 * n), t * n * 3);
  return out;
}
