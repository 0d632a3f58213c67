/**
 * The stretch of a bone from its logarithm: S = exp(L), L symmetric, by scaling and squaring. Blended as logarithms,
 * stretches stay positive for all weights: a bar squeezed to a half and asked for twice that is squeezed to a quarter.
 */

/** Terms of the series; with ‖L‖ ≤ ½ the rest is below 1e-16. */
const TERMS = 13;

export class StretchExponential {
  readonly #log = new Float64Array(9);
  readonly #sum = new Float64Array(9);
  readonly #product = new Float64Array(9);

  /**
   * Multiplies `linear` by exp(L) from the right, in place.
   *
   * @param linear  3 × 3 row-major
   * @param logs    L as six numbers, xx xy xz yy yz zz, from index `at`
   */
  composeInPlace(linear: Float64Array, logs: Float64Array, at: number): void {
    const norm = Math.sqrt(
      logs[at] ** 2 +
        logs[at + 3] ** 2 +
        logs[at + 5] ** 2 +
        2 * (logs[at + 1] ** 2 + logs[at + 2] ** 2 + logs[at + 4] ** 2),
    );
    const halvings = norm > 0.5 ? Math.ceil(Math.log2(2 * norm)) : 0;
    const L = this.#log;
    const scale = 0.5 ** halvings;
    L[0] = scale * logs[at];
    L[1] = L[3] = scale * logs[at + 1];
    L[2] = L[6] = scale * logs[at + 2];
    L[4] = scale * logs[at + 3];
    L[5] = L[7] = scale * logs[at + 4];
    L[8] = scale * logs[at + 5];

    // Horner: I + L/1 (I + L/2 (I + L/3 (…)))
    setIdentity(this.#sum);
    for (let term = TERMS; term >= 1; term--) {
      multiply(L, this.#sum, this.#product);
      setIdentity(this.#sum);
      for (let k = 0; k < 9; k++) this.#sum[k] += this.#product[k] / term;
    }
    for (let k = 0; k < halvings; k++) {
      multiply(this.#sum, this.#sum, this.#product);
      this.#sum.set(this.#product);
    }
    multiply(linear, this.#sum, this.#product);
    linear.set(this.#product);
  }
}

function setIdentity(out: Float64Array): void {
  out.fill(0);
  out[0] = out[4] = out[8] = 1;
}

/** out = A B, 3 × 3 row-major; may not alias either. */
function multiply(a: Float64Array, b: Float64Array, out: Float64Array): void {
  for (let r = 0; r < 9; r += 3) {
    for (let c = 0; c < 3; c++) out[r + c] = a[r] * b[c] + a[r + 1] * b[3 + c] + a[r + 2] * b[6 + c];
  }
}
