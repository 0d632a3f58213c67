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
  readonly #gradients = new Float64Array(12);
  /** Determinants at rest. */
  readonly #whole: Float64Array;
  /** Tetrahedra of each vertex, made when first needed. */
  #around: { readonly starts: Uint32Array; readonly list: Uint32Array } | undefined;

  /** @param fixed  vertices that stay */
  constructor(body: TetMesh, fixed: Uint32Array) {
    this.#body = body;
    this.#isFixed = new Uint8Array(body.positions.length / 3);
    for (const v of fixed) this.#isFixed[v] = 1;
    const rest = Float64Array.from(body.positions);
    this.#whole = Float64Array.from({ length: tetrahedronCount(body) }, (_, e) =>
      tetrahedronDeterminant(rest, body.tetrahedra, e),
    );
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
    const { tetrahedra } = this.#body;
    const missing = WANTED * this.#whole[e] - tetrahedronDeterminant(x, tetrahedra, e);
    if (missing <= 0) return;
    const gradients = this.#gradients;
    determinantGradients(x, tetrahedra, e, gradients);
    let squared = 0;
    for (let slot = 0; slot < 4; slot++) {
      if (this.#isFixed[tetrahedra[4 * e + slot]]) continue;
      for (let k = 3 * slot; k < 3 * slot + 3; k++) squared += gradients[k] * gradients[k];
    }
    if (squared === 0) return;
    for (let slot = 0; slot < 4; slot++) {
      const v = tetrahedra[4 * e + slot];
      if (this.#isFixed[v]) continue;
      for (let axis = 0; axis < 3; axis++) x[3 * v + axis] += (missing / squared) * gradients[3 * slot + axis];
      moved.add(v);
    }
  }

  /** The tetrahedra at given vertices that have too little of their volume. */
  #lacking(positions: Float64Array, vertices: ReadonlySet<number>): Set<number> {
    this.#around ??= tetrahedraAround(this.#body);
    const { starts, list } = this.#around;
    const { tetrahedra } = this.#body;
    const found = new Set<number>();
    for (const v of vertices) {
      for (let k = starts[v]; k < starts[v + 1]; k++) {
        const e = list[k];
        if (tetrahedronDeterminant(positions, tetrahedra, e) < LEAST * this.#whole[e]) found.add(e);
      }
    }
    return found;
  }
}

/**
 * The determinant's derivatives by the places of the corners: normals of the opposite faces, twice their areas long. They
 * add up to nothing.
 *
 * @param out  4 × 3; overwritten
 */
function determinantGradients(x: Float64Array, tetrahedra: Uint32Array, e: number, out: Float64Array): void {
  const [a, b, c, d] = [
    3 * tetrahedra[4 * e],
    3 * tetrahedra[4 * e + 1],
    3 * tetrahedra[4 * e + 2],
    3 * tetrahedra[4 * e + 3],
  ];
  for (let k = 0; k < 3; k++) {
    const [p, q] = [(k + 1) % 3, (k + 2) % 3];
    const [up, uq] = [x[b + p] - x[a + p], x[b + q] - x[a + q]];
    const [vp, vq] = [x[c + p] - x[a + p], x[c + q] - x[a + q]];
    const [wp, wq] = [x[d + p] - x[a + p], x[d + q] - x[a + q]];
    // det = u · (v × w)
    out[3 + k] = vp * wq - vq * wp;
    out[6 + k] = wp * uq - wq * up;
    out[9 + k] = up * vq - uq * vp;
    out[k] = -(out[3 + k] + out[6 + k] + out[9 + k]);
  }
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
