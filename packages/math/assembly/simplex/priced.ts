import { PricedScratch } from '../generated/numerics';
import { minimiseOnSimplex, objective } from './simplex';

/**
 * Minimise wᵀAw + Σ_j price_j [w_j ≥ visible] subject to w ≥ 0, Σw = 1, at most `limit` non-zeros: some weights may be
 * used at no cost while they are small, and at a price otherwise.
 *
 * The problem is solved without prices first, but for the choice of what goes to meet the limit. Then each weight whose price is due is held at a cap γ just below
 * `visible`, and stays there if that raises the objective by less than the price. With weight j at γ and u on the
 * simplex of the others,
 *
 *   Σ_k w_k (x_k − v) = Σ_{k≠j} u_k ((1 − γ)(x_k − v) + γ(x_j − v)),
 *
 * so that what is left is the problem without prices again, with the matrix (1 − γ)²A_kl + γ(1 − γ)(A_kj + A_lj) + γ²A_jj.
 */

/** The cap as a share of `visible`: stays below it when rounded to float32. */
const BELOW: f64 = 0.999;

/**
 * @param a        c × c Gram matrix, centred; not modified
 * @param w        c weights; on entry a feasible start (all zero: start anywhere); on return the solution
 * @param limit    at most this many non-zeros
 * @param support  c indices; on return the support, some of whose weights may be zero
 * @param prices   c prices; 0 (no address): all are free
 * @param visible  smaller weights have no price
 * @param scratch  PricedScratch of c
 * @returns the size of the support
 */
export function minimiseWithPrices(
  a: usize, c: i32, w: usize, limit: i32, support: usize, prices: usize, visible: f64, scratch: usize,
): i32 {
  const k = minimiseOnSimplex(a, c, w, limit, support, PricedScratch.inner(scratch, c), prices, visible);
  if (prices != 0) capWeights(a, c, w, support, k, prices, visible, scratch);
  return k;
}

function capWeights(
  a: usize, c: i32, w: usize, support: usize, k: i32, prices: usize, visible: f64, scratch: usize,
): void {
  let matrix = PricedScratch.matrix(scratch, c);
  let mixed = PricedScratch.mixed(scratch, c);
  let u = PricedScratch.u(scratch, c);
  let others = PricedScratch.others(scratch, c);
  const columns = PricedScratch.columns(scratch, c);
  const used = PricedScratch.used(scratch, c);
  const inner = PricedScratch.inner(scratch, c);
  // The columns that are not capped, their matrix, and their weights as shares of what the caps leave.
  let size = k;
  let left: f64 = 1;
  for (let r = 0; r < k; r++) {
    const j = load<i32>(support + (<usize>r << 2));
    store<i32>(columns + (<usize>r << 2), j);
    store<f64>(u + (<usize>r << 3), load<f64>(w + (<usize>j << 3)));
    for (let s = 0; s < k; s++) {
      const l = load<i32>(support + (<usize>s << 2));
      store<f64>(matrix + (<usize>(r * k + s) << 3), load<f64>(a + (<usize>(j * c + l) << 3)));
    }
  }
  for (let r = 0; r < size && size > 1; ) {
    const j = load<i32>(columns + (<usize>r << 2));
    const price = load<f64>(prices + (<usize>j << 3));
    if (!(price > 0) || left * load<f64>(u + (<usize>r << 3)) < visible) {
      r++;
      continue;
    }
    for (let s = 0; s < size; s++) store<i32>(used + (<usize>s << 2), s);
    const before = objective(matrix, size, u, used, size);
    const cap = (BELOW * visible) / left;
    holdWeight(matrix, size, r, cap, mixed);
    shareOthers(u, size, r, others);
    const found = minimiseOnSimplex(mixed, size - 1, others, size - 1, used, inner);
    if (objective(mixed, size - 1, others, used, found) - before >= price) {
      r++;
      continue;
    }
    store<f64>(w + (<usize>j << 3), BELOW * visible);
    left *= 1 - cap;
    size--;
    for (let s = r; s < size; s++) {
      store<i32>(columns + (<usize>s << 2), load<i32>(columns + (<usize>(s + 1) << 2)));
    }
    let other = matrix;
    matrix = mixed;
    mixed = other;
    other = u;
    u = others;
    others = other;
    // The weights have moved: one that had no price to pay may have now.
    r = 0;
  }
  if (size == k) return;
  for (let r = 0; r < size; r++) {
    const j = load<i32>(columns + (<usize>r << 2));
    store<f64>(w + (<usize>j << 3), left * load<f64>(u + (<usize>r << 3)));
  }
}

/** The matrix (size − 1)² of the other columns with column `held` at weight γ. */
function holdWeight(matrix: usize, size: i32, held: i32, gamma: f64, out: usize): void {
  const rest = 1 - gamma;
  const own = load<f64>(matrix + (<usize>(held * size + held) << 3));
  let at = out;
  for (let r = 0; r < size; r++) {
    if (r == held) continue;
    const ar = load<f64>(matrix + (<usize>(r * size + held) << 3));
    for (let s = 0; s < size; s++) {
      if (s == held) continue;
      const as = load<f64>(matrix + (<usize>(s * size + held) << 3));
      const value = load<f64>(matrix + (<usize>(r * size + s) << 3));
      store<f64>(at, rest * rest * value + gamma * rest * (ar + as) + gamma * gamma * own);
      at += 8;
    }
  }
}

/** The weights of the other columns, summing to 1 again; all zero where they have none. */
function shareOthers(u: usize, size: i32, held: i32, out: usize): void {
  let sum: f64 = 0;
  for (let s = 0; s < size; s++) if (s != held) sum += load<f64>(u + (<usize>s << 3));
  let at = out;
  for (let s = 0; s < size; s++) {
    if (s == held) continue;
    store<f64>(at, sum > 0 ? load<f64>(u + (<usize>s << 3)) / sum : 0);
    at += 8;
  }
}

/** Σ of the prices that weights of a support have to pay. */
export function paidPrices(prices: usize, w: usize, support: usize, k: i32, visible: f64): f64 {
  if (prices == 0) return 0;
  let sum: f64 = 0;
  for (let s = 0; s < k; s++) {
    const at = <usize>load<i32>(support + (<usize>s << 2)) << 3;
    if (load<f64>(w + at) >= visible) sum += load<f64>(prices + at);
  }
  return sum;
}
