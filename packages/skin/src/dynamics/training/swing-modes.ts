/** Principal modes of swing codes in the metric of the surface. */
import { symmetricEigen } from '@pelt/math';
import type { Run } from '@pelt/model';

export interface SwingModes {
  /** R × 12D; an amplitude of 1 moves the sampled vertices by a summed square of 1 */
  readonly modes: Float64Array;
  /** S × R of all frames */
  readonly amplitudes: Float64Array;
  /** Fraction of the squared motion that the modes leave out. */
  readonly lost: number;
}

/** Modes together leave out at most this fraction. */
const LOST = 3e-4;

/**
 * @param codes   S × size
 * @param rest    size, the code about which modes are
 * @param metric  L, size × size, lower triangular
 * @param most    R, at most
 */
export function swingModes(
  codes: Float64Array,
  rest: Float64Array,
  metric: Float64Array,
  size: number,
  most: number,
  run: Run,
): SwingModes {
  const S = codes.length / size;
  // y = Lᵀ (x − x̄), x̄ at rest
  const y = new Float64Array(codes.length);
  for (let t = 0; t < S; t++) {
    for (let k = 0; k < size; k++) {
      const x = codes[t * size + k] - rest[k];
      if (x === 0) continue;
      for (let c = 0; c <= k; c++) y[t * size + c] += metric[k * size + c] * x;
    }
  }
  // Of fewer frames than numbers, the Gram matrix of the frames has the same eigenvalues, and is smaller.
  const few = S < size;
  const { values, vectors } = symmetricEigen(
    few ? outerProducts(y, S, size) : innerProducts(y, S, size),
    few ? S : size,
    run.numerics,
  );
  const order = values.length;
  const total = values.reduce((sum, value) => sum + Math.max(0, value), 0);
  let [R, kept] = [0, 0];
  while (R < Math.min(most, order) && total - kept > LOST * total) kept += Math.max(0, values[order - 1 - R++]);
  const modes = new Float64Array(R * size);
  const amplitudes = new Float64Array(S * R);
  for (let r = 0; r < R; r++) {
    const v = Float64Array.from({ length: order }, (_, k) => vectors[k * order + order - 1 - r]);
    const u = few ? backProjected(y, v, values[order - 1 - r], size) : v;
    for (let t = 0; t < S; t++) {
      let sum = 0;
      for (let k = 0; k < size; k++) sum += u[k] * y[t * size + k];
      amplitudes[t * R + r] = sum;
    }
    // x = L⁻ᵀ u
    for (let k = size - 1; k >= 0; k--) {
      u[k] /= metric[k * size + k];
      for (let c = 0; c < k; c++) u[c] -= metric[k * size + c] * u[k];
    }
    modes.set(u, r * size);
  }
  return { modes, amplitudes, lost: total > 0 ? (total - kept) / total : 0 };
}

/** Lower triangle of Σ_t y_t y_tᵀ. */
function innerProducts(y: Float64Array, S: number, size: number): Float64Array {
  const out = new Float64Array(size * size);
  for (let t = 0; t < S; t++) {
    for (let r = 0; r < size; r++) {
      const value = y[t * size + r];
      if (value === 0) continue;
      for (let c = 0; c <= r; c++) out[r * size + c] += value * y[t * size + c];
    }
  }
  return out;
}

/** Lower triangle of the products of all frames. */
function outerProducts(y: Float64Array, S: number, size: number): Float64Array {
  const out = new Float64Array(S * S);
  for (let r = 0; r < S; r++) {
    for (let c = 0; c <= r; c++) {
      let sum = 0;
      for (let k = 0; k < size; k++) sum += y[r * size + k] * y[c * size + k];
      out[r * S + c] = sum;
    }
  }
  return out;
}

/** Yᵀv / √λ: the eigenvector of YᵀY that belongs to v of YYᵀ. */
function backProjected(y: Float64Array, v: Float64Array, value: number, size: number): Float64Array {
  const out = new Float64Array(size);
  for (let t = 0; t < v.length; t++) {
    const factor = v[t] / Math.sqrt(value);
    for (let k = 0; k < size; k++) out[k] += factor * y[t * size + k];
  }
  return out;
}
