/**
 * Edge removal: the n tetrahedra around an interior edge {a, b} are replaced by 2(n − 2) without it, such that the worst
 * quality is maximal. The polygon of the edge's link is triangulated; each triangle gives one tetrahedron with a and one
 * with b. The optimal triangulation is found by dynamic programming over the polygon's chords.
 *
 * References: Shewchuk. Two discrete optimization algorithms for the topological improvement of tetrahedral meshes. 2002
 * (§2). Klincsek. Minimal triangulations of polygonal domains. 1980.
 */
import type { Complex } from './complex.ts';
import { leastSine } from './quality.ts';

/** Longest ring that is tried; the cost is cubic, and longer rings hardly ever improve. */
const MAX_RING = 9;

export class EdgeRemoval {
  readonly #ring: number[] = [];
  readonly #link: number[] = [];
  /** best[i n + j]: worst quality of the optimal triangulation of vertices i … j of the polygon; split: its apex. */
  readonly #best = new Float64Array(MAX_RING * MAX_RING);
  readonly #split = new Int32Array(MAX_RING * MAX_RING);
  readonly #made: number[] = [];

  /**
   * Removes edge {a, b} of tetrahedron t where that improves the worst quality around it.
   *
   * @returns  the new tetrahedra, or undefined where nothing changed
   */
  tryEdge(complex: Complex, t: number, a: number, b: number): number[] | undefined {
    const ring = this.#ring;
    const link = this.#link;
    if (!complex.ringOf(t, a, b, ring, link) || ring.length > MAX_RING) return undefined;
    const { points, vertices } = complex;
    let before = Number.POSITIVE_INFINITY;
    for (const r of ring) {
      const v = 4 * r;
      before = Math.min(before, leastSine(points, vertices[v], vertices[v + 1], vertices[v + 2], vertices[v + 3]));
    }
    const n = ring.length;
    const best = this.#best;
    for (let i = 0; i + 1 < n; i++) best[i * n + i + 1] = Number.POSITIVE_INFINITY;
    for (let span = 2; span < n; span++) {
      for (let i = 0; i + span < n; i++) {
        const j = i + span;
        let most = Number.NEGATIVE_INFINITY;
        for (let k = i + 1; k < j; k++) {
          const halves = Math.min(best[i * n + k], best[k * n + j]);
          // A part that is too bad already cannot be part of the optimum.
          if (halves <= before || halves <= most) continue;
          const above = leastSine(points, a, link[i], link[k], link[j]);
          const below = leastSine(points, b, link[k], link[i], link[j]);
          const worst = Math.min(halves, Math.min(above, below));
          if (worst > most) {
            most = worst;
            this.#split[i * n + j] = k;
          }
        }
        best[i * n + j] = most;
      }
    }
    if (best[n - 1] <= before) return undefined;
    this.#made.length = 0;
    this.#collect(a, b, 0, n - 1);
    return complex.replace(ring, this.#made);
  }

  #collect(a: number, b: number, i: number, j: number): void {
    if (j < i + 2) return;
    const link = this.#link;
    const k = this.#split[i * link.length + j];
    this.#made.push(a, link[i], link[k], link[j], b, link[k], link[i], link[j]);
    this.#collect(a, b, i, k);
    this.#collect(a, b, k, j);
  }
}
