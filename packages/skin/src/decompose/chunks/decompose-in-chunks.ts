/** Entry point: decompose an animation that is larger than memory. */
import { type FrameReader, InputError, type Run, resolveOptions, stageOf, UsageError, validateMesh } from '@pelt/model';
import type { Decomposition } from '../decompose.ts';
import { CHUNK_DEFAULTS, type ChunkOptions, type DecomposeOptions } from '../options.ts';
import { assembleRig } from './assemble-rig.ts';
import { type ChunkWeights, solveChunk } from './chunk-weights.ts';
import { ChunkedMesh } from './chunked-mesh.ts';
import { type FoundBones, findBones } from './find-bones.ts';
import { measuredRig } from './measured-rig.ts';

/** Bytes that a chunk should take, and bytes of a vertex beside its frames and coefficients. */
const CHUNK_BYTES = 400e6;
const VERTEX_BYTES = 400;
/** Shares of the whole at which the bones, the weights and the errors are done. */
const [BONES, WEIGHTS] = [0.4, 0.9];

/**
 * Decomposes an animation of more vertices than fit into memory: bones from a sample of the vertices, then weights chunk
 * by chunk. Frames are read by range; in memory are the mesh, the sample and one chunk at a time. The result depends
 * neither on the size of the chunks nor on the number of threads.
 *
 * Takes `ssdr` and `affine`, without `smooth` or locked weights, which look at the whole mesh.
 *
 * @param reader   S frames of n vertices
 * @param options  those of `decompose`, and how the mesh is cut
 * @param run      kernels, cancelling and progress
 *
 * @example
 * {@includeCode ../../../examples/decompose-in-chunks.ts}
 */
export function decomposeInChunks(
  reader: FrameReader,
  options: Partial<DecomposeOptions & ChunkOptions>,
  run: Run,
): Decomposition {
  const { sampleVertices, chunk, ...others } = options;
  const cut = chunkOptions({ sampleVertices, chunk });
  requireFrames(reader);
  const mesh = new ChunkedMesh(reader, run);
  const found = findBones(reader, mesh, cut.sampleVertices, others, stageOf(run, 0, BONES));
  const chunks = solveChunks(reader, mesh, found, cut.chunk, wholeOf(mesh), stageOf(run, BONES, WEIGHTS));
  const rig = assembleRig(reader.rest, mesh, found, chunks);
  const { clip, iterations } = found;
  return { ...measuredRig(reader, rig, clip, found, stageOf(run, WEIGHTS, 1)), clip, iterations };
}

/** Places on the curve of a chunked mesh. */
export interface Places {
  readonly from: number;
  readonly to: number;
}

/**
 * The places of part k of `count` about equal ones, counted from 0.
 *
 * @example
 * {@includeCode ../../../examples/decompose-in-chunks.ts}
 */
export function placesOf(mesh: ChunkedMesh, k: number, count: number): Places {
  return { from: Math.floor((k * mesh.n) / count), to: Math.floor(((k + 1) * mesh.n) / count) };
}

const wholeOf = (mesh: ChunkedMesh): Places => placesOf(mesh, 0, 1);

/**
 * Solves the weights of some places, chunk after chunk.
 *
 * @param size  vertices of a chunk, without its halo; the result does not depend on it
 *
 * @example
 * {@includeCode ../../../examples/decompose-in-chunks.ts}
 */
export function* solveChunks(
  reader: FrameReader,
  mesh: ChunkedMesh,
  found: FoundBones,
  size: number | 'auto',
  { from, to }: Places,
  run: Run,
): Generator<ChunkWeights> {
  const most = size === 'auto' ? chunkFor(found) : size;
  const count = Math.ceil((to - from) / most);
  for (let k = 0; k < count; k++) {
    const detail = `chunk ${k + 1} of ${count}`;
    run.onProgress?.({ stage: 'solving weights', fraction: k / count, detail });
    const [begin, end] = [k, k + 1].map((part) => from + Math.floor((part * (to - from)) / count));
    yield solveChunk(reader, mesh, found, { from: begin, to: end }, run);
  }
}

/** Vertices that make a chunk of `CHUNK_BYTES`: frames in float32, coefficients in and outside of the kernels. */
function chunkFor({ space, basis, slots }: FoundBones): number {
  const S = space.centres.length;
  const rank = basis.length / (3 * S);
  return Math.ceil(CHUNK_BYTES / (VERTEX_BYTES + 12 * S + 16 * rank + 24 * slots));
}

function requireFrames({ rest, times }: FrameReader): void {
  validateMesh(rest);
  if (rest.positions.length === 0) throw new InputError('decomposeInChunks: the mesh has no vertices');
  if (times.length === 0) throw new InputError('decomposeInChunks: there are no frames');
}

function chunkOptions(options: Partial<Record<keyof ChunkOptions, ChunkOptions[keyof ChunkOptions] | undefined>>) {
  const resolved = resolveOptions('decomposeInChunks', CHUNK_DEFAULTS, options as Partial<ChunkOptions>);
  for (const [name, value] of Object.entries(resolved)) {
    if (value !== 'auto' && !(Number.isInteger(value) && value > 0)) {
      throw new UsageError(`decomposeInChunks: ${name} is ${value}; it must be an integer of at least 1`);
    }
  }
  return resolved;
}
