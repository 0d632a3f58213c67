/**
 * Face removal (the 2–3 flip): two tetrahedra that share a face become three around the new edge between their opposite
 * vertices, where that improves the worst quality. The inverse of removing an edge with a ring of three.
 *
 * Reference: Freitag, Ollivier-Gooch. Tetrahedral mesh improvement using swapping and smoothing. 1997.
 */
import { type Complex, OUTSIDE } from './complex.ts';
import { OPPOSITE } from './delaunay.ts';
import { leastSine } from './quality.ts';

/** @returns  the new tetrahedra, or undefined where nothing changed */
export function tryFaceRemoval(complex: Complex, t: number, slot: number): number[] | undefined {
  const { points, vertices, adjacent } = complex;
  const across = adjacent[4 * t + slot];
  if (across === OUTSIDE) return undefined;
  const a = vertices[4 * t + slot];
  const b = vertices[across];
  const face = [0, 1, 2].map((k) => vertices[4 * t + OPPOSITE[3 * slot + k]]);
  const before = Math.min(
    leastSine(points, a, face[0], face[1], face[2]),
    leastSine(points, b, face[2], face[1], face[0]),
  );
  const made: number[] = [];
  for (let k = 0; k < 3; k++) {
    const p = face[k];
    const q = face[(k + 1) % 3];
    if (leastSine(points, a, p, q, b) <= before) return undefined;
    made.push(a, p, q, b);
  }
  return complex.replace([t, across >> 2], made);
}
