/**
 * Opens the tetrahedra that are left turned inside out where a body is folded hard: a handful in a hundred thousand. The
 * energy has no wall against it, so that rounds may end with some.
 *
 * Each tetrahedron about them is asked for det ≥ LEAST · det at rest. One that has less moves its free vertices along the
 * gradients of its determinant by as much as is missing; sweeps go on until all have enough, and reach out to neighbours
 * that lose theirs. Vertices elsewhere stay where they are.
 *
 * Reference: Müller, Heidelberger, Hennix, Ratcliff. Position based dynamics. 2007 (§3.3, inequality constraints).
 */
import { type TetMesh, tetrahedronCount, tetrahedronDeterminant } from '@pelt/model';

/**
 * Share of its volume at rest that an opened tetrahedron and those about it have. With 0.02 an armpit of a dancing
 * character kept dozens inverted: whoever gives way must hand on the squeeze in time.
 */
const LEAST = 0.1;
/** What is asked for while sweeping, so that rounding does not decide. */
const WANTED = 1.2 * LEAST;
const SWEEPS = 1000;

export class Untangler {
  readonly #body: TetMesh;
  readonly #isFixed: Uint8Array;
  /** Tetrahedra of each vertex, made when first needed. */
  #around: { readonly starts: Uint32Array; readonly list: Uint32Array } | undefined;

  /** @param fixed  vertices that stay */
  constructor(body: TetMesh, fixed: Uint32Array) {
    this.#body = body;
    this.#isFixed = new Uint8Array(body.positions.length / 3);
    for (const v of fixed) this.#isFixed[v] = 1;
  }

  /**
   * @param positions  v × 3; changed about inverted tetrahedra alone
   */
  open(positions: Float64Array): void {
    let asked = new Set<number>();
    for (let e = 0; e < tetrahedronCount(this.#body); e++) {
      if (!(tetrahedronDeterminant(positions, this.#body.tetrahedra, e) > 0)) asked.add(e);
    }
    for (let sweep = 0; sweep < SWEEPS && asked.size > 0; sweep++) {
      const moved = new Set<number>();
      for (const e of asked) this.#enlarge(positions, e, moved);
      asked = this.#lacking(positions, moved);
    }
  }

  /** Moves the free vertices of a tetrahedron until its determinant is what is wanted, to first order. */
  #enlarge(x: Float64Array, e: number, moved: Set<number>): void {
    const { positions: rest, tetrahedra } = this.#body;
    const wanted = WANTED * tetrahedronDeterminant(rest, tetrahedra, e);
    const missing = wanted - tetrahedronDeterminant(x, tetrahedra, e);
    if (missing <= 0) return;
    const corners = [0, 1, 2, 3].map((slot) => tetrahedra[4 * e + slot]);
    const gradients = corners.map((_, slot) => determinantGradient(x, corners, slot));
    let squared = 0;
    corners.forEach((v, slot) => {
      if (!this.#isFixed[v]) for (const value of gradients[slot]) squared += value * value;
    });
    if (squared === 0) return;
    corners.forEach((v, slot) => {
      if (this.#isFixed[v]) return;
      for (let axis = 0; axis < 3; axis++) x[3 * v + axis] += (missing / squared) * gradients[slot][axis];
      moved.add(v);
    });
  }

  /** The tetrahedra at given vertices that have too little of their volume. */
  #lacking(positions: Float64Array, vertices: ReadonlySet<number>): Set<number> {
    this.#around ??= tetrahedraAround(this.#body);
    const { starts, list } = this.#around;
    const { positions: rest, tetrahedra } = this.#body;
    const found = new Set<number>();
    for (const v of vertices) {
      for (let k = starts[v]; k < starts[v + 1]; k++) {
        const e = list[k];
        const least = LEAST * tetrahedronDeterminant(rest, tetrahedra, e);
        if (tetrahedronDeterminant(positions, tetrahedra, e) < least) found.add(e);
      }
    }
    return found;
  }
}

/** By the place of one corner: a face's normal, twice its area long, towards that corner. */
function determinantGradient(x: Float64Array, corners: readonly number[], slot: number): number[] {
  // Even permutations that bring a slot to the end.
  const [a, b, c] = [
    [1, 3, 2],
    [0, 2, 3],
    [0, 3, 1],
    [0, 1, 2],
  ][slot].map((other) => 3 * corners[other]);
  const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
  const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

function tetrahedraAround({ positions, tetrahedra }: TetMesh): { starts: Uint32Array; list: Uint32Array } {
  const starts = new Uint32Array(positions.length / 3 + 1);
  for (const v of tetrahedra) starts[v + 1]++;
  for (let v = 1; v < starts.length; v++) starts[v] += starts[v - 1];
  const next = starts.slice();
  const list = new Uint32Array(tetrahedra.length);
  tetrahedra.forEach((v, k) => {
    list[next[v]++] = k >> 2;
  });
  return { starts, list };
}
