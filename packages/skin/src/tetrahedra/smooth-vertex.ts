/**
 * Optimisation-based smoothing of an interior vertex: maximise the least quality of its tetrahedra, a non-smooth function
 * of its position.
 *
 * Steps follow the sum of the unit gradients of the active set (the nearly worst tetrahedra), with backtracking, and
 * where that fails the coordinate directions. Positions are float32, as they will be stored.
 *
 * Reference: Freitag, Jones, Plassmann. An efficient parallel algorithm for mesh smoothing. 1995 (the active set).
 */
import type { Complex } from './complex.ts';
import { OPPOSITE } from './delaunay.ts';
import { leastSineAt } from './quality.ts';

/** Least relative gain that justifies a change. */
const GAIN = 0.05;
const MAX_STEPS = 12;
const MAX_HALVINGS = 6;
/** Tetrahedra up to this much above the worst quality form the active set. */
const ACTIVE = 0.03;
/** First step, and step of finite differences, in lengths of the shortest edge at the vertex. */
const FIRST_STEP = 0.3;
const DIFFERENCE = 1e-4;

export class VertexSmoother {
  /** Result of the last search. */
  readonly place = new Float64Array(3);
  readonly #star: number[] = [];
  /** 3 vertices per tetrahedron, besides the moving one: (vertex, these) has positive volume. */
  #faces: readonly number[] = [];
  readonly #own: number[] = [];
  readonly #quality: number[] = [];
  readonly #direction = new Float64Array(3);

  /** The neighbours of the last vertex, with repetitions. */
  get neighbours(): readonly number[] {
    return this.#own;
  }

  /** Moves vertex v. True where it moved, which improves the worst quality around it. */
  improve(complex: Complex, v: number): boolean {
    if (!complex.innerStarOf(v, this.#star)) return false;
    const { points, vertices } = complex;
    this.#own.length = 0;
    for (const t of this.#star) {
      let slot = 0;
      while (vertices[4 * t + slot] !== v) slot++;
      for (let k = 0; k < 3; k++) this.#own.push(vertices[4 * t + OPPOSITE[3 * slot + k]]);
    }
    this.place.set(points.subarray(3 * v, 3 * v + 3));
    this.#faces = this.#own;
    const before = this.#worstAt(points, this.place[0], this.place[1], this.place[2]);
    if (this.search(points, this.#own) <= before + GAIN * Math.abs(before)) return false;
    points.set(this.place, 3 * v);
    return true;
  }

  /**
   * Searches the best position of a vertex inside the faces of its star, starting at `place`, which it overwrites.
   *
   * @param faces  3 vertices each, oriented such that a vertex inside gives positive volumes
   * @returns      the worst quality at the result
   */
  search(points: Float64Array, faces: readonly number[]): number {
    this.#faces = faces;
    let [x, y, z] = this.place;
    const length = this.#shortestEdge(points, x, y, z);
    let worst = this.#worstAt(points, x, y, z);
    let step = FIRST_STEP * length;
    for (let round = 0; round < MAX_STEPS; round++) {
      let moved = false;
      for (let attempt = 0; attempt < 7 && !moved; attempt++) {
        if (attempt === 0) this.#ascent(points, x, y, z, worst, DIFFERENCE * length);
        else this.#axis(attempt - 1);
        const [dx, dy, dz] = this.#direction;
        let reach = step;
        for (let halving = 0; halving < MAX_HALVINGS; halving++, reach /= 2) {
          const nx = Math.fround(x + reach * dx);
          const ny = Math.fround(y + reach * dy);
          const nz = Math.fround(z + reach * dz);
          const quality = this.#worstAt(points, nx, ny, nz);
          if (quality > worst) {
            [x, y, z, worst] = [nx, ny, nz, quality];
            step = 2 * reach;
            moved = true;
            break;
          }
        }
      }
      if (!moved) break;
    }
    this.place.set([x, y, z]);
    return worst;
  }

  #shortestEdge(points: Float64Array, x: number, y: number, z: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (const i of this.#faces) {
      least = Math.min(least, (points[3 * i] - x) ** 2 + (points[3 * i + 1] - y) ** 2 + (points[3 * i + 2] - z) ** 2);
    }
    return Math.sqrt(least);
  }

  #worstAt(points: Float64Array, x: number, y: number, z: number): number {
    const faces = this.#faces;
    const qualities = this.#quality;
    let worst = Number.POSITIVE_INFINITY;
    qualities.length = 0;
    for (let k = 0; k < faces.length; k += 3) {
      const quality = leastSineAt(points, x, y, z, faces[k], faces[k + 1], faces[k + 2]);
      qualities.push(quality);
      if (quality < worst) worst = quality;
    }
    return worst;
  }

  /** Sum of the unit gradients of the nearly worst tetrahedra. */
  #ascent(points: Float64Array, x: number, y: number, z: number, worst: number, h: number): void {
    const faces = this.#faces;
    const direction = this.#direction.fill(0);
    this.#worstAt(points, x, y, z);
    for (let k = 0; k < faces.length; k += 3) {
      if (this.#quality[k / 3] > worst + ACTIVE) continue;
      const [b, c, d] = [faces[k], faces[k + 1], faces[k + 2]];
      const here = this.#quality[k / 3];
      const gx = leastSineAt(points, x + h, y, z, b, c, d) - here;
      const gy = leastSineAt(points, x, y + h, z, b, c, d) - here;
      const gz = leastSineAt(points, x, y, z + h, b, c, d) - here;
      const size = Math.sqrt(gx * gx + gy * gy + gz * gz) || 1;
      direction[0] += gx / size;
      direction[1] += gy / size;
      direction[2] += gz / size;
    }
    const size = Math.hypot(direction[0], direction[1], direction[2]) || 1;
    for (let axis = 0; axis < 3; axis++) direction[axis] /= size;
  }

  #axis(k: number): void {
    this.#direction.fill(0);
    this.#direction[k >> 1] = k & 1 ? -1 : 1;
  }
}
