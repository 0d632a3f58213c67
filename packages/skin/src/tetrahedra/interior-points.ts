/**
 * Interior points of graded density, as dense as the surface's vertices near it and sparser with depth.
 *
 * An octree is refined while a cell's edge exceeds SPLIT · ℓ, where ℓ = spacing · (h + grading · d), d is the distance
 * from the cell's centre to the nearest surface vertex and h the mean edge length at that vertex. The points are the
 * centres and corners of the leaves: for leaves of equal size they form the body-centred cubic lattice, whose Delaunay
 * tetrahedra have dihedral angles of 60° and 90°, while a cubic lattice gives slivers.
 *
 * Each cell inherits from its parent the surface vertices that can be nearest to a point in it, so that no other search
 * structure is needed.
 *
 * Reference: Labelle, Shewchuk. Isosurface stuffing. 2007 (the lattice and its angles).
 */
import { boundsOf, checkCancelled, type RunContext } from '@pelt/model';
import type { WindingNumber } from '../shared/mesh/winding-number.ts';

export interface InteriorPointOptions {
  /** Edge length near the surface, relative to the surface's edges. */
  readonly spacing: number;
  /** Growth of the edge length with distance from the surface. */
  readonly grading: number;
}

export interface InteriorPoints {
  /** count × 3, float32 values */
  readonly points: Float64Array;
  /** count radii of balls around the points that do not intersect the surface; not positive where unknown */
  readonly clearance: Float64Array;
}

/** Cell edge, in target edge lengths, above which a cell is split; lattice edges are then 0.7 to 1.4 targets long. */
const SPLIT = 1.5;
/** Least distance from a surface vertex, in lengths of its edges; nearer points give slivers at the surface. */
const CLEARANCE = 0.7;
/** Most levels of the octree, for surfaces with needles or nearly coincident vertices. */
const MAX_DEPTH = 13;
/** Displacement relative to the cell, which avoids cospherical points and keeps the predicates on their fast path. */
const JITTER = 0.01;

/**
 * @param positions  n × 3 surface vertices
 * @param sizes      n mean edge lengths
 * @param lengths    n target edge lengths
 */
export function interiorPoints(
  positions: Float64Array,
  sizes: Float64Array,
  lengths: Float64Array,
  winding: WindingNumber,
  options: InteriorPointOptions,
  run?: RunContext,
): InteriorPoints {
  return new Octree(positions, sizes, lengths, winding, options, run).fill();
}

class Octree {
  readonly #positions: Float64Array;
  readonly #sizes: Float64Array;
  readonly #lengths: Float64Array;
  readonly #winding: WindingNumber;
  readonly #options: InteriorPointOptions;
  readonly #run: RunContext | undefined;
  readonly #low: readonly number[];
  readonly #edge: number;
  readonly #found: number[] = [];
  readonly #clearance: number[] = [];
  /** Visited corners, by their index in the finest grid. */
  readonly #corners = new Set<number>();
  /** Results of `#measure`. */
  #distance = 0;
  #size = 0;
  #nearest = 0;

  constructor(
    positions: Float64Array,
    sizes: Float64Array,
    lengths: Float64Array,
    winding: WindingNumber,
    options: InteriorPointOptions,
    run: RunContext | undefined,
  ) {
    this.#positions = positions;
    this.#sizes = sizes;
    this.#lengths = lengths;
    this.#winding = winding;
    this.#options = options;
    this.#run = run;
    const { min, max } = boundsOf(positions);
    this.#low = min;
    this.#edge = Math.max(...max.map((value, axis) => value - min[axis]));
  }

  fill(): InteriorPoints {
    const all = Uint32Array.from({ length: this.#sizes.length }, (_, i) => i);
    this.#visit(0, 0, 0, 0, all);
    return { points: Float64Array.from(this.#found), clearance: Float64Array.from(this.#clearance) };
  }

  /** Visits the cell (x, y, z) of a level, whose nearest vertices are among `near`. */
  #visit(level: number, x: number, y: number, z: number, near: Uint32Array): void {
    const edge = this.#edge / 2 ** level;
    const [cx, cy, cz] = [x, y, z].map((index, axis) => this.#low[axis] + (index + 0.5) * edge);
    const reach = (Math.sqrt(3) / 2) * edge;
    checkCancelled(this.#run);
    this.#measure(cx, cy, cz, near);
    const distance = this.#distance;
    const size = this.#size;
    // Farther from the surface than half the diagonal: the whole cell is on one side.
    const clear = distance - this.#sizes[this.#nearest] > reach;
    if (clear && !this.#inside(cx, cy, cz)) return;
    if (edge > SPLIT * size && level < MAX_DEPTH) {
      const kept = near.filter((i) => this.#distanceTo(i, cx, cy, cz) <= distance + 2 * reach);
      for (let child = 0; child < 8; child++) {
        this.#visit(level + 1, 2 * x + (child & 1), 2 * y + ((child >> 1) & 1), 2 * z + (child >> 2), kept);
      }
      return;
    }
    this.#offer(cx, cy, cz, edge, clear);
    const step = 2 ** (MAX_DEPTH - level);
    for (let corner = 0; corner < 8; corner++) {
      const [i, j, k] = [x + (corner & 1), y + ((corner >> 1) & 1), z + (corner >> 2)];
      const key = (i * step * 2 ** 14 + j * step) * 2 ** 14 + k * step;
      if (this.#corners.has(key)) continue;
      this.#corners.add(key);
      const [px, py, pz] = [i, j, k].map((index, axis) => this.#low[axis] + index * edge);
      this.#measure(px, py, pz, near);
      this.#offer(px, py, pz, edge, clear);
    }
  }

  /** Adds the point of the last `#measure` if it is inside and far enough from the surface's vertices. */
  #offer(x: number, y: number, z: number, edge: number, surelyInside: boolean): void {
    if (this.#distance < CLEARANCE * this.#sizes[this.#nearest]) return;
    if (!surelyInside && !this.#inside(x, y, z)) return;
    const k = this.#found.length;
    // The nearest triangle may be nearer than its corners, by at most its edges.
    this.#clearance.push(this.#distance - 1.5 * this.#sizes[this.#nearest]);
    this.#found.push(
      Math.fround(x + JITTER * edge * signedNoise(k)),
      Math.fround(y + JITTER * edge * signedNoise(k + 1)),
      Math.fround(z + JITTER * edge * signedNoise(k + 2)),
    );
  }

  #inside(x: number, y: number, z: number): boolean {
    return this.#winding.at(x, y, z) > 0.5;
  }

  /** Computes the nearest vertex, its distance, and the target edge length. */
  #measure(x: number, y: number, z: number, near: Uint32Array): void {
    const { spacing, grading } = this.#options;
    const positions = this.#positions;
    let least = Number.POSITIVE_INFINITY;
    let nearest = 0;
    let size = Number.POSITIVE_INFINITY;
    for (let k = 0; k < near.length; k++) {
      const i = near[k];
      const dx = positions[3 * i] - x;
      const dy = positions[3 * i + 1] - y;
      const dz = positions[3 * i + 2] - z;
      const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
      if (distance < least) {
        least = distance;
        nearest = i;
      }
      size = Math.min(size, this.#lengths[i] + grading * distance);
    }
    this.#distance = least;
    this.#nearest = nearest;
    this.#size = spacing * size;
  }

  #distanceTo(i: number, x: number, y: number, z: number): number {
    const p = this.#positions;
    return Math.sqrt((p[3 * i] - x) ** 2 + (p[3 * i + 1] - y) ** 2 + (p[3 * i + 2] - z) ** 2);
  }
}

/** A deterministic pseudo-random number in [−1, 1). */
function signedNoise(k: number): number {
  let x = Math.imul((k + 1) ^ ((k + 1) >>> 15), 0x2c1b3c6d);
  x = Math.imul(x ^ (x >>> 12), 0x297a2d39);
  return ((x ^ (x >>> 15)) >>> 0) / 2 ** 31 - 1;
}
