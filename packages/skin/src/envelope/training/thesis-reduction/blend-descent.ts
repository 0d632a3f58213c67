/**
 * Linear maps and convex weights over them, by coordinate descent: min Σ_i Σ_u ‖Σ_b w_ib X_b u − y_iu‖², with few vectors
 * u and targets y for each item i. In turn the weights of every item over its candidates, which are problems of their
 * own, and all maps at once, by one system with as many right-hand sides as targets have coordinates.
 *
 * Proxy bones and key gradients are both found so: vertices with homogeneous positions, triangles with two edges each.
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007 (sections 4.1 and 4.2).
 */
import { DenseCholesky, simplexLeastSquares } from '@pelt/math';
import { checkCancelled, type Run } from '@pelt/model';

/** Rounds at most, and the fall of the squared error that is worth another. */
const MOST_ROUNDS = 8;
const LEAST_FALL = 0.01;
/** Weight of the maps at hand, relative to the mean diagonal: a map that is not determined stays as it is. */
const RIDGE = 1e-6;
/** Items between two looks at the signal. */
const BATCH = 512;

export interface BlendedItems {
  /** d, length of the vectors u */
  readonly dimension: number;
  /** Vectors of each item. */
  readonly parts: number;
  /** items × parts × d */
  readonly vectors: Float64Array;
  /** items × parts × columns */
  readonly targets: Float32Array;
  /** The maps that each item may be blended from, one at least. */
  readonly candidates: readonly (readonly number[])[];
}

export interface BlendedMaps {
  /** maps × d × columns */
  readonly maps: Float64Array;
  /** c, places for weights per item */
  readonly places: number;
  /** items × c indices of maps, and their weights */
  readonly chosen: Int32Array;
  readonly weights: Float64Array;
}

/**
 * @param start  maps × d × columns
 * @param limit  most maps that an item is blended from
 */
export function descendBlend(items: BlendedItems, start: Float64Array, limit: number, run: Run): BlendedMaps {
  const maps = start.slice();
  let fit = fitWeights(items, maps, limit, run);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    run.onProgress?.({ stage: 'fitting proxies', fraction: round / MOST_ROUNDS });
    fitMaps(items, fit, maps, run);
    const next = fitWeights(items, maps, limit, run);
    const settled = !(next.error < (1 - LEAST_FALL) * fit.error);
    fit = next;
    if (settled) break;
  }
  return { maps, ...fit };
}

interface WeightFit extends Omit<BlendedMaps, 'maps'> {
  readonly error: number;
}

function fitWeights(items: BlendedItems, maps: Float64Array, limit: number, run: Run): WeightFit {
  const { candidates } = items;
  const places = candidates.reduce((most, own) => Math.max(most, own.length), 1);
  const chosen = new Int32Array(candidates.length * places);
  const weights = new Float64Array(candidates.length * places);
  let error = 0;
  // Problems of one size are solved together.
  for (let c = 1; c <= places; c++) {
    const group = Array.from(candidates.keys()).filter((i) => candidates[i].length === c);
    if (group.length === 0) continue;
    const gram = grams(items, group, c, maps, run);
    const problems = {
      size: c,
      gram,
      rhs: new Float64Array(group.length * c),
      squaredNorms: new Float64Array(group.length),
    };
    const solved = simplexLeastSquares(run.numerics, problems, { limit });
    group.forEach((i, k) => {
      chosen.set(candidates[i], i * places);
      weights.set(solved.subarray(k * c, (k + 1) * c), i * places);
      for (let a = k * c; a < (k + 1) * c; a++) {
        for (let b = 0; b < c; b++) error += solved[a] * gram[a * c + b] * solved[k * c + b];
      }
    });
  }
  return { places, chosen, weights, error };
}

/**
 * Convex weights make the blend of the offsets X_b u − y the offset of the blend: AᵀA are the products of the candidates'
 * offsets, and the right-hand side is zero.
 */
function grams(items: BlendedItems, group: readonly number[], c: number, maps: Float64Array, run: Run): Float64Array {
  const { candidates, parts, targets } = items;
  const length = targets.length / candidates.length;
  const gram = new Float64Array(group.length * c * c);
  const offsets = new Float64Array(c * length);
  group.forEach((i, k) => {
    if (k % BATCH === 0) checkCancelled(run);
    candidates[i].forEach((b, a) => {
      fillOffsets(items, i, maps, b, length / parts, offsets, a * length);
    });
    for (let a = 0; a < c; a++) {
      for (let b = 0; b <= a; b++) {
        let sum = 0;
        for (let at = 0; at < length; at++) sum += offsets[a * length + at] * offsets[b * length + at];
        gram[(k * c + a) * c + b] = gram[(k * c + b) * c + a] = sum;
      }
    }
  });
  return gram;
}

/** X_b u − y for all vectors of an item. */
function fillOffsets(
  { dimension: d, parts, vectors, targets }: BlendedItems,
  i: number,
  maps: Float64Array,
  b: number,
  columns: number,
  out: Float64Array,
  at: number,
): void {
  for (let part = i * parts, to = at; part < (i + 1) * parts; part++, to += columns) {
    for (let k = 0; k < columns; k++) out[to + k] = -targets[part * columns + k];
    for (let r = 0; r < d; r++) {
      const u = vectors[part * d + r];
      const row = (b * d + r) * columns;
      for (let k = 0; k < columns; k++) out[to + k] += u * maps[row + k];
    }
  }
}

/** The maps of least squares for given weights, solved for the change from those at hand. */
function fitMaps(items: BlendedItems, fit: WeightFit, maps: Float64Array, run: Run): void {
  const { dimension: d, parts, vectors, targets, candidates } = items;
  const { places, chosen, weights } = fit;
  const columns = candidates.length > 0 ? targets.length / (candidates.length * parts) : 0;
  const size = columns > 0 ? maps.length / columns : 0;
  const normal = new Float64Array(size * size);
  const change = new Float64Array(size * columns);
  const residual = new Float64Array(columns);
  for (let part = 0; part < candidates.length * parts; part++) {
    const first = Math.floor(part / parts) * places;
    if (part % BATCH === 0) checkCancelled(run);
    for (let k = 0; k < columns; k++) residual[k] = targets[part * columns + k];
    for (let a = first; a < first + places; a++) {
      if (weights[a] === 0) continue;
      for (let r = 0; r < d; r++) {
        const u = weights[a] * vectors[part * d + r];
        const row = (chosen[a] * d + r) * columns;
        for (let k = 0; k < columns; k++) residual[k] -= u * maps[row + k];
      }
    }
    for (let a = first; a < first + places; a++) {
      if (weights[a] === 0) continue;
      for (let r = 0; r < d; r++) {
        const u = weights[a] * vectors[part * d + r];
        const row = chosen[a] * d + r;
        for (let k = 0; k < columns; k++) change[row * columns + k] += u * residual[k];
        for (let b = first; b < first + places; b++) {
          for (let s = 0; s < d; s++) {
            normal[row * size + chosen[b] * d + s] += u * weights[b] * vectors[part * d + s];
          }
        }
      }
    }
  }
  let trace = 0;
  for (let r = 0; r < size; r++) trace += normal[r * size + r];
  for (let r = 0; r < size; r++) normal[r * size + r] += (RIDGE * trace) / size || 1;
  const cholesky = new DenseCholesky(run.numerics, size);
  try {
    cholesky.factor(normal).solveInPlace(change, columns);
  } finally {
    cholesky.dispose();
  }
  for (let k = 0; k < maps.length; k++) maps[k] += change[k];
}
