/**
 * Points inside a surface, as dense as its vertices where it is near and sparser with depth, that make good tetrahedra.
 *
 * An octree is split while a cell's edge exceeds SPLIT · ℓ, where ℓ = spacing · (h + grading · d), d is the distance from
 * the cell's centre to the nearest surface vertex and h the mean edge length at that vertex. The leaves' centres and
 * corners are the points: where leaves are equal they form the body-centred cubic lattice, whose Delaunay tetrahedra all
 * have dihedral angles of 60° and 90°, while a cubic lattice alone is full of flat ones.
 *
 * Each cell gets from its parent the list of surface vertices that can be nearest to some place in it, so that no other
 * search structure is needed.
 *
 * Reference: Labelle, Shewchuk. Isosurface stuffing. 2007 (the lattice and its angles).
 */
import { boundsOf } from '@pelt/model';
import type { WindingNumber } from './winding-number.ts';

export interface InteriorPointOptions {
  /** Edge length near the surface, in lengths of the surface's own edges. */
  readonly spacing: number;
  /** Growth of the edge length with distance from the surface. */
  readonly grading: number;
}

export interface InteriorPoints {
  /** count × 3, float32 values */
  readonly points: Float64Array;
  /** count radii of balls about the points that hold no surface; may be below 0, which says nothing */
  readonly clearance: Float64Array;
}

/** Cell edge, in target edge lengths, above which a cell is split: a leaf's lattice edges are then 0.7 to 1.4 targets. */
const SPLIT = 1.5;
/** Nearest allowed surface vertex, in lengths of its edges; nearer points make flat tetrahedra on the surface. */
const CLEARANCE = 0.7;
/** The finest cell, as a share of the root: a floor for surfaces with needles or nearly coincident vertices. */
const MAX_DEPTH = 13;
/** Random displacement, as a share of the cell: no five points are cospherical, so predicates stay on their fast path. */
const JITTER = 0.01;

/**
 * @param positions  n × 3 surface vertices
 * @param sizes      n mean edge lengths
 */
export function interiorPoints(
  positions: Float64Array,
  sizes: Float64Array,
  lengths: Float64Array,
  winding: WindingNumber,
  options: InteriorPointOptions,
): InteriorPoints {
  return new Octree(positions, sizes, lengths, winding, options).fill();
}

class Octree {
  readonly #positions: Float64Array;
  readonly #sizes: Float64Array;
  readonly #lengths: Float64Array;
  readonly #winding: WindingNumber;
  readonly #options: InteriorPointOptions;
  readonly #low: readonly number[];
  readonly #edge: number;
  readonly #found: number[] = [];
  readonly #clearance: number[] = [];
  /** Corners that were looked at, by their place in the finest grid. */
  readonly #corners = new Set<number>();
  /** What `#measure` found at a place. */
  #distance = 0;
  #size = 0;
  #nearest = 0;

  constructor(
    positions: Float64Array,
    sizes: Float64Array,
    lengths: Float64Array,
    winding: WindingNumber,
    options: InteriorPointOptions,
  ) {
    this.#positions = positions;
    this.#sizes = sizes;
    this.#lengths = lengths;
    this.#winding = winding;
    this.#options = options;
    const { min, max } = boundsOf(positions);
    this.#low = min;
    this.#edge = Math.max(...max.map((value, axis) => value - min[axis]));
  }

  fill(): InteriorPoints {
    const all = Uint32Array.from({ length: this.#sizes.length }, (_, i) => i);
    this.#visit(0, 0, 0, 0, all);
    return { points: Float64Array.from(this.#found), clearance: Float64Array.from(this.#clearance) };
  }

  /** The cell (x, y, z) of its level, whose nearest vertices are among `near`. */
  #visit(level: number, x: number, y: number, z: number, near: Uint32Array): void {
    const edge = this.#edge / 2 ** level;
    const [cx, cy, cz] = [x, y, z].map((index, axis) => this.#low[axis] + (index + 0.5) * edge);
    const reach = (Math.sqrt(3) / 2) * edge;
    this.#measure(cx, cy, cz, near);
    const distance = this.#distance;
    const size = this.#size;
    // Clear of the surface by more than the half-diagonal: all of the cell is on one side.
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

  /** Keeps a point that `#measure` has just looked at, if it is inside and clear of the surface's vertices. */
  #offer(x: number, y: number, z: number, edge: number, surelyInside: boolean): void {
    if (this.#distance < CLEARANCE * this.#sizes[this.#nearest]) return;
    if (!surelyInside && !this.#inside(x, y, z)) return;
    const k = this.#found.length;
    // The nearest triangle may come nearer than its corners, by no more than its edges.
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

  /** Distance to the nearest vertex, which one it is, and the target edge length. */
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

/** A fixed number in [−1, 1) for each k. */
function signedNoise(k: number): number {
  let x = Math.imul((k + 1) ^ ((k + 1) >>> 15), 0x2c1b3c6d);
  x = Math.imul(x ^ (x >>> 12), 0x297a2d39);
  return ((x ^ (x >>> 15)) >>> 0) / 2 ** 31 - 1;
}
