/**
 * Minimise wᵀAw subject to w ≥ 0, Σw = 1, for a symmetric positive semidefinite A (c × c, row-major, raw pointers).
 *
 * This is the weight problem of skinning in its centred form: A_jk = (x_j − v)·(x_k − v), the objective is the squared
 * residual itself. On a support P the minimiser is w = y/Σy with A_PP y = 1, its value 1/Σy. The active-set loop is
 * Wolfe's: enter the index with the most negative (Aw)_j − wᵀAw, solve on the support, step back to the boundary where
 * a weight would turn negative. Removing index s from a support raises the objective by w_s²/B_ss with
 * B = A⁻¹ − yyᵀ/Σy, which is what backward elimination minimises.
 *
 * Duplicate columns make A singular; a ridge relative to its trace keeps every solve defined and shares the weight
 * among the duplicates.
 *
 * Reference: Wolfe. Finding the nearest point in a polytope. Mathematical Programming 11, 1976.
 */
import { SimplexScratch } from '../generated/numerics';

/** Relative to the mean diagonal of A. Small enough not to be seen in the residual, large enough for f64 Cholesky. */
const RIDGE: f64 = 1e-11;
/** A gradient counts as negative below this share of the mean diagonal. */
const GRADIENT_TOLERANCE: f64 = 1e-12;

// @ts-ignore: decorator
@inline
function at(base: usize, k: i32): f64 {
  return load<f64>(base + (<usize>k << 3));
}

// @ts-ignore: decorator
@inline
function put(base: usize, k: i32, value: f64): void {
  store<f64>(base + (<usize>k << 3), value);
}

// @ts-ignore: decorator
@inline
function indexAt(base: usize, k: i32): i32 {
  return load<i32>(base + (<usize>k << 2));
}

// @ts-ignore: decorator
@inline
function putIndex(base: usize, k: i32, value: i32): void {
  store<i32>(base + (<usize>k << 2), value);
}

/**
 * L (c × c, lower) with LLᵀ = A_PP + ridge, for the support P of size k. Rows before `from` are there already: an index
 * that enters comes last and costs one row, one that leaves costs the rows behind it.
 */
function factor(a: usize, c: i32, support: usize, from: i32, k: i32, ridge: f64, l: usize): void {
  for (let r = from; r < k; r++) {
    const row = indexAt(support, r) * c;
    for (let s = 0; s <= r; s++) {
      let sum = at(a, row + indexAt(support, s));
      if (r == s) sum += ridge;
      for (let q = 0; q < s; q++) sum -= at(l, r * c + q) * at(l, s * c + q);
      if (r == s) put(l, r * c + r, sqrt(max<f64>(sum, ridge * 1e-3)));
      else put(l, r * c + s, sum / at(l, s * c + s));
    }
  }
}

/** y ← (LLᵀ)⁻¹ 1, and its sum. */
function solveOnes(l: usize, c: i32, k: i32, y: usize): f64 {
  for (let r = 0; r < k; r++) {
    let sum: f64 = 1;
    for (let s = 0; s < r; s++) sum -= at(l, r * c + s) * at(y, s);
    put(y, r, sum / at(l, r * c + r));
  }
  let total: f64 = 0;
  for (let r = k - 1; r >= 0; r--) {
    let sum = at(y, r);
    for (let s = r + 1; s < k; s++) sum -= at(l, s * c + r) * at(y, s);
    const value = sum / at(l, r * c + r);
    put(y, r, value);
    total += value;
  }
  return total;
}

function meanDiagonal(a: usize, c: i32): f64 {
  let sum: f64 = 0;
  for (let j = 0; j < c; j++) sum += at(a, j * c + j);
  return sum / <f64>max(c, 1);
}

/**
 * Solves on the support and drops indices that would turn negative, stepping to the boundary each time.
 * `w` (length c) is feasible on entry and optimal for the support on return; L has its first `factored` rows on entry
 * and all on return. Returns the size of the support left.
 */
function solveSupport(
  a: usize, c: i32, w: usize, support: usize, size: i32, factored: i32, ridge: f64, l: usize, y: usize,
): i32 {
  let k = size;
  let from = factored;
  while (k > 1) {
    factor(a, c, support, from, k, ridge, l);
    const total = solveOnes(l, c, k, y);
    let step: f64 = 1;
    let blocking = -1;
    for (let r = 0; r < k; r++) {
      const target = at(y, r) / total;
      if (target > 0) continue;
      const current = at(w, indexAt(support, r));
      const share = current > target ? current / (current - target) : 0;
      if (blocking < 0 || share < step) {
        step = share;
        blocking = r;
      }
    }
    for (let r = 0; r < k; r++) {
      const j = indexAt(support, r);
      const current = at(w, j);
      put(w, j, blocking < 0 ? at(y, r) / total : max<f64>(current + step * (at(y, r) / total - current), 0));
    }
    if (blocking < 0) return k;
    put(w, indexAt(support, blocking), 0);
    for (let r = blocking + 1; r < k; r++) putIndex(support, r - 1, indexAt(support, r));
    k--;
    from = blocking;
  }
  factor(a, c, support, from, 1, ridge, l);
  put(w, indexAt(support, 0), 1);
  return 1;
}

/** wᵀAw over a support. */
export function objective(a: usize, c: i32, w: usize, support: usize, k: i32): f64 {
  let sum: f64 = 0;
  for (let r = 0; r < k; r++) {
    const row = indexAt(support, r) * c;
    let inner: f64 = 0;
    for (let s = 0; s < k; s++) inner += at(a, row + indexAt(support, s)) * at(w, indexAt(support, s));
    sum += at(w, indexAt(support, r)) * inner;
  }
  return sum;
}

/**
 * The index of the support whose removal costs least, less the price it saves: that of a weight of at least `visible`, or
 * what it would cost to lower the weight to that if this is less. L and y belong to the support as it stands.
 */
function leastCostly(
  l: usize, c: i32, w: usize, support: usize, k: i32, y: usize, column: usize, prices: usize, visible: f64,
): i32 {
  let total: f64 = 0;
  for (let r = 0; r < k; r++) total += at(y, r);
  let best = 0;
  let bestCost: f64 = Infinity;
  for (let s = 0; s < k; s++) {
    // (A⁻¹)_ss = ‖L⁻¹e_s‖²
    let inverse: f64 = 0;
    for (let r = s; r < k; r++) {
      let sum: f64 = r == s ? 1 : 0;
      for (let q = s; q < r; q++) sum -= at(l, r * c + q) * at(column, q);
      const value = sum / at(l, r * c + r);
      put(column, r, value);
      inverse += value * value;
    }
    const b = inverse - (at(y, s) * at(y, s)) / total;
    const weight = at(w, indexAt(support, s));
    // For k = 1 there is nothing to remove; b → 0 means that the others can replace it at no cost.
    let cost = b > 0 ? (weight * weight) / b : Infinity;
    if (prices != 0 && b > 0 && weight >= visible) {
      const excess = weight - visible;
      cost -= min<f64>(at(prices, indexAt(support, s)), (excess * excess) / b);
    }
    if (cost < bestCost) {
      bestCost = cost;
      best = s;
    }
  }
  return best;
}

/**
 * The whole problem, at most `limit` non-zeros.
 *
 * @param a        c × c Gram matrix, centred; not modified
 * @param w        c weights; on entry a feasible start (all zero: start anywhere); on return the solution
 * @param limit    at most this many non-zeros, by backward elimination
 * @param support  c indices; on return the support
 * @param scratch  SimplexScratch of c
 * @param prices   c prices of weights of at least `visible`, which the elimination takes into account; 0 for none
 * @returns the size of the support
 */
export function minimiseOnSimplex(
  a: usize, c: i32, w: usize, limit: i32, support: usize, scratch: usize, prices: usize = 0, visible: f64 = 0,
): i32 {
  const l = SimplexScratch.l(scratch, c);
  const y = SimplexScratch.y(scratch, c);
  const gradient = SimplexScratch.gradient(scratch, c);
  const scale = meanDiagonal(a, c);
  if (!(scale > 0)) {
    // All columns meet the target exactly (or there is one column): any corner is optimal.
    for (let j = 0; j < c; j++) put(w, j, j == 0 ? 1 : 0);
    putIndex(support, 0, 0);
    return 1;
  }
  const ridge = scale * RIDGE;
  let k = 0;
  for (let j = 0; j < c; j++) if (at(w, j) > 0) putIndex(support, k++, j);
  if (k == 0) {
    let best = 0;
    for (let j = 1; j < c; j++) if (at(a, j * c + j) < at(a, best * c + best)) best = j;
    put(w, best, 1);
    putIndex(support, k++, best);
  }
  k = solveSupport(a, c, w, support, k, 0, ridge, l, y);
  // Each entry lowers the objective, so no support comes twice; the bound is for rounding.
  for (let round = 0; round < 4 * c + 8; round++) {
    const value = objective(a, c, w, support, k);
    let enter = -1;
    let lowest = -GRADIENT_TOLERANCE * scale - 1e-9 * value;
    for (let j = 0; j < c; j++) {
      if (at(w, j) > 0) continue;
      let sum: f64 = 0;
      for (let s = 0; s < k; s++) sum += at(a, j * c + indexAt(support, s)) * at(w, indexAt(support, s));
      if (sum - value < lowest) {
        lowest = sum - value;
        enter = j;
      }
    }
    if (enter < 0) break;
    putIndex(support, k++, enter);
    k = solveSupport(a, c, w, support, k, k - 1, ridge, l, y);
  }
  while (k > limit) {
    solveOnes(l, c, k, y);
    const out = leastCostly(l, c, w, support, k, y, gradient, prices, visible);
    put(w, indexAt(support, out), 0);
    for (let r = out + 1; r < k; r++) putIndex(support, r - 1, indexAt(support, r));
    k--;
    let sum: f64 = 0;
    for (let r = 0; r < k; r++) sum += at(w, indexAt(support, r));
    if (sum > 0) for (let r = 0; r < k; r++) put(w, indexAt(support, r), at(w, indexAt(support, r)) / sum);
    else put(w, indexAt(support, 0), 1);
    k = solveSupport(a, c, w, support, k, out, ridge, l, y);
  }
  return k;
}
