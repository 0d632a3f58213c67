/**
 * Delaunay tetrahedralisation: no circumsphere contains a point.
 *
 * Bowyer–Watson insertion: the tetrahedra whose circumspheres contain the new point form a star-shaped cavity, which is
 * filled with tetrahedra from its boundary to the point. All predicates are exact, so that cospherical and coplanar
 * points are handled. Ghost tetrahedra connect hull triangles to a vertex at infinity, so that the hull is not a special
 * case.
 *
 * References: Bowyer. Computing Dirichlet tessellations. 1981. Watson. Computing the n-dimensional Delaunay tessellation.
 * 1981. Shewchuk. Adaptive precision floating-point arithmetic and fast robust geometric predicates. 1997 (predicates;
 * the package's orient3d is negative, and its insphere positive inside, for a tetrahedron of positive volume).
 */
import { insphere, orient3d } from 'robust-predicates';
import { FaceTable, NOBODY } from './face-table.ts';
import { firstSimplex } from './first-simplex.ts';

/** The vertex at infinity. A ghost always has it in slot 3. */
export const INFINITE = -1;

/** For vertex i of a tetrahedron the other three, ordered such that (vertex i, these) has positive volume. */
export const OPPOSITE = [1, 2, 3, 0, 3, 2, 0, 1, 3, 0, 2, 1] as const;

export class Delaunay {
  /** 3 numbers per point; the owner may append points. */
  readonly points: Float64Array;
  /** 4 vertices per tetrahedron, positive volume; −2 in the first marks a free slot. */
  vertices: Int32Array;
  /** 4 per tetrahedron: 4 × neighbour + the index of the neighbour's vertex opposite the shared face. */
  adjacent: Int32Array;
  /** Number of slots in use or freed. */
  places = 0;
  /** Tetrahedra of the last insertion. */
  readonly fresh: number[] = [];
  readonly #free: number[] = [];
  readonly #cavity: number[] = [];
  /** Time stamp per tetrahedron: 2k + 1 in the cavity of insertion k, 2k tested and not in it. */
  #seen: Int32Array;
  #stamp = 0;
  #last = 0;
  readonly #faces = new FaceTable();

  constructor(points: Float64Array, expected: number) {
    this.points = points;
    const capacity = Math.max(8 * expected, 64);
    this.vertices = new Int32Array(4 * capacity);
    this.adjacent = new Int32Array(4 * capacity);
    this.#seen = new Int32Array(capacity);
  }

  /**
   * Creates the first tetrahedron and its four ghosts, from the first points of `order` that are not coplanar.
   *
   * @returns  the four points used, or undefined where all points are coplanar
   */
  start(order: Uint32Array): readonly number[] | undefined {
    const simplex = firstSimplex(this.points, order);
    if (!simplex) return undefined;
    const [a, b, c, d] = simplex;
    const solid = this.#place(a, b, c, d);
    for (let slot = 0; slot < 4; slot++) {
      // Seen from outside the face has the opposite orientation.
      const [p, q, r] = [0, 2, 1].map((k) => simplex[OPPOSITE[3 * slot + k]]);
      const ghost = this.#place(q, p, r, INFINITE);
      this.adjacent[4 * ghost + 3] = 4 * solid + slot;
      this.adjacent[4 * solid + slot] = 4 * ghost + 3;
    }
    for (let ghost = 1; ghost <= 4; ghost++) {
      for (let slot = 0; slot < 3; slot++) this.#joinGhost(ghost, slot);
    }
    return simplex;
  }

  /** Inserts point v. False where it coincides with an earlier point. `fresh` has the new tetrahedra. */
  insert(v: number): boolean {
    const { points } = this;
    const x = points[3 * v];
    const y = points[3 * v + 1];
    const z = points[3 * v + 2];
    const start = this.locate(x, y, z);
    this.fresh.length = 0;
    if (!this.#conflicts(start, x, y, z)) return false;
    this.#stamp += 2;
    const stamp = this.#stamp;
    const cavity = this.#cavity;
    cavity.length = 0;
    cavity.push(start);
    this.#seen[start] = stamp + 1;
    this.#faces.clear();
    for (let k = 0; k < cavity.length; k++) {
      const t = cavity[k];
      for (let slot = 0; slot < 4; slot++) {
        const across = this.adjacent[4 * t + slot];
        const neighbour = across >> 2;
        const seen = this.#seen[neighbour];
        if (seen === stamp + 1) continue;
        if (seen !== stamp && this.#conflicts(neighbour, x, y, z)) {
          this.#seen[neighbour] = stamp + 1;
          cavity.push(neighbour);
          continue;
        }
        this.#seen[neighbour] = stamp;
        this.#fill(v, t, slot, across);
      }
    }
    for (const t of cavity) {
      this.vertices[4 * t] = -2;
      this.#free.push(t);
    }
    this.#last = this.fresh[0];
    return true;
  }

  /** The tetrahedron that contains a point, or a ghost that sees it, by walking from the last one created. */
  locate(x: number, y: number, z: number): number {
    const { points, vertices, adjacent } = this;
    let t = this.#last;
    if (vertices[4 * t + 3] === INFINITE) t = adjacent[4 * t + 3] >> 2;
    let from = -1;
    walk: for (;;) {
      if (vertices[4 * t + 3] === INFINITE) return t;
      for (let slot = 0; slot < 4; slot++) {
        const across = adjacent[4 * t + slot];
        if (across >> 2 === from) continue;
        const a = 3 * vertices[4 * t + OPPOSITE[3 * slot]];
        const b = 3 * vertices[4 * t + OPPOSITE[3 * slot + 1]];
        const c = 3 * vertices[4 * t + OPPOSITE[3 * slot + 2]];
        // biome-ignore format: one point per line
        const side = orient3d(
          x, y, z,
          points[a], points[a + 1], points[a + 2],
          points[b], points[b + 1], points[b + 2],
          points[c], points[c + 1], points[c + 2],
        );
        if (side > 0) {
          from = t;
          t = across >> 2;
          continue walk;
        }
      }
      return t;
    }
  }

  /** Whether the open circumball of t contains the point; that of a ghost is the half-space outside its hull triangle. */
  #conflicts(t: number, x: number, y: number, z: number): boolean {
    const { points, vertices } = this;
    const a = 3 * vertices[4 * t];
    const b = 3 * vertices[4 * t + 1];
    const c = 3 * vertices[4 * t + 2];
    const d = 3 * vertices[4 * t + 3];
    if (d >= 0) {
      // biome-ignore format: one point per line
      return (
        insphere(
          points[a], points[a + 1], points[a + 2],
          points[b], points[b + 1], points[b + 2],
          points[c], points[c + 1], points[c + 2],
          points[d], points[d + 1], points[d + 2],
          x, y, z,
        ) > 0
      );
    }
    // biome-ignore format: one point per line
    const side = orient3d(
      points[a], points[a + 1], points[a + 2],
      points[b], points[b + 1], points[b + 2],
      points[c], points[c + 1], points[c + 2],
      x, y, z,
    );
    // In the plane of the triangle the circumsphere of the solid neighbour decides.
    return side < 0 || (side === 0 && this.#conflicts(this.adjacent[4 * t + 3] >> 2, x, y, z));
  }

  /** Creates the tetrahedron from point v to the face of `t` opposite `slot`, and connects it to its neighbours. */
  #fill(v: number, t: number, slot: number, across: number): void {
    let a = this.vertices[4 * t + OPPOSITE[3 * slot]];
    let b = this.vertices[4 * t + OPPOSITE[3 * slot + 1]];
    let c = this.vertices[4 * t + OPPOSITE[3 * slot + 2]];
    // An even permutation that makes the vertex at infinity the last one.
    if (a === INFINITE) [a, b, c] = [b, c, a];
    else if (b === INFINITE) [a, b, c] = [c, a, b];
    const made = this.#place(v, a, b, c);
    this.fresh.push(made);
    const { adjacent } = this;
    adjacent[4 * made] = across;
    adjacent[across] = 4 * made;
    this.#join(made, 1, v, b, c);
    this.#join(made, 2, v, a, c);
    this.#join(made, 3, v, a, b);
  }

  #join(t: number, slot: number, a: number, b: number, c: number): void {
    const other = this.#faces.exchange(a, b, c, 4 * t + slot);
    if (other === NOBODY) return;
    this.adjacent[4 * t + slot] = other;
    this.adjacent[other] = 4 * t + slot;
  }

  #place(a: number, b: number, c: number, d: number): number {
    let t = this.#free.pop();
    if (t === undefined) {
      t = this.places++;
      if (4 * t === this.vertices.length) {
        this.vertices = doubled(this.vertices);
        this.adjacent = doubled(this.adjacent);
        this.#seen = doubled(this.#seen);
      }
    }
    const { vertices } = this;
    vertices[4 * t] = a;
    vertices[4 * t + 1] = b;
    vertices[4 * t + 2] = c;
    vertices[4 * t + 3] = d;
    this.#seen[t] = 0;
    return t;
  }

  /** At the start only: finds the ghost that shares the face opposite `slot`. */
  #joinGhost(ghost: number, slot: number): void {
    const { vertices, adjacent } = this;
    const edge = [0, 1, 2].filter((k) => k !== slot).map((k) => vertices[4 * ghost + k]);
    for (let other = 1; other <= 4; other++) {
      if (other === ghost) continue;
      const apex = [0, 1, 2].filter((k) => !edge.includes(vertices[4 * other + k]));
      if (apex.length === 1) adjacent[4 * ghost + slot] = 4 * other + apex[0];
    }
  }
}

/** The same numbers with as much room again behind them. */
export function doubled(values: Int32Array): Int32Array {
  const larger = new Int32Array(2 * values.length);
  larger.set(values);
  return larger;
}
