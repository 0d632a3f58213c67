/**
 * The examples of a large mesh at fewer vertices, by which a skin is chosen: a sample that covers the mesh evenly, and the
 * triangles whose corners are nearest to three different ones of it (the dual of its Voronoi cells).
 */
import type { Mesh } from '@pelt/model';
import { coarseGraph } from '../../shared/mesh/coarse-graph.ts';
import { edgeGraph } from '../../shared/mesh/edge-graph.ts';
import type { Examples } from './examples.ts';

/** @returns the same examples where they have no more vertices than that */
export function coarseExamples(examples: Examples, count: number): Examples {
  const { positions, triangles } = examples.mesh;
  const n = positions.length / 3;
  if (n <= count) return examples;
  const { vertices, owner } = coarseGraph(edgeGraph(triangles, n), centred(positions), count);
  const mesh: Mesh = {
    name: examples.mesh.name,
    positions: rowsOf(positions, vertices),
    triangles: cellTriangles(triangles, owner),
  };
  return { ...examples, mesh, map: undefined, shapes: examples.shapes.map((shape) => rowsOf(shape, vertices)) };
}

function centred(positions: Float32Array): Float64Array {
  const middle = [0, 0, 0];
  positions.forEach((x, k) => {
    middle[k % 3] += (3 * x) / positions.length;
  });
  return Float64Array.from(positions, (x, k) => x - middle[k % 3]);
}

function rowsOf(values: Float32Array, rows: Int32Array): Float32Array {
  return Float32Array.from({ length: 3 * rows.length }, (_, k) => values[3 * rows[Math.floor(k / 3)] + (k % 3)]);
}

function cellTriangles(triangles: Uint32Array, owner: Int32Array): Uint32Array {
  const seen = new Set<string>();
  const out: number[] = [];
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [owner[triangles[k]], owner[triangles[k + 1]], owner[triangles[k + 2]]];
    if (a < 0 || b < 0 || c < 0 || a === b || b === c || c === a) continue;
    // Each once, whichever corner comes first; the other side of a sheet is another triangle.
    const least = Math.min(a, b, c);
    const turned = least === a ? [a, b, c] : least === b ? [b, c, a] : [c, a, b];
    const key = turned.join();
    if (seen.has(key)) continue;
    seen.add(key);
    out.push(...turned);
  }
  return Uint32Array.from(out);
}
