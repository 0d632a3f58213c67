/**
 * Weights of an animation that is larger than memory, chunk by chunk: bones come from a sample of the vertices
 * (`findBones`), frames are read by range, and in memory are the mesh, the sample and one chunk at a time. The result
 * depends neither on the size of the chunks nor on the number of threads.
 */
import { type FrameReader, type Run, UsageError } from '@pelt/model';
import { type ChunkWeights, solveChunk } from './chunk-weights.ts';
import type { ChunkedMesh } from './chunked-mesh.ts';
import type { FoundBones } from './find-bones.ts';

/** Bytes that a chunk should take, and bytes of a vertex beside its frames and coefficients. */
const CHUNK_BYTES = 400e6;
const VERTEX_BYTES = 400;

/** Places on the curve of a chunked mesh. */
export interface Places {
  readonly from: number;
  readonly to: number;
}

/**
 * The places of part k of `count` about equal ones, counted from 0.
 *
 * @example
 * {@includeCode ../../../examples/chunks.ts}
 */
export function placesOf(mesh: ChunkedMesh, k: number, count: number): Places {
  return { from: Math.floor((k * mesh.n) / count), to: Math.floor(((k + 1) * mesh.n) / count) };
}

/**
 * Solves the weights of some places, chunk after chunk.
 *
 * @param size  vertices of a chunk, without its halo; the result does not depend on it
 *
 * @example
 * {@includeCode ../../../examples/chunks.ts}
 */
export function* solveChunks(
  reader: FrameReader,
  mesh: ChunkedMesh,
  found: FoundBones,
  size: number | 'auto',
  { from, to }: Places,
  run: Run,
): Generator<ChunkWeights> {
  if (size !== 'auto' && !(Number.isInteger(size) && size > 0)) {
    throw new UsageError(`solveChunks: the chunk is ${size} vertices; it must be 'auto' or an integer of at least 1`);
  }
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
