/** `pelt fit` of a mesh that is larger than memory: bones from a sample of its vertices, weights chunk by chunk. */
import { writeSkinnedGlb } from '@pelt/io';
import {
  type Clip,
  type FrameReader,
  NumericError,
  type Run,
  stageOf,
  triangleCount,
  UsageError,
  vertexCount,
} from '@pelt/model';
import { compressGlb } from '@pelt/pack';
import {
  assembleRig,
  CHUNK_DEFAULTS,
  ChunkedMesh,
  type ChunkWeights,
  type FoundBones,
  findBones,
  type MeasuredRig,
  measuredRig,
  placesOf,
  solveChunks,
} from '@pelt/skin/decompose';
import { requireFewBones } from '../../input/bone-limit.ts';
import { ErrorLimit } from '../../input/error-limit.ts';
import { atOwnStarts, type OpenedClips, startsOf } from '../../input/load-clips.ts';
import { namedRig } from '../../input/names.ts';
import { type Job, timed } from '../../job.ts';
import type { Checked } from '../../request/table.ts';
import { withNumerics } from '../../with-numerics.ts';
import type { FitReport } from '../fit.ts';
import type { OpenedForFit } from '../fit-to-file.ts';
import { loadLockedRig } from '../locked-rig.ts';
import { playAllFrames } from '../play-all-frames.ts';
import { reachLimit } from '../reach-limit.ts';
import type { FIT } from '../table.ts';
import { type ClipReader, clipReader, joinedClip } from './clip-reader.ts';

type FitRequest = Checked<typeof FIT>;

/** Shares of the job at which bones, weights and the error are done. */
const [BONES, WEIGHTS, MEASURED] = [0.4, 0.85, 0.97];
/** Further tries with a lower limit on the sample, where the whole mesh is above that of --max-error. */
const MOST_TRIES = 3;
/** How far below the limit a further try aims. */
const AIM = 0.99;

/** Whether a fit is to be done in chunks: where that is asked for, or where memory does not allow another. */
export function wantsChunks({ options }: FitRequest, { parts, all }: OpenedClips, job: Job): boolean {
  if (options.chunk !== undefined || options.sampleVertices !== undefined) return true;
  const n = vertexCount(parts[0].opened.source.rest);
  const S = parts.reduce((sum, { opened }) => sum + opened.count, 0);
  // Elsewhere the same job must give the same bytes, so that memory may not decide.
  if (job.portable || job.hasRoomFor(n, S) || notInChunks(options) || all) return false;
  // The sample alone would be the whole mesh.
  if (n <= CHUNK_DEFAULTS.sampleVertices) return false;
  job.warn(`${S} frames of ${n} vertices do not fit into memory: the bones are found on a sample of the vertices`);
  return true;
}

export async function fitInChunks(
  request: FitRequest,
  { clips: opened, seconds: opening }: OpenedForFit,
  job: Job,
): Promise<FitReport> {
  const { options } = request;
  const source = clipReader(opened, true);
  requireChunkable(options, source.reader, opened.label);
  const { rest, times } = source.reader;
  job.expectChunks(vertexCount(rest), times.length, options.sampleVertices ?? CHUNK_DEFAULTS.sampleVertices);
  const limit = options.maxError === undefined ? undefined : new ErrorLimit(options.maxError, rest.positions);
  return withNumerics(job, async (run) => {
    const [fitted, fitting] = await timed(async () => {
      const mesh = new ChunkedMesh(source.reader, run);
      requireFewBones(options.bones, () => mesh.n);
      let aim = limit?.eRms;
      for (let turn = 0; ; turn++) {
        const found = await bonesOf(request, source.reader, mesh, aim, job, stageOf(run, 0, BONES));
        const weights = stageOf(run, BONES, WEIGHTS);
        const chunks = solveChunks(source.reader, mesh, found, options.chunk ?? 'auto', placesOf(mesh, 0, 1), weights);
        const joined = await joinChunks(request, opened, found, mesh, chunks, job, stageOf(run, WEIGHTS, MEASURED));
        if (!limit || aim === undefined || joined.error.eRms <= limit.eRms) return joined;
        if (turn === MOST_TRIES) {
          throw new NumericError(
            `E_RMS is ${joined.error.eRms.toPrecision(3)} on all vertices, above ${limit.eRms.toPrecision(3)}; ` +
              'allow a larger error, or find the bones on more vertices by --sample-vertices',
          );
        }
        aim = (AIM * aim * limit.eRms) / joined.error.eRms;
      }
    });
    const [bytes, writing] = await timed(() => writeRig(request, fitted, job));
    return reportOf(request, opened, fitted, bytes, { read: opening, fit: fitting, write: writing }, run);
  });
}

/** The bones of a sample of the vertices. */
export async function bonesOf(
  { options }: FitRequest,
  reader: FrameReader,
  mesh: ChunkedMesh,
  maxError: number | undefined,
  job: Job,
  run: Run,
): Promise<FoundBones> {
  const { method, bones, weights, smooth, islandPrice, restPose, start } = options;
  const sampleVertices = options.sampleVertices ?? CHUNK_DEFAULTS.sampleVertices;
  const locked = await loadLockedRig(options, reader.times.length, reader.rest, job);
  const wanted = { method, bones, maxError, weights, smooth, islandPrice, locked, restPose, start };
  const limit = options.maxError === undefined ? undefined : new ErrorLimit(options.maxError, reader.rest.positions);
  const found = reachLimit(limit, () => findBones(reader, mesh, sampleVertices, wanted, run));
  if (typeof bones === 'number' && maxError === undefined && found.bones.length < bones) {
    job.warn(`${found.bones.length} of the ${bones} bones asked for: no more parts of the mesh move on their own`);
  }
  return found;
}

interface JoinedFit extends MeasuredRig {
  readonly clips: readonly Clip[];
  /** Of each clip the second of its file at which it begins. */
  readonly starts: readonly number[];
  readonly found: FoundBones;
}

/** The rig of all chunks, its motion over all frames, and the error. */
export async function joinChunks(
  { options }: FitRequest,
  opened: OpenedClips,
  found: FoundBones,
  mesh: ChunkedMesh,
  chunks: Iterable<ChunkWeights>,
  job: Job,
  run: Run,
): Promise<JoinedFit> {
  // Bones that are locked have the frames of the sample and no others.
  const all = clipReader(opened, options.lock === 'bones');
  const rig = namedRig(assembleRig(all.reader.rest, mesh, found, chunks), options.name);
  const clips = await motionOf(all, found, options.method === 'affine', job, run);
  const clip = joinedClip(clips, all.reader.times, rig.bones.length);
  return { ...measuredRig(all.reader, rig, clip, found, run), clips, starts: startsOf(opened.parts), found };
}

/** The clips of all frames: as they were found, or where frames were sampled, by the vertices that gave the bones. */
async function motionOf(
  all: ClipReader,
  { clip, sample }: FoundBones,
  affine: boolean,
  job: Job,
  run: Run,
): Promise<readonly Clip[]> {
  if (all.reader.times.length === clip.times.length) return all.split(clip);
  const { rig, vertices } = sample;
  const parts = all.clips.map(({ name, opened: part }) => {
    const { source } = part;
    const own = { ...source, rest: rig.mesh, times: source.times };
    const readFrame = (t: number, out: Float32Array) => source.readFrame(t, out, vertices);
    return { name, opened: { ...part, source: { ...own, readFrame }, meshes: [] } };
  });
  const frames = Math.max(1, Math.ceil(clip.times.length / 4));
  const quiet = { numerics: run.numerics, ...(run.signal && { signal: run.signal }) };
  return (await playAllFrames({ rig, rest: rig.mesh }, parts, { affine, frames }, job, quiet)).clips;
}

export async function writeRig(
  { options, output }: FitRequest,
  { rig, clips, starts }: JoinedFit,
  job: Job,
): Promise<number> {
  const affine = options.method === 'affine' ? 'pair' : 'trs';
  const file = await writeSkinnedGlb({ rig, clips: atOwnStarts(clips, starts) }, { affine, onWarning: job.warn });
  const { bytes } = options.compress === 'none' ? file : await compressGlb(file.bytes);
  job.outputs.write(output, bytes);
  return bytes.length;
}

export function reportOf(
  { options, output }: FitRequest,
  opened: OpenedClips,
  { rig, clips, error, restMoved, found }: JoinedFit,
  bytes: number,
  seconds: FitReport['seconds'],
  run: Run,
): FitReport {
  const { rest } = opened.parts[0].opened.source;
  const [vertices, triangles] = [vertexCount(rest), triangleCount(rest)];
  const frames = clips.reduce((sum, { times }) => sum + times.length, 0);
  const limit = options.maxError === undefined ? undefined : new ErrorLimit(options.maxError, rest.positions);
  return {
    input: { name: opened.label, bytes: opened.bytes, vertices, triangles, frames },
    method: options.method,
    bones: rig.bones.length,
    weightsPerVertex: rig.weights.slots,
    error,
    restMoved,
    ...(limit && { limit: limit.report(error.eRms) }),
    sampledVertices: { vertices: found.sample.vertices.length, error: found.sample.error },
    clips: clips.map(({ name }) => name),
    seconds,
    iterations: found.iterations,
    output: { file: output, bytes },
    threads: run.numerics.threads,
  };
}

/** Why options cannot go with a fit in chunks; undefined where they can. */
export function notInChunks(options: FitRequest['options']): string | undefined {
  if (options.method === 'sma' || options.method === 'lssp') return `--method ${options.method}`;
  if (options.smooth > 0) return '--smooth';
  if (options.lock === 'weights') return '--lock weights';
  if (options.paint !== undefined) return '--paint';
  if (options.eigenskin !== undefined) return '--eigenskin';
  return options.root === undefined ? undefined : '--root';
}

export function requireChunkable(options: FitRequest['options'], { times }: FrameReader, label: string): void {
  const reason = notInChunks(options);
  if (reason) throw new UsageError(`${reason} looks at the whole mesh; leave it out, or --chunk and --sample-vertices`);
  if (times.length < 2) {
    throw new UsageError(`'${label}' is a single pose; give at least two frames, or a rest pose and a frame`);
  }
}
