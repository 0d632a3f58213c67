/**
 * Blends parameters of the character's bones with the weights of the projections, one set of weights per part:
 *   y_j = y_0j + Σᵢ (Σ_p a_ijp w_ip) (y_ij − y_0j),
 * where 0 is the neutral pair and a_ijp the share of part p in the motion of bone j in pair i. The shares of a bone and
 * pair sum to 1, so that an example pose gives exactly its character's pose; with a single part all are 1 and this is
 * Σᵢ wᵢ y_ij.
 *
 * Reference: Sun. Example-based approach for real-time rigged character animation. 2017, equations 4.10 and 4.11.
 */
export class PoseBlend {
  readonly #pairs: number;
  readonly #bones: number;
  readonly #channels: number;
  readonly #parts: number;
  /** m × C parameters of the neutral pair */
  readonly #base: Float64Array;
  /** m × N × C */
  readonly #deltas: Float64Array;
  /** m × N × P */
  readonly #shares: Float64Array;

  /**
   * @param values   N × m × C parameters of each pair's bones
   * @param pairs    N
   * @param bones    m
   * @param neutral  index of the neutral pair
   * @param shares   m × N × P
   */
  constructor(values: Float64Array, pairs: number, bones: number, neutral: number, shares: Float64Array) {
    const C = values.length / (pairs * bones);
    this.#pairs = pairs;
    this.#bones = bones;
    this.#channels = C;
    this.#parts = shares.length / (bones * pairs);
    this.#base = values.slice(neutral * bones * C, (neutral + 1) * bones * C);
    this.#shares = shares;
    this.#deltas = new Float64Array(values.length);
    for (let i = 0; i < pairs; i++) {
      for (let j = 0; j < bones; j++) {
        for (let c = 0; c < C; c++) {
          this.#deltas[(j * pairs + i) * C + c] = values[(i * bones + j) * C + c] - this.#base[j * C + c];
        }
      }
    }
  }

  /**
   * @param weights  P × N
   * @param out      m × C; overwritten
   */
  blend(weights: Float64Array, out: Float64Array): void {
    const N = this.#pairs;
    const C = this.#channels;
    const P = this.#parts;
    const deltas = this.#deltas;
    const shares = this.#shares;
    out.set(this.#base);
    for (let j = 0, k = 0; j < this.#bones; j++) {
      for (let i = 0; i < N; i++, k++) {
        let weight = 0;
        for (let p = 0; p < P; p++) weight += shares[k * P + p] * weights[p * N + i];
        if (weight === 0) continue;
        for (let c = 0; c < C; c++) out[j * C + c] += weight * deltas[k * C + c];
      }
    }
  }
}
