import { integer, pointer } from '../../../math/assembly/arguments';
import { inverseOfGram } from '../../../math/assembly/simplex/inverse';
import { allProducts, monomials } from './contract';
import { listSupport } from './swaps';
import { centred, fillGram } from './weights';

/**
 * What it would cost to do without a bone, where the best other bone takes its place at every vertex: for all pairs of a
 * bone that leaves and one that enters in closed form, as in `best-swaps.ts`. Pairs after which a weight would be negative
 * do not count. Summed per bone and chunk of vertices.
 *
 * args 0–10 as in weights.ts, 11 costs (chunks × m, out), 12 grain
 */
export function removalEstimates(begin: i32, end: i32, args: usize, scratch: usize): void {
  const m = integer(args, 5);
  const R = integer(args, 6);
  const costs = pointer(args, 11) + <usize>(begin / integer(args, 12)) * (<usize>m << 3);
  memory.fill(costs, 0, <usize>m << 3);
  const products = scratch + 128;
  const b = products + 64;
  const bSecond = b + (<usize>m << 3);
  for (let i = begin; i < end; i += 2) {
    const p = pointer(args, 0) + <usize>i * 24;
    const ci = pointer(args, 1) + (<usize>(i * R) << 3);
    const pair = i + 1 < end;
    allProducts(pointer(args, 3), m, R, ci, p, b, pair ? ci + (<usize>R << 3) : 0, p + 24, bSecond, products);
    estimateVertex(i, args, scratch, b, costs);
    if (pair) estimateVertex(i + 1, args, scratch, bSecond, costs);
  }
}

/** Bytes of scratch for m bones and K slots. */
export function estimateScratch(m: i32, K: i32): i32 {
  // q (10, padded to 16), products (8), b of two vertices (2m), A and its inverse (2K²), w, y, a, u, lowest (5K); list (K i32)
  return ((16 + 8 + 2 * m + 2 * K * K + 5 * K) << 3) + (K << 2) + 64;
}

function estimateVertex(i: i32, args: usize, scratch: usize, b: usize, costs: usize): void {
  const vv = load<f64>(pointer(args, 2) + (<usize>i << 3));
  const G = pointer(args, 4);
  const m = integer(args, 5);
  const K = integer(args, 7);
  const row = <usize>K << 3;
  const q = scratch;
  const A = q + 128 + 64 + (<usize>(2 * m) << 3);
  const inverse = A + <usize>K * row;
  const w = inverse + <usize>K * row;
  const y = w + row;
  const a = y + row;
  const u = a + row;
  const lowest = u + row;
  const list = lowest + row;
  monomials(pointer(args, 0) + <usize>i * 24, q);
  const k = listSupport(pointer(args, 8) + (<usize>(i * K) << 2), pointer(args, 9) + (<usize>(i * K) << 3), K, list, w);
  if (k == 0) return;
  fillGram(A, k, list, G, m, q, b, vv);
  const sigma = inverseOfGram(A, k, inverse, y);
  // Without another bone in its place.
  for (let s = 0; s < k; s++) {
    store<f64>(lowest + (<usize>s << 3), without(A, inverse, y, sigma, k, s));
  }
  for (let j = 0; j < m; j++) {
    const bj = load<f64>(b + (<usize>j << 3));
    let inside = false;
    for (let s = 0; s < k; s++) {
      const bone = load<i32>(list + (<usize>s << 2));
      if (bone == j) inside = true;
      store<f64>(a + (<usize>s << 3), centred(G, m, j, bone, q, bj, load<f64>(b + (<usize>bone << 3)), vv));
    }
    if (inside) continue;
    enterBone(k, centred(G, m, j, j, q, bj, bj, vv), inverse, y, sigma, a, u, lowest);
  }
  const now = load<f64>(pointer(args, 10) + (<usize>i << 3));
  for (let s = 0; s < k; s++) {
    const at = costs + (<usize>load<i32>(list + (<usize>s << 2)) << 3);
    store<f64>(at, load<f64>(at) + max<f64>(load<f64>(lowest + (<usize>s << 3)) - now, 0));
  }
}

/** Lowers what the support costs without each of its bones, where a bone of column a and diagonal `own` enters. */
function enterBone(k: i32, own: f64, inverse: usize, y: usize, sigma: f64, a: usize, u: usize, lowest: usize): void {
  let beta = own;
  let delta: f64 = 1;
  for (let s = 0; s < k; s++) {
    let sum: f64 = 0;
    for (let r = 0; r < k; r++) {
      sum += load<f64>(inverse + (<usize>(s * k + r) << 3)) * load<f64>(a + (<usize>r << 3));
    }
    store<f64>(u + (<usize>s << 3), sum);
    beta -= load<f64>(a + (<usize>s << 3)) * sum;
    delta -= load<f64>(a + (<usize>s << 3)) * load<f64>(y + (<usize>s << 3));
  }
  if (!(beta > 0)) return;
  const ratio = delta / beta;
  const total = sigma + delta * ratio;
  for (let s = 0; s < k; s++) {
    const us = load<f64>(u + (<usize>s << 3));
    const ys = load<f64>(y + (<usize>s << 3)) - us * ratio;
    const css = load<f64>(inverse + (<usize>(s * k + s) << 3)) + (us * us) / beta;
    if (!(css > 0)) continue;
    // Σ y without s: y_r − C_rs y_s / C_ss for all others, of which none may be negative.
    const share = ys / css;
    const left = total - ys * share;
    const value = 1 / left;
    if (!(left > 0) || !(value < load<f64>(lowest + (<usize>s << 3)))) continue;
    if (ratio + (us / beta) * share < 0) continue;
    let feasible = true;
    for (let r = 0; r < k; r++) {
      if (r == s) continue;
      const ur = load<f64>(u + (<usize>r << 3));
      const crs = load<f64>(inverse + (<usize>(r * k + s) << 3)) + (ur * us) / beta;
      if (load<f64>(y + (<usize>r << 3)) - ur * ratio - crs * share < 0) feasible = false;
    }
    if (feasible) store<f64>(lowest + (<usize>s << 3), value);
  }
}

/**
 * The error of the support without index s and with no other in its place; that of its best bone alone if a weight would be
 * negative.
 */
function without(A: usize, inverse: usize, y: usize, sigma: f64, k: i32, s: i32): f64 {
  const share = load<f64>(y + (<usize>s << 3)) / load<f64>(inverse + (<usize>(s * k + s) << 3));
  let alone: f64 = Infinity;
  let feasible = true;
  for (let r = 0; r < k; r++) {
    if (r == s) continue;
    if (load<f64>(y + (<usize>r << 3)) - load<f64>(inverse + (<usize>(r * k + s) << 3)) * share < 0) feasible = false;
    alone = min<f64>(alone, load<f64>(A + (<usize>(r * k + r) << 3)));
  }
  return feasible && k > 1 ? 1 / (sigma - load<f64>(y + (<usize>s << 3)) * share) : alone;
}
