/**
 * The stretch of a bone from its logarithm: S = exp(L), L symmetric, by scaling and squaring. Blended logarithms give
 * positive definite stretches for all weights: a bar compressed to a half and extrapolated by two is compressed to a
 * quarter.
 */
import { exponentAbove, multiply3, setIdentity3 } from '@pelt/math';

/** Terms of the series; for ‖L‖ ≤ ½ the remainder is below 1e-16. */
const TERMS = 13;

export class StretchExponential {
  readonly #log = new Float64Array(9);
  readonly #sum = new Float64Array(9);
  readonly #product = new Float64Array(9);

  /**
   * linear ← linear · exp(L).
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
    const halvings = norm > 0.5 ? exponentAbove(2 * norm) : 0;
    const L = this.#log;
    const scale = 0.5 ** halvings;
    L[0] = scale * logs[at];
    L[1] = L[3] = scale * logs[at + 1];
    L[2] = L[6] = scale * logs[at + 2];
    L[4] = scale * logs[at + 3];
    L[5] = L[7] = scale * logs[at + 4];
    L[8] = scale * logs[at + 5];

    // Horner: I + L/1 (I + L/2 (I + L/3 (…)))
    const sum = this.#sum;
    setIdentity3(sum, 0);
    for (let term = TERMS; term >= 1; term--) {
      multiply3(L, 0, sum, 0, this.#product, 0);
      setIdentity3(sum, 0);
      for (let k = 0; k < 9; k++) sum[k] += this.#product[k] / term;
    }
    for (let k = 0; k < halvings; k++) multiply3(sum, 0, sum, 0, sum, 0);
    multiply3(linear, 0, sum, 0, linear, 0);
  }
}
