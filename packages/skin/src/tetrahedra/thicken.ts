/**
 * Thickens sheets that are thin relative to their edges. Between the two sides of an ear with a thickness of a fiftieth of
 * its edges every tetrahedron is a sliver; moving each side out by a few hundredths of an edge gives good ones, and
 * changes the volume by about 1e-4. The surface itself does not change: its vertices keep their small offset from the
 * tetrahedra's.
 *
 * Experiments: docs/experiments/tetrahedra.md.
 */
import { checkCancelled, type RunContext } from '@pelt/model';
import type { WindingNumber } from '../shared/mesh/winding-number.ts';
import type { VertexMeasures } from './vertex-measures.ts';

/** Bisections for the thickness under a vertex. */
const HALVINGS = 5;
/** Vertices between two looks at the signal. */
const BATCH = 1024;

/**
 * @param positions  n × 3
 * @param thinnest   least thickness, in edge lengths; 0 for no thickening
 * @returns          n × 3 positions (float32 values), and the number of vertices that moved
 */
export function thicken(
  positions: Float64Array,
  measures: VertexMeasures,
  winding: WindingNumber,
  thinnest: number,
  run?: RunContext,
): { positions: Float64Array; moved: number } {
  const result = positions.slice();
  let moved = 0;
  for (let i = 0; i < measures.sizes.length; i++) {
    if (i % BATCH === 0) checkCancelled(run);
    const wanted = thinnest * measures.sizes[i];
    const missing = wanted - thicknessUnder(i, wanted, positions, measures.normals, winding);
    if (missing <= 0) continue;
    moved++;
    for (let axis = 0; axis < 3; axis++) {
      const k = 3 * i + axis;
      result[k] = Math.fround(positions[k] + 0.5 * missing * measures.normals[k]);
    }
  }
  return { positions: result, moved };
}

/** Thickness of the body behind vertex i, at most `limit`. */
function thicknessUnder(
  i: number,
  limit: number,
  positions: Float64Array,
  normals: Float64Array,
  winding: WindingNumber,
): number {
  const inside = (depth: number) =>
    winding.at(
      positions[3 * i] - depth * normals[3 * i],
      positions[3 * i + 1] - depth * normals[3 * i + 1],
      positions[3 * i + 2] - depth * normals[3 * i + 2],
    ) > 0.5;
  if (limit <= 0 || inside(limit)) return limit;
  let [low, high] = [0, limit];
  for (let k = 0; k < HALVINGS; k++) {
    const middle = 0.5 * (low + high);
    if (inside(middle)) low = middle;
    else high = middle;
  }
  return low;
}
