/**
 * Cuts tetrahedra into blocks of neighbours along a Hilbert curve, each with its own list of vertices, and puts them two
 * and two into the lanes of SIMD registers: what the kernel `volumeTargets` reads.
 */
import { hilbertOrder } from '@pelt/math';
import { OPERATOR_SIZE } from './gradient-operators.ts';

/** Tetrahedra in a block: its vertices and their sums stay in the first-level cache. */
const BLOCK = 512;
/** Bytes of a vertex in a block: three numbers and one beside them. */
export const ENTRY_BYTES = 32;

export interface BlockLayout {
  readonly blockCount: number;
  /** Vertices of the largest block. */
  readonly mostVertices: number;
  /** blockCount + 1: first pair of each block, and the end */
  readonly pairStarts: Int32Array;
  /** blockCount + 1: first entry of each block in `list`, and the end */
  readonly listStarts: Int32Array;
  /** vertex of each entry */
  readonly list: Int32Array;
  /** pairs × 8: corner 0 of both, corner 1 of both, …, as byte offsets of the block's entries */
  readonly corners: Int32Array;
  /** pairs × 20: each number of the operators for both; the volume is 0 for a lane that only fills a pair */
  readonly pairOperators: Float64Array;
  /** Tetrahedron in each lane of each pair. */
  readonly lanes: Int32Array;
  /** v + 1: first of `copies` of each vertex, and the end */
  readonly copyStarts: Int32Array;
  /** entries of `list` that are the same vertex */
  readonly copies: Int32Array;
}

/**
 * @param rest        v × 3
 * @param tetrahedra  e × 4
 * @param operators   e × 10
 */
export function layOutBlocks(rest: Float64Array, tetrahedra: Uint32Array, operators: Float64Array): BlockLayout {
  const vertexCount = rest.length / 3;
  const e = tetrahedra.length / 4;
  const order = hilbertOrder(centroids(rest, tetrahedra));
  const blockCount = Math.ceil(e / BLOCK);
  const pairStarts = new Int32Array(blockCount + 1);
  const listStarts = new Int32Array(blockCount + 1);
  const list: number[] = [];
  const pairCount = Math.floor(e / BLOCK) * (BLOCK / 2) + Math.ceil((e % BLOCK) / 2);
  const corners = new Int32Array(8 * pairCount);
  const lanes = new Int32Array(2 * pairCount);
  const pairOperators = new Float64Array(2 * OPERATOR_SIZE * pairCount);
  const entryOf = new Int32Array(vertexCount).fill(-1);
  let mostVertices = 0;
  for (let block = 0; block < blockCount; block++) {
    const begin = block * BLOCK;
    const end = Math.min(begin + BLOCK, e);
    const first = list.length;
    pairStarts[block] = begin / 2;
    listStarts[block] = first;
    for (let slot = begin; slot < begin + 2 * Math.ceil((end - begin) / 2); slot++) {
      const filler = slot >= end;
      const t = order[filler ? end - 1 : slot];
      const pair = slot >> 1;
      const lane = slot & 1;
      lanes[slot] = t;
      for (let c = 0; c < 4; c++) {
        const v = tetrahedra[4 * t + c];
        if (entryOf[v] < first) entryOf[v] = list.push(v) - 1;
        corners[8 * pair + 2 * c + lane] = ENTRY_BYTES * (entryOf[v] - first);
      }
      for (let k = 0; k < OPERATOR_SIZE; k++) {
        pairOperators[2 * (OPERATOR_SIZE * pair + k) + lane] = operators[OPERATOR_SIZE * t + k];
      }
      if (filler) pairOperators[2 * (OPERATOR_SIZE * pair + OPERATOR_SIZE - 1) + lane] = 0;
    }
    mostVertices = Math.max(mostVertices, list.length - first);
  }
  pairStarts[blockCount] = pairCount;
  listStarts[blockCount] = list.length;

  const copyStarts = new Int32Array(vertexCount + 1);
  for (const v of list) copyStarts[v + 1]++;
  for (let v = 0; v < vertexCount; v++) copyStarts[v + 1] += copyStarts[v];
  const next = copyStarts.slice();
  const copies = new Int32Array(list.length);
  list.forEach((v, entry) => {
    copies[next[v]++] = entry;
  });
  return {
    blockCount,
    mostVertices,
    pairStarts,
    listStarts,
    list: Int32Array.from(list),
    corners,
    pairOperators,
    lanes,
    copyStarts,
    copies,
  };
}

function centroids(rest: Float64Array, tetrahedra: Uint32Array): Float64Array {
  const result = new Float64Array((3 * tetrahedra.length) / 4);
  for (let k = 0; k < tetrahedra.length; k++) {
    for (let axis = 0; axis < 3; axis++) result[3 * (k >> 2) + axis] += 0.25 * rest[3 * tetrahedra[k] + axis];
  }
  return result;
}
