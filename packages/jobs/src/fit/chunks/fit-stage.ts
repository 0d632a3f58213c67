/**
 * A fit in chunks as jobs of their own, which machines share: `bones` on a sample of the vertices, any number of parts of
 * the weights beside each other, `join`. The file that comes out is that of a fit on one machine, to the bit.
 */
import { InputError, stageOf, UsageError, vertexCount } from '@pelt/model';
import {
  CHUNK_DEFAULTS,
  ChunkedMesh,
  type ChunkWeights,
  type FoundBones,
  placesOf,
  solveChunks,
} from '@pelt/skin/decompose';
import { requireFewBones } from '../../input/bone-limit.ts';
import { ErrorLimit } from '../../input/error-limit.ts';
import { type Job, timed } from '../../job.ts';
import type { Checked } from '../../request/table.ts';
import { withNumerics } from '../../with-numerics.ts';
import type { FitReport } from '../fit.ts';
import type { OpenedForFit } from '../fit-to-file.ts';
import type { FIT } from '../table.ts';
import { clipReader } from './clip-reader.ts';
import { bonesOf, joinChunks, reportOf, requireChunkable, writeRig } from './fit-in-chunks.ts';
import { decodeBones, decodeWeights, encodeBones, encodeWeights } from './part-file.ts';

type FitRequest = Checked<typeof FIT>;

/** Share of the weights' stage after which the mesh is ready. */
const READY = 0.1;

export async function fitStage(
  request: FitRequest,
  stage: string,
  { clips: opened, seconds: opening }: OpenedForFit,
  job: Job,
): Promise<FitReport> {
  const { options, output } = request;
  const { reader } = clipReader(opened, true);
  requireChunkable(options, reader, opened.label);
  requireFiles(request, stage);
  job.expectChunks(
    vertexCount(reader.rest),
    reader.times.length,
    options.sampleVertices ?? CHUNK_DEFAULTS.sampleVertices,
  );
  const [first, ...others] = options.from ?? [];
  return withNumerics(job, async (run) => {
    const report = (found: FoundBones, bytes: number, fit: number): FitReport => {
      const rig = { ...found.sample.rig, bones: found.bones };
      const { error, restMoved } = found.sample;
      const joined = { rig, clips: [found.clip], starts: [0], error, restMoved, found };
      return { ...reportOf(request, opened, joined, bytes, { read: opening, fit, write: 0 }, run), stage };
    };
    const mesh = new ChunkedMesh(reader, run);
    if (stage === 'bones') {
      requireFewBones(options.bones, () => mesh.n);
      const limit =
        options.maxError === undefined ? undefined : new ErrorLimit(options.maxError, reader.rest.positions);
      const [found, seconds] = await timed(() => bonesOf(request, reader, mesh, limit?.eRms, job, run));
      const bytes = encodeBones(found);
      job.outputs.write(output, bytes);
      return report(found, bytes.length, seconds);
    }
    const found = decodeBones(job.files.read(first), first);
    requireSameInput(found, mesh, reader.times.length, first);
    if (stage !== 'join') {
      const [k, count] = stage.split('/').map(Number);
      const weights = stageOf(run, READY, 1);
      const chunks = solveChunks(reader, mesh, found, options.chunk ?? 'auto', placesOf(mesh, k - 1, count), weights);
      const [bytes, seconds] = await timed(() => encodeWeights(found, [...chunks]));
      job.outputs.write(output, bytes);
      return report(found, bytes.length, seconds);
    }
    const parts = readParts(others, found, mesh, job);
    const [joined, fitting] = await timed(() => joinChunks(request, opened, found, mesh, parts, job, run));
    const [bytes, writing] = await timed(() => writeRig(request, joined, job));
    warnOfLimit(request, joined.error.eRms, reader.rest.positions, job);
    return reportOf(request, opened, joined, bytes, { read: opening, fit: fitting, write: writing }, run);
  });
}

function requireFiles({ options, output }: FitRequest, stage: string): void {
  const ending = stage === 'join' ? '.glb' : '.part';
  if (!output.toLowerCase().endsWith(ending)) {
    throw new UsageError(`--stage ${stage} writes a ${ending} file; the output is '${output}'`);
  }
  const [given, wanted] = [options.from?.length ?? 0, stage === 'bones' ? 0 : stage === 'join' ? 2 : 1];
  if (given < wanted || (given > wanted && stage !== 'join')) {
    const what = ['nothing', 'the .part of the bones', 'the .part of the bones and those of all weights'][wanted];
    throw new UsageError(`--stage ${stage} takes ${what} by --from; ${given} files are given`);
  }
  const [k, count] = stage.split('/').map(Number);
  if (k > count) throw new UsageError(`--stage ${stage}: there are ${count} parts`);
}

function requireSameInput({ sample, clip }: FoundBones, mesh: ChunkedMesh, S: number, path: string): void {
  const vertices = sample.vertices.length;
  const chosen = mesh.sample(vertices, sample.shift).vertices;
  const same = chosen.length === vertices && chosen.every((i, k) => mesh.weld.first[i] === sample.vertices[k]);
  if (same && clip.times.length === S) return;
  throw new InputError(`'${path}' has the bones of another animation; give the inputs and --sample of its stage`);
}

/** The weights of all parts, read one after the other; every vertex must be in one of them. */
function* readParts(paths: readonly string[], found: FoundBones, mesh: ChunkedMesh, job: Job): Generator<ChunkWeights> {
  const seen = new Uint8Array(mesh.n);
  for (const path of paths) {
    const part = decodeWeights(job.files.read(path), found, path);
    for (const i of part.vertices) {
      if (i >= mesh.n || seen[i] === 1) throw new InputError(`'${path}' repeats a part, or is of another mesh`);
      seen[i] = 1;
    }
    yield part;
  }
  const missing = seen.reduce((sum, flag) => sum - flag, mesh.n);
  if (missing > 0) throw new InputError(`${missing} of ${mesh.n} vertices have no weights; give all parts by --from`);
}

function warnOfLimit({ options }: FitRequest, eRms: number, rest: Float32Array, { warn }: Job): void {
  if (options.maxError === undefined) return;
  const limit = new ErrorLimit(options.maxError, rest).eRms;
  if (eRms > limit)
    warn(`E_RMS is ${eRms.toPrecision(3)} on all vertices, above ${limit.toPrecision(3)} of the sample`);
}
