/**
 * Target edge lengths of the tetrahedra at each surface vertex: those of the surface, and shorter where the body is thin,
 * so that several tetrahedra fit across. With a single tetrahedron from the skin to the axis of a limb volume
 * preservation locks, and the limb zigzags when it is bent.
 */

import type { WindingNumber } from '../shared/mesh/winding-number.ts';
import type { VertexMeasures } from './vertex-measures.ts';

/** Number of edges that should fit across the body. */
const ACROSS = 4;
/** Lower bound of the thickness, in edges: thinner sheets would get too many points. */
const THINNEST = 2;

/**
 * @param positions  n × 3
 * @returns          n target edge lengths
 */
export function innerEdges(positions: Float64Array, measures: VertexMeasures, winding: WindingNumber): Float64Array {
  return measures.sizes.map((size, i) => {
    let depth = THINNEST;
    while (depth < ACROSS && isInside(i, (depth + 1) * size, positions, measures.normals, winding)) depth++;
    return (depth / ACROSS) * size;
  });
}

/** Whether the point at a depth behind vertex i is inside. */
export function isInside(
  i: number,
  depth: number,
  positions: Float64Array,
  normals: Float64Array,
  winding: WindingNumber,
): boolean {
  const [x, y, z] = [0, 1, 2].map((axis) => positions[3 * i + axis] - depth * normals[3 * i + axis]);
  return winding.at(x, y, z) > 0.5;
}
