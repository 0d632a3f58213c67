import type { EdgeGraph } from './edge-graph.ts';

/** Up to `size` vertices around a seed, ring by ring (breadth-first). */
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
