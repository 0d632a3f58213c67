/**
 * Which Delaunay tetrahedra are the body: those about whose centroid the surface winds. Every surface vertex must end in
 * one of them. A vertex that does not, on a crest or in a narrow sheet, gets an inner point close behind it, which makes
 * tetrahedra that are inside; where even that fails, the tetrahedron at the vertex with the largest winding number is
 * taken in.
 *
 * Reference: Jacobson, Kavan, Sorkine-Hornung. Robust inside-outside segmentation using generalized winding numbers.
 * 2013 (§5).
 */
import { type Delaunay, INFINITE } from './delaunay.ts';
import type { InteriorPoints } from './interior-points.ts';
import type { VertexMeasures } from './vertex-measures.ts';
import type { WindingNumber } from './winding-number.ts';

/** Depth of a helping point behind its vertex, in edge lengths; halved until it is inside. */
const HELP_DEPTH = 0.35;
const HELP_HALVINGS = 6;
/** Rounds of helping before force. */
const HELP_ROUNDS = 3;

export interface Carving {
  /** 4 vertices each, positive volume */
  readonly tetrahedra: Int32Array;
  /** Points in use, helping points included. */
  readonly pointCount: number;
  /** Surface vertices whose tetrahedron is outside by its winding number. */
  readonly forced: number;
}

/**
 * @param delaunay  of the surface's n vertices and then the interior points; helping points are added to it
 */
export function carve(
  delaunay: Delaunay,
  winding: WindingNumber,
  measures: VertexMeasures,
  interior: InteriorPoints,
): Carving {
  return new Carver(delaunay, winding, measures, interior).result();
}

class Carver {
  readonly #delaunay: Delaunay;
  readonly #winding: WindingNumber;
  readonly #measures: VertexMeasures;
  readonly #clearance: Float64Array;
  /** Surface vertices; the points behind them are inner ones. */
  readonly #n: number;
  #pointCount: number;
  /** 1 for each place that is in the body. */
  #inside: Uint8Array;

  constructor(delaunay: Delaunay, winding: WindingNumber, measures: VertexMeasures, interior: InteriorPoints) {
    this.#delaunay = delaunay;
    this.#winding = winding;
    this.#measures = measures;
    this.#clearance = interior.clearance;
    this.#n = measures.sizes.length;
    this.#pointCount = this.#n + interior.clearance.length;
    this.#inside = new Uint8Array(delaunay.vertices.length / 4);
  }

  result(): Carving {
    for (let t = 0; t < this.#delaunay.places; t++) this.#inside[t] = this.#isSolid(t) && this.#isInside(t) ? 1 : 0;
    let orphans = this.#orphans();
    for (let round = 0; round < HELP_ROUNDS && orphans.length > 0; round++) {
      for (const i of orphans) this.#help(i);
      orphans = this.#orphans();
    }
    for (const t of this.#best(orphans)) this.#inside[t] = 1;
    const kept: number[] = [];
    for (let t = 0; t < this.#delaunay.places; t++) {
      if (!this.#inside[t] || !this.#isSolid(t)) continue;
      for (let slot = 0; slot < 4; slot++) kept.push(this.#delaunay.vertices[4 * t + slot]);
    }
    return { tetrahedra: Int32Array.from(kept), pointCount: this.#pointCount, forced: orphans.length };
  }

  #isSolid(t: number): boolean {
    const { vertices } = this.#delaunay;
    return vertices[4 * t] >= 0 && vertices[4 * t + 3] !== INFINITE;
  }

  #isInside(t: number): boolean {
    const { points, vertices } = this.#delaunay;
    const [x, y, z] = this.#centroid(t);
    // Within the clearance of an inner point there is no surface that could part the two.
    for (let slot = 0; slot < 4; slot++) {
      const v = vertices[4 * t + slot];
      const clearance = this.#clearance[v - this.#n];
      if (!(clearance > 0)) continue;
      const squared = (points[3 * v] - x) ** 2 + (points[3 * v + 1] - y) ** 2 + (points[3 * v + 2] - z) ** 2;
      if (squared < clearance * clearance) return true;
    }
    return this.#winding.at(x, y, z) > 0.5;
  }

  #centroid(t: number): [number, number, number] {
    const { points, vertices } = this.#delaunay;
    let [x, y, z] = [0, 0, 0];
    for (let slot = 0; slot < 4; slot++) {
      const v = 3 * vertices[4 * t + slot];
      x += 0.25 * points[v];
      y += 0.25 * points[v + 1];
      z += 0.25 * points[v + 2];
    }
    return [x, y, z];
  }

  /** Surface vertices without a tetrahedron in the body. */
  #orphans(): number[] {
    const { vertices, places } = this.#delaunay;
    const used = new Uint8Array(this.#pointCount);
    for (let t = 0; t < places; t++) {
      if (!this.#inside[t] || !this.#isSolid(t)) continue;
      for (let slot = 0; slot < 4; slot++) used[vertices[4 * t + slot]] = 1;
    }
    const orphans: number[] = [];
    for (let i = 0; i < this.#n; i++) if (!used[i]) orphans.push(i);
    return orphans;
  }

  /** Inserts a point behind vertex i, where there is an inside behind it. */
  #help(i: number): void {
    const delaunay = this.#delaunay;
    const { sizes, normals } = this.#measures;
    const v = this.#pointCount;
    if (3 * v + 3 > delaunay.points.length) return;
    let depth = HELP_DEPTH * sizes[i];
    for (let k = 0; k < HELP_HALVINGS; k++, depth /= 2) {
      const [x, y, z] = [0, 1, 2].map((axis) => {
        return Math.fround(delaunay.points[3 * i + axis] - depth * normals[3 * i + axis]);
      });
      if (this.#winding.at(x, y, z) <= 0.5) continue;
      delaunay.points.set([x, y, z], 3 * v);
      if (!delaunay.insert(v)) return;
      this.#pointCount++;
      if (delaunay.places > this.#inside.length) {
        const larger = new Uint8Array(2 * delaunay.places);
        larger.set(this.#inside);
        this.#inside = larger;
      }
      for (const t of delaunay.fresh) this.#inside[t] = this.#isSolid(t) && this.#isInside(t) ? 1 : 0;
      return;
    }
  }

  /** For each of the vertices its tetrahedron with the largest winding number. */
  #best(vertices: readonly number[]): number[] {
    const best = new Map(vertices.map((i) => [i, { t: -1, winding: Number.NEGATIVE_INFINITY }]));
    if (best.size === 0) return [];
    for (let t = 0; t < this.#delaunay.places; t++) {
      if (!this.#isSolid(t)) continue;
      for (let slot = 0; slot < 4; slot++) {
        const entry = best.get(this.#delaunay.vertices[4 * t + slot]);
        if (!entry) continue;
        const winding = this.#winding.at(...this.#centroid(t));
        if (winding > entry.winding) Object.assign(entry, { t, winding });
      }
    }
    return [...best.values()].map((entry) => entry.t).filter((t) => t >= 0);
  }
}
