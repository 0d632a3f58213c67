/**
 * Logarithms and exponentials of symmetric 3 × 3 matrices, six entries each: xx xy xz yy yz zz. The singular vectors of a
 * symmetric matrix are its eigenvectors.
 */
import { exp, log, svd3 } from '@pelt/math';

/** Stretches beyond these are noise of degenerate or inverted tetrahedra. */
const LEAST = 0.1;
const MOST = 10;

export class StretchLogs {
  readonly #matrix = new Float64Array(9);
  readonly #u = new Float64Array(9);
  readonly #v = new Float64Array(9);
  readonly #values = new Float64Array(3);

  /** @param s  six entries from `at`, with eigenvalues that are clamped to the allowed range */
  log(s: ArrayLike<number>, at: number, out: Float32Array | Float64Array, outAt: number): void {
    this.#decompose(s, at, 0);
    for (let k = 0; k < 3; k++) this.#values[k] = log(Math.min(Math.max(this.#values[k], LEAST), MOST));
    this.#compose(out, outAt);
  }

  exp(log: ArrayLike<number>, at: number, out: Float64Array, outAt: number): void {
    // Shifted to be positive definite, so that no two eigenvalues have the same modulus and opposite signs.
    let squares = 0;
    for (let k = 0; k < 6; k++) squares += 2 * log[at + k] * log[at + k];
    const shift = Math.sqrt(squares) + 1;
    this.#decompose(log, at, shift);
    for (let k = 0; k < 3; k++) this.#values[k] = exp(this.#values[k] - shift);
    this.#compose(out, outAt);
  }

  /** Eigenvalues and eigenvectors of the matrix plus `shift` times the identity. */
  #decompose(s: ArrayLike<number>, at: number, shift: number): void {
    const a = this.#matrix;
    a[0] = s[at] + shift;
    a[4] = s[at + 3] + shift;
    a[8] = s[at + 5] + shift;
    a[1] = a[3] = s[at + 1];
    a[2] = a[6] = s[at + 2];
    a[5] = a[7] = s[at + 4];
    svd3(a, 0, this.#u, this.#values, this.#v);
    for (let k = 0; k < 3; k++) {
      // A left singular vector is the right one or its negative, which is the sign of the eigenvalue.
      const u = this.#u;
      const v = this.#v;
      const side = u[k] * v[k] + u[3 + k] * v[3 + k] + u[6 + k] * v[6 + k];
      if (side < 0) this.#values[k] = -this.#values[k];
    }
  }

  /** V diag(values) Vᵀ */
  #compose(out: Float32Array | Float64Array, outAt: number): void {
    const v = this.#v;
    const values = this.#values;
    let entry = outAt;
    for (let r = 0; r < 9; r += 3) {
      for (let c = r; c < 9; c += 3) {
        out[entry++] = v[r] * values[0] * v[c] + v[r + 1] * values[1] * v[c + 1] + v[r + 2] * values[2] * v[c + 2];
      }
    }
  }
}
