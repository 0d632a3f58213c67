/**
 * A mesh cut into chunks of vertices that can be solved apart. Vertices are taken along a space-filling curve over the
 * rest pose, so that a chunk is compact and its halo, the rings of vertices around it, is small beside it.
 *
 * Reference: Morton. A computer oriented geodetic data base and a new technique in file sequencing. 1966.
 */
import { boundsOf, type FrameReader, type FrameWeld, type RunContext, weldFrames } from '@pelt/model';
import type { CoarseGraph } from '../../shared/mesh/coarse-graph.ts';
import { type EdgeGraph, edgeGraph } from '../../shared/mesh/edge-graph.ts';
import { indexSample } from '../../shared/mesh/index-sample.ts';

/** A chunk with its halo, as a mesh of its own. */
export interface Chunk {
  /** Welded vertices of the chunk and its halo, increasing. */
  readonly vertices: Uint32Array;
  /** 1 for each of them that is of the chunk itself. */
  readonly owned: Uint8Array;
  /** Adjacency by their index in the list, in the order of the whole mesh. */
  readonly graph: EdgeGraph;
}

/** Bits of a coordinate on the curve. */
const MOST_BITS = 10;
/** Bits of an integer that a double holds. */
const DOUBLE_BITS = 53;
/** Marks of vertices while a chunk is gathered. */
const [OWNED, HALO] = [1, 2];

/**
 * A mesh whose vertices are welded and can be had in chunks.
 *
 * @example
 * {@includeCode ../../../examples/chunks.ts}
 */
export class ChunkedMesh {
  readonly weld: FrameWeld;
  readonly graph: EdgeGraph;
  /** Welded vertices along the curve. */
  readonly #order: Uint32Array;
  /** Scratch: a mark, then the number of a vertex in the chunk at hand, from 1; 0 outside of it. */
  readonly #local: Uint32Array;
  #sample: { readonly count: number; readonly shift: number; readonly coarse: CoarseGraph } | undefined;

  constructor(reader: FrameReader, context?: RunContext) {
    this.weld = weldFrames(reader, context);
    const { first, triangles } = this.weld;
    this.graph = edgeGraph(triangles, first.length);
    this.#order = alongCurve(reader.rest.positions, first);
    this.#local = new Uint32Array(first.length);
  }

  /** An even sample of the welded vertices; another `shift`, in intervals of their numbers, gives another one. */
  sample(count: number, shift: number): CoarseGraph {
    const known = this.#sample;
    if (known?.count === count && known.shift === shift) return known.coarse;
    const coarse = indexSample(this.graph, count, shift);
    this.#sample = { count, shift, coarse };
    return coarse;
  }

  /** Welded vertices. */
  get n(): number {
    return this.weld.first.length;
  }

  /**
   * The vertices at the places `from` to `to` on the curve, with the rings around them. What reaches no further than that
   * many rings is the same in a chunk as on the whole mesh.
   */
  chunk(from: number, to: number, rings: number): Chunk {
    const { starts, neighbours } = this.graph;
    const local = this.#local;
    const found = Array.from(this.#order.subarray(from, to));
    for (const i of found) local[i] = OWNED;
    for (let ring = 0, begin = 0; ring < rings; ring++) {
      const end = found.length;
      for (; begin < end; begin++) {
        for (let e = starts[found[begin]]; e < starts[found[begin] + 1]; e++) {
          if (local[neighbours[e]] !== 0) continue;
          local[neighbours[e]] = HALO;
          found.push(neighbours[e]);
        }
      }
    }
    const vertices = Uint32Array.from(found).sort();
    const owned = Uint8Array.from(vertices, (i) => (local[i] === OWNED ? 1 : 0));
    vertices.forEach((i, k) => {
      local[i] = k + 1;
    });
    const chunk = { vertices, owned, graph: this.#graphOf(vertices) };
    for (const i of vertices) local[i] = 0;
    return chunk;
  }

  #graphOf(vertices: Uint32Array): EdgeGraph {
    const { starts, neighbours } = this.graph;
    const own = new Int32Array(vertices.length + 1);
    let most = 0;
    for (const i of vertices) most += starts[i + 1] - starts[i];
    const found = new Int32Array(most);
    let length = 0;
    vertices.forEach((i, k) => {
      for (let e = starts[i]; e < starts[i + 1]; e++) {
        const other = this.#local[neighbours[e]];
        if (other > 0) found[length++] = other - 1;
      }
      own[k + 1] = length;
    });
    return { starts: own, neighbours: found.slice(0, length) };
  }
}

/** The vertices in the order of their Morton codes, those of one cell by their number. */
function alongCurve(positions: Float32Array, first: Uint32Array): Uint32Array {
  const n = first.length;
  const { min, max } = boundsOf(positions);
  const bits = Math.min(MOST_BITS, Math.floor((DOUBLE_BITS - bitsOf(n)) / 3));
  const cells = 2 ** bits;
  const size = Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  const scale = size > 0 ? (cells - 1) / size : 0;
  const keys = new Float64Array(n);
  for (let k = 0; k < n; k++) {
    let code = 0;
    for (let d = 0; d < 3; d++) code += spread(Math.floor((positions[3 * first[k] + d] - min[d]) * scale)) * 2 ** d;
    keys[k] = code * n + k;
  }
  keys.sort();
  return Uint32Array.from(keys, (key) => key % n);
}

/** The bits of a number with two zeros between them. */
function spread(value: number): number {
  let out = value & 0x3ff;
  out = (out | (out << 16)) & 0x30000ff;
  out = (out | (out << 8)) & 0x300f00f;
  out = (out | (out << 4)) & 0x30c30c3;
  return (out | (out << 2)) & 0x9249249;
}

/** Binary digits of a whole number below 2³². */
function bitsOf(value: number): number {
  return 32 - Math.clz32(value);
}
