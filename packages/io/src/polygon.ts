/**
 * Cuts a polygon in space into triangles: (count − 2) of them, whatever its shape, wound as the polygon is.
 *
 * The polygon is seen along the axis its normal is nearest to (Newell's normal, so it need not be flat). A fan from its
 * first corner is taken where all of the fan's triangles are positive; else ears are clipped: corners that turn left and
 * whose triangle holds no reflex corner. Clipping an ear changes the state of its two neighbours only, so the whole
 * costs O(count · reflex corners). Positions are float32, so an orientation test in double is off in its last bit at
 * most. A polygon that crosses itself has no triangulation; where no ear is left the next corner is cut off regardless.
 *
 * Experiments: docs/experiments/polygons.md.
 *
 * References: Newell, in Sutherland, Sproull, Schumacker. A characterization of ten hidden-surface algorithms. 1974.
 * Eberly. Triangulation by ear clipping. 1998.
 */
import { UnsupportedError } from '@pelt/model';

/** Above this a concave polygon is refused: its cost grows with the square. */
export const MAX_CONCAVE_CORNERS = 4096;

export class PolygonTriangulator {
  readonly #label: string;
  // Scratch, grown to the largest polygon met: the projected corners, a ring of the corners that are left, their states.
  #x = new Float64Array(16);
  #y = new Float64Array(16);
  #next = new Int32Array(16);
  #previous = new Int32Array(16);
  #reflex = new Uint8Array(16);
  #ear = new Uint8Array(16);

  /** @param label  begins the message of a refused polygon: `OBJ 'arm.obj'` */
  constructor(label: string) {
    this.#label = label;
  }

  /**
   * @param positions  n × 3
   * @param corners    vertex indices, of which `count` from `first` on are the polygon's
   * @param out        receives (count − 2) × 3 corner numbers, 0 to count − 1, from `outStart` on
   */
  triangulate(
    positions: Float32Array,
    corners: Uint32Array,
    first: number,
    count: number,
    out: Uint32Array,
    outStart: number,
  ): void {
    if (count === 3) {
      out[outStart] = 0;
      out[outStart + 1] = 1;
      out[outStart + 2] = 2;
      return;
    }
    const flat = this.#project(positions, corners, first, count);
    if (!flat || this.#fanIsPositive(count)) {
      fan(count, out, outStart);
      return;
    }
    if (count > MAX_CONCAVE_CORNERS) {
      throw new UnsupportedError(
        `${this.#label}: a concave face has ${count} corners, more than ${MAX_CONCAVE_CORNERS}; ` +
          'triangulate the mesh in the program it comes from',
      );
    }
    this.#clipEars(count, out, outStart);
  }

  /** Corner coordinates in the plane, counter-clockwise; false where the polygon has no area to see. */
  #project(positions: Float32Array, corners: Uint32Array, first: number, count: number): boolean {
    if (this.#x.length < count) {
      const size = Math.max(count, this.#x.length * 2);
      this.#x = new Float64Array(size);
      this.#y = new Float64Array(size);
      this.#next = new Int32Array(size);
      this.#previous = new Int32Array(size);
      this.#reflex = new Uint8Array(size);
      this.#ear = new Uint8Array(size);
    }
    // Relative to the first corner, so that a polygon far from the origin keeps its digits.
    const o = corners[first] * 3;
    let nx = 0;
    let ny = 0;
    let nz = 0;
    for (let k = 0; k < count; k++) {
      const a = corners[first + k] * 3;
      const b = corners[first + (k + 1 === count ? 0 : k + 1)] * 3;
      const ax = positions[a] - positions[o];
      const ay = positions[a + 1] - positions[o + 1];
      const az = positions[a + 2] - positions[o + 2];
      const bx = positions[b] - positions[o];
      const by = positions[b + 1] - positions[o + 1];
      const bz = positions[b + 2] - positions[o + 2];
      nx += ay * bz - az * by;
      ny += az * bx - ax * bz;
      nz += ax * by - ay * bx;
    }
    const largest = Math.max(Math.abs(nx), Math.abs(ny), Math.abs(nz));
    if (!(largest > 0)) return false;
    // The two axes that are kept, in the order that keeps the view right-handed along the third.
    const axis = largest === Math.abs(nz) ? 2 : largest === Math.abs(ny) ? 1 : 0;
    const u = (axis + 1) % 3;
    const v = (axis + 2) % 3;
    const sign = (axis === 2 ? nz : axis === 1 ? ny : nx) < 0 ? -1 : 1;
    for (let k = 0; k < count; k++) {
      const a = corners[first + k] * 3;
      this.#x[k] = sign * (positions[a + u] - positions[o + u]);
      this.#y[k] = positions[a + v] - positions[o + v];
    }
    return true;
  }

  #fanIsPositive(count: number): boolean {
    for (let k = 1; k + 1 < count; k++) if (!(this.#turn(0, k, k + 1) > 0)) return false;
    return true;
  }

  /** Twice the signed area of a triangle of corners: positive where it turns left. */
  #turn(a: number, b: number, c: number): number {
    const x = this.#x;
    const y = this.#y;
    return (x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a]);
  }

  #clipEars(count: number, out: Uint32Array, outStart: number): void {
    const next = this.#next;
    const previous = this.#previous;
    for (let k = 0; k < count; k++) {
      next[k] = k + 1 === count ? 0 : k + 1;
      previous[k] = k === 0 ? count - 1 : k - 1;
    }
    for (let k = 0; k < count; k++) this.#reflex[k] = this.#turn(previous[k], k, next[k]) < 0 ? 1 : 0;
    for (let k = 0; k < count; k++) this.#ear[k] = this.#isEar(k) ? 1 : 0;

    let o = outStart;
    let k = 0;
    for (let left = count; left > 3; left--) {
      k = this.#findEar(k, left);
      const a = previous[k];
      const b = next[k];
      out[o++] = a;
      out[o++] = k;
      out[o++] = b;
      next[a] = b;
      previous[b] = a;
      this.#reflex[a] = this.#turn(previous[a], a, b) < 0 ? 1 : 0;
      this.#reflex[b] = this.#turn(a, b, next[b]) < 0 ? 1 : 0;
      this.#ear[a] = this.#isEar(a) ? 1 : 0;
      this.#ear[b] = this.#isEar(b) ? 1 : 0;
      // Going on two corners further spreads the ears around and avoids a bundle of slivers at one corner.
      k = next[b];
    }
    out[o++] = previous[k];
    out[o++] = k;
    out[o++] = next[k];
  }

  /** The next ear from `start` on; failing that a corner that turns left, failing that one that does not turn right. */
  #findEar(start: number, left: number): number {
    let convex = -1;
    let straight = -1;
    let k = start;
    for (let step = 0; step < left; step++, k = this.#next[k]) {
      if (this.#ear[k]) return k;
      if (convex >= 0 || this.#reflex[k]) continue;
      if (this.#turn(this.#previous[k], k, this.#next[k]) > 0) convex = k;
      else if (straight < 0) straight = k;
    }
    if (convex >= 0) return convex;
    return straight >= 0 ? straight : start;
  }

  #isEar(k: number): boolean {
    const a = this.#previous[k];
    const b = this.#next[k];
    if (!(this.#turn(a, k, b) > 0)) return false;
    const x = this.#x;
    const y = this.#y;
    for (let p = this.#next[b]; p !== a; p = this.#next[p]) {
      if (!this.#reflex[p]) continue;
      // A corner in the same place as one of the ear's own is a seam (a hole joined to the outline), not an obstacle.
      if ((x[p] === x[a] && y[p] === y[a]) || (x[p] === x[k] && y[p] === y[k]) || (x[p] === x[b] && y[p] === y[b])) {
        continue;
      }
      if (this.#turn(a, k, p) >= 0 && this.#turn(k, b, p) >= 0 && this.#turn(b, a, p) >= 0) return false;
    }
    return true;
  }
}

function fan(count: number, out: Uint32Array, outStart: number): void {
  for (let k = 1, o = outStart; k + 1 < count; k++) {
    out[o++] = 0;
    out[o++] = k;
    out[o++] = k + 1;
  }
}
