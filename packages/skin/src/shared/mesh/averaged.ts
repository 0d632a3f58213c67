import type { EdgeGraph } from './edge-graph.ts';

/** Values (n) averaged over `rings` of neighbours: a single vertex may be an outlier, a region is not. */
export function averaged(values: Float64Array, graph: EdgeGraph, rings: number): Float64Array {
  let [from, to] = [Float64Array.from(values), new Float64Array(values.length)];
  for (let ring = 0; ring < rings; ring++) {
    for (let i = 0; i < from.length; i++) {
      let sum = from[i];
      for (let e = graph.starts[i]; e < graph.starts[i + 1]; e++) sum += from[graph.neighbours[e]];
      to[i] = sum / (graph.starts[i + 1] - graph.starts[i] + 1);
    }
    [from, to] = [to, from];
  }
  return from;
}
