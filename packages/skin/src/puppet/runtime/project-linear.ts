/**
 * Linear projection: minimise ‖x − Σᵢ wᵢ xᵢ‖² subject to Σw = 1.
 *
 * Reference: Sun. Example-based approach for real-time rigged character animation. 2017, equations 4.3 and 4.4.
 * The KKT matrix depends only on the examples. Its inverse times the examples is an N × D matrix and an offset, so that a
 * pose costs N·D multiplications.
 */
import { solveSmallVector } from '@pelt/math';
import { type ExampleSpace, factorGram, type Projection } from './example-space.ts';

export class LinearProjection implements Projection {
  readonly #space: ExampleSpace;
  /** N × D: w = map · (x − centre) + offset */
  readonly #map: Float64Array;
  readonly #offset: Float64Array;

  constructor(space: ExampleSpace) {
    const { count: N, dimension: D, examples, gram } = space;
    this.#space = space;
    const factor = gram.slice();
    factorGram(factor, N, N);

    // With y = G⁻¹1, the multiplier of Σw = 1 subtracts y/Σy times the excess of Σ(G⁻¹c).
    const ones = new Float64Array(N).fill(1);
    solveSmallVector(factor, N, N, ones);
    const total = ones.reduce((sum, y) => sum + y, 0);
    this.#offset = ones.map((y) => y / total);

    this.#map = new Float64Array(N * D);
    const column = new Float64Array(N);
    for (let d = 0; d < D; d++) {
      for (let i = 0; i < N; i++) column[i] = examples[i * D + d];
      solveSmallVector(factor, N, N, column);
      const surplus = column.reduce((sum, value) => sum + value, 0);
      for (let i = 0; i < N; i++) this.#map[i * D + d] = column[i] - surplus * this.#offset[i];
    }
  }

  project(features: Float64Array, weights: Float64Array): void {
    const { count, dimension, centre } = this.#space;
    const map = this.#map;
    for (let i = 0, k = 0; i < count; i++) {
      let sum = this.#offset[i];
      for (let d = 0; d < dimension; d++, k++) sum += map[k] * (features[d] - centre[d]);
      weights[i] = sum;
    }
  }

  reset(): void {}
}
