/**
 * Fill-reducing order by nested dissection: find a small set S of vertices that splits the graph into two halves, order
 * the halves first, each in the same way, and S last. Fill never crosses a separator.
 *
 * Separators are found on a coarse graph and improved on the way back to the fine one. Pieces that are small enough are
 * ordered by minimum degree, which sees the separators around them, although it does not eliminate them.
 *
 * References: George. Nested dissection of a regular finite element mesh. 1973. Karypis, Kumar 1998 (multilevel).
 * Pellegrini, Roman, Amestoy. Hybridizing nested dissection and halo approximate minimum degree for efficient sparse
 * matrix ordering. 2000.
 */
import { coarsen, type WeightedGraph, withUnitWeights } from './coarsening.ts';
import type { Graph } from './graph.ts';
import { minimumDegree } from './minimum-degree.ts';
import { SEPARATOR, Separator, SIDE_A, SIDE_B } from './separator.ts';

/** Pieces up to this many vertices are left to minimum degree. */
const LEAF_SIZE = 200;
/** A graph of this size is cut directly. */
const COARSE_SIZE = 60;
/** Coarsening that keeps more than this share of the vertices is not worth a level. */
const LEAST_PROGRESS = 0.9;
/** Places from which the cut of the coarsest graph is grown. */
const SEEDS = 5;

/** @returns n vertices in the order of elimination */
export function nestedDissection(graph: Graph): Int32Array {
  const order = new Int32Array(graph.size);
  const pieces = new Pieces(graph);
  const all = Int32Array.from({ length: graph.size }, (_, v) => v);
  // Pieces still to be ordered, and the place of their first vertex.
  const pending: { vertices: Int32Array; begin: number }[] = [{ vertices: all, begin: 0 }];
  while (pending.length > 0) {
    const { vertices, begin } = pending.pop()!;
    if (vertices.length <= LEAF_SIZE) {
      order.set(pieces.orderLeaf(vertices), begin);
      continue;
    }
    const sides = findSeparator(withUnitWeights(pieces.extract(vertices, false)));
    const a = membersOf(vertices, sides, SIDE_A);
    const b = membersOf(vertices, sides, SIDE_B);
    if (a.length === 0 || b.length === 0) {
      order.set(pieces.orderLeaf(vertices), begin);
      continue;
    }
    order.set(membersOf(vertices, sides, SEPARATOR), begin + a.length + b.length);
    pending.push({ vertices: a, begin }, { vertices: b, begin: begin + a.length });
  }
  return order;
}

function membersOf(vertices: Int32Array, sides: Uint8Array, side: number): Int32Array {
  const members = new Int32Array(vertices.length);
  let count = 0;
  for (let k = 0; k < vertices.length; k++) if (sides[k] === side) members[count++] = vertices[k];
  return members.slice(0, count);
}

/** Set of each vertex: A, B or the separator. */
export function findSeparator(graph: WeightedGraph): Uint8Array {
  if (graph.size > COARSE_SIZE) {
    let total = 0;
    for (const weight of graph.vertexWeights) total += weight;
    const { coarse, coarseOf } = coarsen(graph, Math.ceil((1.5 * total) / COARSE_SIZE));
    if (coarse.size < LEAST_PROGRESS * graph.size) {
      const coarseSides = findSeparator(coarse);
      const sides = new Uint8Array(graph.size);
      for (let v = 0; v < graph.size; v++) sides[v] = coarseSides[coarseOf[v]];
      const separator = new Separator(graph, sides);
      separator.refine();
      return separator.sides;
    }
  }
  let best: Separator | undefined;
  for (let k = 0; k < SEEDS; k++) {
    const separator = Separator.grown(graph, Math.floor((k * graph.size) / SEEDS));
    separator.refine();
    if (!best || separator.cost < best.cost) best = separator;
  }
  return best!.sides;
}

/** Cuts subgraphs out of a graph. */
class Pieces {
  readonly #graph: Graph;
  /** Number of each vertex in the piece at hand; −1 outside of it. */
  readonly #local: Int32Array;

  constructor(graph: Graph) {
    this.#graph = graph;
    this.#local = new Int32Array(graph.size).fill(-1);
  }

  /** Order of a small piece by minimum degree, with its surroundings in view. */
  orderLeaf(vertices: Int32Array): Int32Array {
    const order = minimumDegree(this.extract(vertices, true), vertices.length);
    return order.map((v) => vertices[v]);
  }

  /** The piece's own edges and, with `halo`, its neighbours outside as further vertices with the edges to them. */
  extract(vertices: Int32Array, halo: boolean): Graph {
    const { starts, neighbours } = this.#graph;
    const local = this.#local;
    const inside = vertices.length;
    let entries = 0;
    for (let k = 0; k < inside; k++) {
      local[vertices[k]] = k;
      entries += starts[vertices[k] + 1] - starts[vertices[k]];
    }
    const localNeighbours = new Int32Array(halo ? 2 * entries : entries);
    const localStarts = [0];
    const around: number[] = [];
    let end = 0;
    for (let k = 0; k < inside; k++) {
      for (let p = starts[vertices[k]]; p < starts[vertices[k] + 1]; p++) {
        const u = neighbours[p];
        if (local[u] < 0) {
          if (!halo) continue;
          local[u] = inside + around.length;
          around.push(u);
        }
        localNeighbours[end++] = local[u];
      }
      localStarts.push(end);
    }
    // Of the halo only the edges to the piece: those within it say nothing about the piece.
    for (const v of around) {
      for (let p = starts[v]; p < starts[v + 1]; p++) {
        const u = local[neighbours[p]];
        if (u >= 0 && u < inside) localNeighbours[end++] = u;
      }
      localStarts.push(end);
    }
    for (let k = 0; k < inside; k++) local[vertices[k]] = -1;
    for (const v of around) local[v] = -1;
    return {
      size: inside + around.length,
      starts: Int32Array.from(localStarts),
      neighbours: localNeighbours.subarray(0, end),
    };
  }
}
