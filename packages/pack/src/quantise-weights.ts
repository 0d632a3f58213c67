/**
 * Skin weights in whole steps whose sum stays exact: minimise ‖Σ_s d_s T_s v‖² over sampled poses, d the rounding errors
 * of a vertex, subject to Σ d = 0. Rounding by largest remainders starts; then one step at a time moves from one slot to
 * another as long as that helps. Weights of bones that move alike so round towards each other.
 */
import type { SurfaceModel } from './surface-model.ts';

export interface RoundedWeights {
  /** n × K whole numbers; a row sums to `whole` */
  readonly values: Uint16Array;
  /** What the rounding moves: Σ over the vertices, mean over the poses. */
  readonly error: number;
}

/** Steps that a vertex may be moved by; more are not needed, for rounding is at most half a step off. */
const MOST_MOVES = 8;

export interface WeightFormat {
  /** What a row sums to. */
  readonly whole: number;
  /** Weights are multiples of it, but for the largest of a row. */
  readonly step: number;
}

/**
 * @param weights    n × K, each row sums to 1
 * @param bones      n × K, bones of the surface model
 * @param positions  n × 3, at rest
 * @returns for each format
 */
export function roundWeights(
  weights: Float32Array,
  bones: Uint16Array,
  positions: Float32Array,
  K: number,
  formats: readonly WeightFormat[],
  { poses, poseCount }: SurfaceModel,
): RoundedWeights[] {
  const n = weights.length / K;
  const rounded = formats.map((format) => ({ ...format, values: new Uint16Array(weights.length), error: 0 }));
  const size = poses.length / poseCount;
  const gram = new Float64Array(K * K);
  const moved = new Float64Array(3 * K);
  const d = new Float64Array(K);
  for (let i = 0; i < n; i++) {
    const row = i * K;
    let used = 0;
    while (used < K && weights[row + used] > 0) used++;
    if (used <= 1) {
      for (const { values, whole } of rounded) values[row] = whole;
      continue;
    }
    gram.fill(0);
    for (let p = 0; p < poseCount; p++) {
      for (let s = 0; s < used; s++) transform(poses, p * size + 12 * bones[row + s], positions, 3 * i, moved, 3 * s);
      // From the first of them, for d sums to 0 and differences of large numbers lose their digits.
      for (let k = 3 * used - 1; k >= 0; k--) moved[k] -= moved[k % 3];
      for (let s = 0; s < used; s++) {
        for (let r = 0; r <= s; r++) {
          const dot =
            moved[3 * s] * moved[3 * r] + moved[3 * s + 1] * moved[3 * r + 1] + moved[3 * s + 2] * moved[3 * r + 2];
          gram[s * K + r] += dot;
          if (r < s) gram[r * K + s] += dot;
        }
      }
    }
    for (const own of rounded) {
      const { values, whole, step } = own;
      roundRow(weights, row, used, whole, step, values);
      for (let s = 0; s < used; s++) d[s] = values[row + s] / whole - weights[row + s];
      improve(values, row, used, d, gram, K, step, whole);
      own.error += Math.max(energy(d, gram, used, K), 0) / poseCount;
    }
  }
  return rounded;
}

/** Steps of the largest remainders; what is no multiple of a step goes to the largest weight. */
function roundRow(
  weights: Float32Array,
  row: number,
  used: number,
  whole: number,
  step: number,
  out: Uint16Array,
): void {
  let rest = whole;
  let largest = row;
  for (let k = row; k < row + used; k++) {
    if (weights[k] > weights[largest]) largest = k;
    out[k] = Math.round((weights[k] * whole) / step) * step;
    rest -= out[k];
  }
  // The rounded numbers may exceed the whole by a step or two; the largest can bear it.
  out[largest] += rest;
}

function improve(
  values: Uint16Array,
  row: number,
  used: number,
  d: Float64Array,
  gram: Float64Array,
  K: number,
  step: number,
  whole: number,
): void {
  const h = step / whole;
  for (let move = 0; move < MOST_MOVES; move++) {
    let [best, to, from] = [0, -1, -1];
    for (let a = 0; a < used; a++) {
      for (let b = 0; b < used; b++) {
        // Sampled poses may not tell two bones apart: a weight is rounded up or down, never further.
        if (a === b || values[row + b] < step || d[a] > 0 || d[b] < 0) continue;
        let slope = 0;
        for (let s = 0; s < used; s++) slope += (gram[a * K + s] - gram[b * K + s]) * d[s];
        const change = 2 * h * slope + h * h * (gram[a * K + a] - 2 * gram[a * K + b] + gram[b * K + b]);
        if (change < best) [best, to, from] = [change, a, b];
      }
    }
    if (to < 0) return;
    values[row + to] += step;
    values[row + from] -= step;
    d[to] += h;
    d[from] -= h;
  }
}

function energy(d: Float64Array, gram: Float64Array, used: number, K: number): number {
  let sum = 0;
  for (let s = 0; s < used; s++) for (let r = 0; r < used; r++) sum += d[s] * d[r] * gram[s * K + r];
  return sum;
}

function transform(
  poses: Float64Array,
  at: number,
  points: Float32Array,
  i: number,
  out: Float64Array,
  to: number,
): void {
  const [x, y, z] = [points[i], points[i + 1], points[i + 2]];
  for (let r = 0; r < 3; r++) {
    const k = at + 4 * r;
    out[to + r] = poses[k] * x + poses[k + 1] * y + poses[k + 2] * z + poses[k + 3];
  }
}
