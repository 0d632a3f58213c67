import type { EdgeGraph } from './edge-graph.ts';

/** A vertex and the nearest ones around it on the mesh, ring by ring, `size` at the most. */
export function patchAround(graph: EdgeGraph, seed: number, size: number): number[] {
  const patch = [seed];
  const inside = new Set(patch);
  for (let k = 0; k < patch.length; k++) {
    for (let e = graph.starts[patch[k]]; e < graph.starts[patch[k] + 1]; e++) {
      const neighbour = graph.neighbours[e];
      if (inside.has(neighbour)) continue;
      if (patch.length === size) return patch;
      inside.add(neighbour);
      patch.push(neighbour);
    }
  }
  return patch;
}
