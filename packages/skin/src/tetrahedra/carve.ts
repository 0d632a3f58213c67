/**
 * Selects the Delaunay tetrahedra inside the surface, by the winding number of their centroids. Every surface vertex must
 * belong to one of them. A vertex that does not, on a crease or in a thin sheet, gets an additional interior point behind
 * it; where even that fails, its tetrahedron of the largest winding number is included.
 *
 * Reference: Jacobson, Kavan, Sorkine-Hornung. Robust inside-outside segmentation using generalized winding numbers.
 * 2013 (§5).
 */
import { checkCancelled, type RunContext } from '@pelt/model';
import type { WindingNumber } from '../shared/mesh/winding-number.ts';
import { type Delaunay, INFINITE } from './delaunay.ts';
import type { InteriorPoints } from './interior-points.ts';
import type { VertexMeasures } from './vertex-measures.ts';

/** Depth of an additional point behind its vertex, in edge lengths; halved until it is inside. */
const HELP_DEPTH = 0.35;
const HELP_HALVINGS = 6;
/** Rounds of additional points. */
const HELP_ROUNDS = 3;
/** Tetrahedra between two looks at the signal. */
const BATCH = 4096;

export interface Carving {
  /** 4 vertices each, positive volume */
  readonly tetrahedra: Int32Array;
  /** Number of points in use, including additional ones. */
  readonly pointCount: number;
  /** Number of surface vertices whose tetrahedra are all outside. */
  readonly forced: number;
}

/** @param delaunay  of the surface's n vertices followed by the interior points; additional points are inserted */
export function carve(
  delaunay: Delaunay,
  winding: WindingNumber,
  measures: VertexMeasures,
  interior: InteriorPoints,
  run?: RunContext,
): Carving {
  return new Carver(delaunay, winding, measures, interior).result(run);
}

class Carver {
  readonly #delaunay: Delaunay;
  readonly #winding: WindingNumber;
  readonly #measures: VertexMeasures;
  readonly #clearance: Float64Array;
  /** Number of surface vertices; the points after them are interior. */
  readonly #n: number;
  #pointCount: number;
  /** 1 for each tetrahedron of the body */
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

  result(run: RunContext | undefined): Carving {
    for (let t = 0; t < this.#delaunay.places; t++) {
      if (t % BATCH === 0) checkCancelled(run);
      this.#inside[t] = this.#isSolid(t) && this.#isInside(t) ? 1 : 0;
    }
    let orphans = this.#orphans();
    for (let round = 0; round < HELP_ROUNDS && orphans.length > 0; round++) {
      checkCancelled(run);
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
    // Within the clearance of an interior point there is no surface between the two.
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

  /** Inserts a point behind vertex i, where that is inside. */
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

  /** The tetrahedron of the largest winding number at each of the vertices. */
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
