/**
 * A read-out with few states: the weights of one pole, from all inputs to all modes, have nearly the rank of the modes
 * that this pole stands for, M ≈ V U; only the channels V of the inputs need resonators.
 */
import { symmetricEigen } from '@pelt/math';

/** Fraction of the squared response of a pole that may be lost. */
const LOST = 1e-4;

/**
 * @param weights  2q × R: for each of q channels, those of s − g and of ṡ/Ω
 * @param scales   q, root mean squares of the channels
 * @returns `channels` r × q, and `readOut` R × 2r
 */
export function fewerChannels(
  weights: Float64Array,
  scales: Float64Array,
  R: number,
): { count: number; channels: Float64Array; readOut: Float64Array } {
  const q = scales.length;
  const gram = new Float64Array(q * q);
  const rowOf = (c: number) => weights.subarray(2 * c * R, 2 * (c + 1) * R);
  for (let a = 0; a < q; a++) {
    for (let b = 0; b <= a; b++) {
      const [x, y] = [rowOf(a), rowOf(b)];
      let sum = 0;
      for (let k = 0; k < 2 * R; k++) sum += x[k] * y[k];
      gram[a * q + b] = scales[a] * scales[b] * sum;
    }
  }
  const { values, vectors } = symmetricEigen(gram, q);
  const total = values.reduce((sum, value) => sum + Math.max(0, value), 0);
  let [count, kept] = [0, 0];
  while (count < q && total - kept > LOST * total) kept += Math.max(0, values[q - 1 - count++]);
  const channels = new Float64Array(count * q);
  const readOut = new Float64Array(R * 2 * count);
  for (let k = 0; k < count; k++) {
    for (let c = 0; c < q; c++) {
      const v = vectors[c * q + q - 1 - k];
      if (scales[c] === 0) continue;
      channels[k * q + c] = v / scales[c];
      const row = rowOf(c);
      for (let r = 0; r < R; r++) {
        readOut[r * 2 * count + 2 * k] += v * scales[c] * row[r];
        readOut[r * 2 * count + 2 * k + 1] += v * scales[c] * row[R + r];
      }
    }
  }
  return { count, channels, readOut };
}
