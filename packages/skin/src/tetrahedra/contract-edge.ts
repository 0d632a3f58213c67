/**
 * Edge contraction: an interior vertex v is merged into its neighbour u, which removes the tetrahedra of their edge,
 * where that improves the worst quality around v. It removes points that are too close to each other.
 *
 * Reference: Klingner, Shewchuk. Aggressive tetrahedral mesh improvement. 2007 (§3.4).
 */
import type { Complex } from './complex.ts';
import { leastSine } from './quality.ts';

/** @returns  the new tetrahedra, or undefined where nothing changed */
export function tryContraction(complex: Complex, v: number, u: number): number[] | undefined {
  const star: number[] = [];
  if (!complex.innerStarOf(v, star)) return undefined;
  const { points, vertices } = complex;
  let before = Number.POSITIVE_INFINITY;
  for (const t of star) before = Math.min(before, qualityOf(points, vertices, t));
  const made: number[] = [];
  for (const t of star) {
    const corners = [0, 1, 2, 3].map((slot) => vertices[4 * t + slot]);
    if (corners.includes(u)) continue;
    const [a, b, c, d] = corners.map((corner) => (corner === v ? u : corner));
    if (leastSine(points, a, b, c, d) <= Math.max(before, 0)) return undefined;
    made.push(a, b, c, d);
  }
  return complex.replace(star, made);
}

function qualityOf(points: Float64Array, vertices: Int32Array, t: number): number {
  return leastSine(points, vertices[4 * t], vertices[4 * t + 1], vertices[4 * t + 2], vertices[4 * t + 3]);
}
