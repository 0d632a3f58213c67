/**
 * A tetrahedral mesh with adjacency that is modified locally by mesh improvement. Points [0, fixedCount) belong to the
 * surface and never move.
 */
import { doubled, OPPOSITE } from './delaunay.ts';
import { FaceTable, NOBODY } from './face-table.ts';

/** Adjacency of a boundary face. */
export const OUTSIDE = -1;

export class Complex {
  /** 3 numbers per point */
  points: Float64Array;
  pointCount: number;
  readonly fixedCount: number;
  /** 4 vertices per slot, positive volume; −1 in the first marks a free slot */
  vertices: Int32Array;
  /** 4 per slot: 4 × neighbour + the index of its opposite vertex, or `OUTSIDE` */
  adjacent: Int32Array;
  /** Number of slots in use or freed. */
  places = 0;
  /** A tetrahedron at each point, −1 for none; for a non-manifold fixed point, that of one of its fans. */
  #at: Int32Array;
  /** Number of tetrahedra at each point. */
  #uses: Int32Array;
  readonly #free: number[] = [];
  readonly #faces = new FaceTable();
  /** Time stamps of the searches below. */
  #mark: Int32Array;
  #round = 0;

  /**
   * @param points      3 numbers per point; copied
   * @param tetrahedra  4 vertices each, positive volume
   */
  constructor(points: Float64Array, fixedCount: number, tetrahedra: Int32Array) {
    const capacity = Math.max(Math.ceil(tetrahedra.length / 3), 64);
    this.pointCount = points.length / 3;
    this.points = new Float64Array(Math.max(2 * points.length, 48));
    this.points.set(points);
    this.fixedCount = fixedCount;
    this.vertices = new Int32Array(4 * capacity);
    this.adjacent = new Int32Array(4 * capacity);
    this.#mark = new Int32Array(capacity);
    this.#at = new Int32Array(this.points.length / 3).fill(-1);
    this.#uses = new Int32Array(this.points.length / 3);
    this.replace([], tetrahedra);
  }

  isAlive(t: number): boolean {
    return this.vertices[4 * t] >= 0;
  }

  /** Number of tetrahedra at point v. */
  usesOf(v: number): number {
    return this.#uses[v];
  }

  /**
   * Replaces the tetrahedra `old` by `made` (4 vertices each). Both must have the same boundary, except that faces which
   * `made` leaves open become boundary of the complex.
   *
   * @returns  slots of the new tetrahedra, in the order of `made`
   */
  replace(old: readonly number[], made: ArrayLike<number>): number[] {
    const faces = this.#faces;
    faces.clear();
    const round = ++this.#round;
    for (const t of old) this.#mark[t] = round;
    for (const t of old) {
      for (let slot = 0; slot < 4; slot++) {
        const across = this.adjacent[4 * t + slot];
        const v = 4 * t;
        this.#at[this.vertices[v + slot]] = -1;
        this.#uses[this.vertices[v + slot]]--;
        if (across === OUTSIDE || this.#mark[across >> 2] === round) continue;
        this.adjacent[across] = OUTSIDE;
        const [a, b, c] = [0, 1, 2].map((k) => this.vertices[v + OPPOSITE[3 * slot + k]]);
        faces.exchange(a, b, c, across);
      }
    }
    // A vertex whose stored tetrahedron is removed gets another one across the boundary of the cavity, or a new one.
    for (const t of old) {
      for (let slot = 0; slot < 4; slot++) {
        const across = this.adjacent[4 * t + slot];
        if (across === OUTSIDE || this.#mark[across >> 2] === round) continue;
        for (let k = 0; k < 3; k++) this.#at[this.vertices[4 * t + OPPOSITE[3 * slot + k]]] = across >> 2;
      }
    }
    for (const t of old) {
      this.vertices[4 * t] = -1;
      this.#free.push(t);
    }
    const places: number[] = [];
    for (let k = 0; k < made.length; k += 4) places.push(this.#place(made[k], made[k + 1], made[k + 2], made[k + 3]));
    for (const t of places) {
      for (let slot = 0; slot < 4; slot++) {
        const a = this.vertices[4 * t + OPPOSITE[3 * slot]];
        const b = this.vertices[4 * t + OPPOSITE[3 * slot + 1]];
        const c = this.vertices[4 * t + OPPOSITE[3 * slot + 2]];
        const other = faces.exchange(a, b, c, 4 * t + slot);
        this.adjacent[4 * t + slot] = other === NOBODY ? OUTSIDE : other;
        if (other >= 0) this.adjacent[other] = 4 * t + slot;
      }
    }
    return places;
  }

  /** Adds a movable point. */
  addPoint(x: number, y: number, z: number): number {
    const v = this.pointCount++;
    if (3 * v === this.points.length) {
      const larger = new Float64Array(2 * this.points.length);
      larger.set(this.points);
      this.points = larger;
      const at = new Int32Array(larger.length / 3).fill(-1);
      at.set(this.#at);
      this.#at = at;
      const uses = new Int32Array(at.length);
      uses.set(this.#uses);
      this.#uses = uses;
    }
    this.points.set([x, y, z], 3 * v);
    return v;
  }

  /** Collects the tetrahedra at point v in `star`. False where v is fixed or on the boundary; `star` is then invalid. */
  innerStarOf(v: number, star: number[]): boolean {
    star.length = 0;
    if (v < this.fixedCount) return false;
    const round = ++this.#round;
    star.push(this.#at[v]);
    this.#mark[star[0]] = round;
    for (let k = 0; k < star.length; k++) {
      const t = star[k];
      for (let slot = 0; slot < 4; slot++) {
        if (this.vertices[4 * t + slot] === v) continue;
        const across = this.adjacent[4 * t + slot];
        if (across === OUTSIDE) return false;
        if (this.#mark[across >> 2] === round) continue;
        this.#mark[across >> 2] = round;
        star.push(across >> 2);
      }
    }
    return true;
  }

  /**
   * Collects the tetrahedra around edge {a, b} of tetrahedron t in cyclic order, with `link[k]` and `link[k + 1]` the other
   * two vertices of `ring[k]`: (a, b, link[k], link[k + 1]) has positive volume. False for a boundary edge.
   */
  ringOf(t: number, a: number, b: number, ring: number[], link: number[]): boolean {
    ring.length = 0;
    link.length = 0;
    const { vertices, adjacent } = this;
    let current = t;
    let [p, q] = this.#others(t, a, b);
    const first = p;
    for (;;) {
      ring.push(current);
      link.push(p);
      if (q === first && ring.length > 2) return true;
      // Across the face a b q, opposite p.
      let slot = 0;
      while (vertices[4 * current + slot] !== p) slot++;
      const across = adjacent[4 * current + slot];
      if (across === OUTSIDE) return false;
      current = across >> 2;
      p = q;
      q = vertices[across];
    }
  }

  /** The two other vertices of t, ordered such that (a, b, p, q) has positive volume. */
  #others(t: number, a: number, b: number): [number, number] {
    const v = this.vertices;
    let i = 0;
    while (v[4 * t + i] !== a) i++;
    let k = 0;
    while (v[4 * t + OPPOSITE[3 * i + k]] !== b) k++;
    return [v[4 * t + OPPOSITE[3 * i + ((k + 1) % 3)]], v[4 * t + OPPOSITE[3 * i + ((k + 2) % 3)]]];
  }

  #place(a: number, b: number, c: number, d: number): number {
    let t = this.#free.pop();
    if (t === undefined) {
      t = this.places++;
      if (4 * t === this.vertices.length) {
        this.vertices = doubled(this.vertices);
        this.adjacent = doubled(this.adjacent);
        this.#mark = doubled(this.#mark);
      }
    }
    const corners = [a, b, c, d];
    for (let slot = 0; slot < 4; slot++) {
      this.vertices[4 * t + slot] = corners[slot];
      this.#at[corners[slot]] = t;
      this.#uses[corners[slot]]++;
    }
    return t;
  }
}
