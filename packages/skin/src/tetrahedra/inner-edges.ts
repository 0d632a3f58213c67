/**
 * How long the edges of tetrahedra next to each surface vertex should be: as the surface's own, and shorter where the body
 * is thin, so that several fit across. Of one tetrahedron from the skin to the axis of a limb and one back each is held by
 * its neighbours' volumes: bent, the limb can only zigzag.
 */
import type { VertexMeasures } from './vertex-measures.ts';
import type { WindingNumber } from './winding-number.ts';

/** Edges that should fit across. */
const ACROSS = 4;
/** Thinner parts than so many of their own edges get no shorter ones than those: sheets would be full of points. */
const THINNEST = 2;

/**
 * @param positions  n × 3
 * @returns          n
 */
export function innerEdges(positions: Float64Array, measures: VertexMeasures, winding: WindingNumber): Float64Array {
  return measures.sizes.map((size, i) => {
    let depth = THINNEST;
    while (depth < ACROSS && isInside(i, (depth + 1) * size, positions, measures.normals, winding)) depth++;
    return (depth / ACROSS) * size;
  });
}

/** Whether the place at a depth behind vertex i is inside. */
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
