/**
 * Vertex insertion: an interior edge gets a vertex at its midpoint, which is then smoothed. It is kept where the worst
 * quality around the edge improves considerably, and resolves slivers whose four vertices are all fixed.
 *
 * Reference: Klingner, Shewchuk. Aggressive tetrahedral mesh improvement. 2007 (§3.3).
 */
import type { Complex } from './complex.ts';
import { leastSine } from './quality.ts';
import type { VertexSmoother } from './smooth-vertex.ts';

/** Factor by which an additional point must improve the worst quality. */
const GAIN = 1.5;

/** @returns  the new tetrahedra, or undefined where nothing changed */
export function trySplit(
  complex: Complex,
  smoother: VertexSmoother,
  t: number,
  a: number,
  b: number,
): number[] | undefined {
  const ring: number[] = [];
  const link: number[] = [];
  if (!complex.ringOf(t, a, b, ring, link)) return undefined;
  const { points } = complex;
  let before = Number.POSITIVE_INFINITY;
  const faces: number[] = [];
  for (let k = 0; k < ring.length; k++) {
    const [p, q] = [link[k], link[(k + 1) % link.length]];
    before = Math.min(before, leastSine(points, a, b, p, q));
    // (a, v, p, q) and (v, b, p, q), with the new vertex first.
    faces.push(a, q, p, b, p, q);
  }
  for (let axis = 0; axis < 3; axis++) {
    smoother.place[axis] = Math.fround(0.5 * (points[3 * a + axis] + points[3 * b + axis]));
  }
  if (smoother.search(points, faces) <= GAIN * before) return undefined;
  const v = complex.addPoint(smoother.place[0], smoother.place[1], smoother.place[2]);
  const made: number[] = [];
  for (let k = 0; k < faces.length; k += 3) made.push(v, faces[k], faces[k + 1], faces[k + 2]);
  return complex.replace(ring, made);
}
