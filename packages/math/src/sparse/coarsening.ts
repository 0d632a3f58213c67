/**
 * Coarsens a weighted graph by heavy-edge matching: pairs of neighbours joined by heavy edges become one vertex, so that
 * what is hard to cut disappears from sight and a cut of the coarse graph is a good cut of the fine one.
 *
 * Reference: Karypis, Kumar. A fast and high quality multilevel scheme for partitioning irregular graphs. SIAM J. Sci.
 * Comput., 1998 (§3.1).
 */
import type { Graph } from './graph.ts';

export interface WeightedGraph extends Graph {
  /** vertices of the input that each vertex stands for */
  readonly vertexWeights: Int32Array;
  /** edges of the input that each edge stands for, beside `neighbours` */
  readonly edgeWeights: Int32Array;
}

export interface Coarsening {
  readonly coarse: WeightedGraph;
  /** coarse vertex of each fine one */
  readonly coarseOf: Int32Array;
}

/** Irrational stride of the order in which vertices look for a partner: no direction of the mesh is favoured. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

export function withUnitWeights(graph: Graph): WeightedGraph {
  return {
    ...graph,
    vertexWeights: new Int32Array(graph.size).fill(1),
    edgeWeights: new Int32Array(graph.neighbours.length).fill(1),
  };
}

/** @param heaviest  no pair heavier than this is made, so that the coarse graph can still be balanced */
export function coarsen(graph: WeightedGraph, heaviest: number): Coarsening {
  const partners = matchHeavyEdges(graph, heaviest);
  const coarseOf = new Int32Array(graph.size).fill(-1);
  let size = 0;
  for (let v = 0; v < graph.size; v++) {
    if (coarseOf[v] >= 0) continue;
    coarseOf[v] = size;
    coarseOf[partners[v]] = size;
    size++;
  }
  return { coarse: contract(graph, partners, coarseOf, size), coarseOf };
}

/** Each vertex's partner; itself where it found none. */
function matchHeavyEdges(graph: WeightedGraph, heaviest: number): Int32Array {
  const { size, starts, neighbours, vertexWeights, edgeWeights } = graph;
  const partners = new Int32Array(size).fill(-1);
  for (const v of visitingOrder(size)) {
    if (partners[v] >= 0) continue;
    let best = v;
    let bestWeight = 0;
    for (let p = starts[v]; p < starts[v + 1]; p++) {
      const u = neighbours[p];
      if (partners[u] >= 0 || vertexWeights[u] + vertexWeights[v] > heaviest) continue;
      // Of equally heavy edges the one to the lighter vertex keeps weights even.
      const better =
        edgeWeights[p] > bestWeight || (edgeWeights[p] === bestWeight && vertexWeights[u] < vertexWeights[best]);
      if (!better) continue;
      best = u;
      bestWeight = edgeWeights[p];
    }
    partners[v] = best;
    partners[best] = v;
  }
  return partners;
}

/** All of 0 … size − 1, far apart from one to the next. */
function visitingOrder(size: number): Int32Array {
  const order = new Int32Array(size);
  let stride = Math.max(1, Math.floor(size * GOLDEN));
  while (greatestCommonDivisor(stride, size) > 1) stride++;
  for (let k = 0, v = 0; k < size; k++, v = (v + stride) % size) order[k] = v;
  return order;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function contract(graph: WeightedGraph, partners: Int32Array, coarseOf: Int32Array, size: number): WeightedGraph {
  const { starts, neighbours, vertexWeights, edgeWeights } = graph;
  const coarseStarts = new Int32Array(size + 1);
  const coarseVertexWeights = new Int32Array(size);
  const coarseNeighbours = new Int32Array(neighbours.length);
  const coarseEdgeWeights = new Int32Array(neighbours.length);
  // Where each coarse neighbour of the current vertex stands, if at or behind the current start.
  const places = new Int32Array(size).fill(-1);
  let end = 0;
  const gather = (v: number, own: number) => {
    coarseVertexWeights[own] += vertexWeights[v];
    for (let p = starts[v]; p < starts[v + 1]; p++) {
      const other = coarseOf[neighbours[p]];
      if (other === own) continue;
      if (places[other] >= coarseStarts[own]) coarseEdgeWeights[places[other]] += edgeWeights[p];
      else {
        places[other] = end;
        coarseNeighbours[end] = other;
        coarseEdgeWeights[end++] = edgeWeights[p];
      }
    }
  };
  let next = 0;
  for (let v = 0; v < graph.size; v++) {
    const own = coarseOf[v];
    if (own !== next) continue;
    gather(v, own);
    if (partners[v] !== v) gather(partners[v], own);
    coarseStarts[own + 1] = end;
    next++;
  }
  return {
    size,
    starts: coarseStarts,
    neighbours: coarseNeighbours.slice(0, end),
    vertexWeights: coarseVertexWeights,
    edgeWeights: coarseEdgeWeights.slice(0, end),
  };
}
