import { integer, number, pointer } from '../arguments';
import { minimiseOnSimplex, objective, simplexScratch } from '../simplex/simplex';
import { allProducts, boneTimesVertex, contractProduct, dotTen, monomials } from './contract';

/**
 * Weights of every vertex for fixed bones: minimise ‖Σ_j w_j x_j − v‖², w ≥ 0, Σw = 1, at most K non-zeros.
 * Two searches for the support: among given candidates, and over all bones by the gradient of the problem.
 *
 * Shared arguments: 0 P (n × 3), 1 C (n × R), 2 vv (n), 3 N (m × 4 × R), 4 G (m × m × 10), 5 m, 6 R, 7 K,
 * 8 bones (n × K i32, in and out), 9 weights (n × K f64, in and out), 10 error (n, out).
 * Unused slots have weight 0.
 */

/** How many entering bones the search tries for each swap. */
const TRIED: i32 = 3;

/** Bytes of scratch for m bones and up to c candidates at once. */
export function weightScratch(m: i32, c: i32): i32 {
  // q (10, padded to 16), products (8), b of two vertices (2m), A (c²), w (c); list, support, start (3c i32), entering
  return ((16 + 8 + 2 * m + c * c + c) << 3) + ((3 * c + TRIED) << 2) + simplexScratch(c) + 512;
}

/** A'_jk = (x_j − v)·(x_k − v) from the Gram coefficients and the products b. */
// @ts-ignore: decorator
@inline
export function centred(G: usize, m: i32, j: i32, k: i32, q: usize, bj: f64, bk: f64, vv: f64): f64 {
  return dotTen(G + <usize>(j * m + k) * 80, q) - bj - bk + vv;
}

function storeResult(
  w: usize, list: usize, support: usize, k: i32, K: i32, bones: usize, weights: usize,
): void {
  for (let s = 0; s < K; s++) {
    const used = s < k;
    const local = used ? load<i32>(support + (<usize>s << 2)) : 0;
    store<i32>(bones + (<usize>s << 2), used ? load<i32>(list + (<usize>local << 2)) : 0);
    store<f64>(weights + (<usize>s << 3), used ? load<f64>(w + (<usize>local << 3)) : 0);
  }
}

/**
 * Among given candidates: solve on all of them, then eliminate down to K. With a prior λ‖w − μ‖² towards the mean μ of
 * the neighbours' weights, which adds λ(I − μ1ᵀ − 1μᵀ + μ·μ 11ᵀ) to the centred matrix; the error stored is without it.
 * More args: 11 candidates (n × c i32, −1 for none), 12 c, 13 μ (n × c; 0 for no prior), 14 λ
 */
export function weightsAmongCandidates(begin: i32, end: i32, args: usize, scratch: usize): void {
  const P = pointer(args, 0);
  const m = integer(args, 5);
  const K = integer(args, 7);
  const bones = pointer(args, 8);
  const weights = pointer(args, 9);
  const error = pointer(args, 10);
  const candidates = pointer(args, 11);
  const c = integer(args, 12);
  const means = pointer(args, 13);
  const lambda = number(args, 14);

  const q = scratch;
  const products = q + 128;
  const b = products + 64;
  const A = b + (<usize>(2 * m) << 3);
  const w = A + (<usize>(c * c) << 3);
  const list = w + (<usize>c << 3);
  const support = list + (<usize>c << 2);
  const inner = (support + (<usize>c << 2) + 15) & ~15;

  for (let i = begin; i < end; i++) {
    monomials(P + <usize>i * 24, q);
    let size = 0;
    for (let s = 0; s < c; s++) {
      const j = load<i32>(candidates + (<usize>(i * c + s) << 2));
      if (j < 0) break;
      store<i32>(list + (<usize>size << 2), j);
      store<f64>(w + (<usize>size << 3), 0);
      size++;
    }
    // No neighbour has weights either: the vertex waits for a search over all bones.
    if (size == 0) continue;
    gramOfList(i, args, list, size, q, products, b, A);
    const mean = means + (<usize>(i * c) << 3);
    if (means != 0) addPrior(A, size, mean, lambda);
    const k = minimiseOnSimplex(A, size, w, K, support, inner);
    let value = objective(A, size, w, support, k);
    if (means != 0) value -= lambda * squaredDistance(w, mean, size);
    store<f64>(error + (<usize>i << 3), max<f64>(value, 0));
    storeResult(w, list, support, k, K, bones + (<usize>(i * K) << 2), weights + (<usize>(i * K) << 3));
  }
}

/**
 * The centred Gram matrix of the bones in a list for vertex i, where products with all bones are not at hand.
 * args 0–6 as above; q holds the vertex's monomials; products (4) and b (size) are scratch
 */
export function gramOfList(
  i: i32, args: usize, list: usize, size: i32, q: usize, products: usize, b: usize, A: usize,
): void {
  const p = pointer(args, 0) + <usize>i * 24;
  const m = integer(args, 5);
  const R = integer(args, 6);
  const ci = pointer(args, 1) + (<usize>(i * R) << 3);
  const vv = load<f64>(pointer(args, 2) + (<usize>i << 3));
  const G = pointer(args, 4);
  for (let r = 0; r < size; r++) {
    const j = load<i32>(list + (<usize>r << 2));
    boneTimesVertex(pointer(args, 3) + (<usize>(4 * j * R) << 3), R, ci, products);
    const bj = contractProduct(products, p);
    store<f64>(b + (<usize>r << 3), bj);
    for (let s = 0; s <= r; s++) {
      const value = centred(G, m, j, load<i32>(list + (<usize>s << 2)), q, bj, load<f64>(b + (<usize>s << 3)), vv);
      store<f64>(A + (<usize>(r * size + s) << 3), value);
      store<f64>(A + (<usize>(s * size + r) << 3), value);
    }
  }
}

function addPrior(A: usize, size: i32, mean: usize, lambda: f64): void {
  let squared: f64 = 0;
  for (let r = 0; r < size; r++) squared += load<f64>(mean + (<usize>r << 3)) * load<f64>(mean + (<usize>r << 3));
  for (let r = 0; r < size; r++) {
    const mr = load<f64>(mean + (<usize>r << 3));
    for (let s = 0; s < size; s++) {
      const at = A + (<usize>(r * size + s) << 3);
      const prior = (r == s ? 1 : 0) - mr - load<f64>(mean + (<usize>s << 3)) + squared;
      store<f64>(at, load<f64>(at) + lambda * prior);
    }
  }
}

function squaredDistance(a: usize, b: usize, size: i32): f64 {
  let sum: f64 = 0;
  for (let k = 0; k < size; k++) {
    const d = load<f64>(a + (<usize>k << 3)) - load<f64>(b + (<usize>k << 3));
    sum += d * d;
  }
  return sum;
}

/**
 * Over all bones: from the support at hand, let in the bones with the most negative gradient, one at a time, and drop
 * the least costly one; take the swap that lowers the error most, until none does.
 * More args: 11 most swaps for a vertex, 12 least relative gain of a swap
 */
export function weightsBySwaps(begin: i32, end: i32, args: usize, scratch: usize): void {
  const P = pointer(args, 0);
  const C = pointer(args, 1);
  const m = integer(args, 5);
  const R = integer(args, 6);
  const N = pointer(args, 3);

  const q = scratch;
  const products = q + 128;
  const b = products + 64;
  const bSecond = b + (<usize>m << 3);

  for (let i = begin; i < end; i += 2) {
    const p = P + <usize>i * 24;
    const ci = C + (<usize>(i * R) << 3);
    const pair = i + 1 < end;
    const row = <usize>R << 3;
    allProducts(N, m, R, ci, p, b, pair ? ci + row : 0, p + 24, bSecond, products);
    swapVertex(i, args, scratch, b);
    if (pair) swapVertex(i + 1, args, scratch, bSecond);
  }
}

function swapVertex(i: i32, args: usize, scratch: usize, b: usize): void {
  const p = pointer(args, 0) + <usize>i * 24;
  const vv = load<f64>(pointer(args, 2) + (<usize>i << 3));
  const G = pointer(args, 4);
  const m = integer(args, 5);
  const K = integer(args, 7);
  const bones = pointer(args, 8) + (<usize>(i * K) << 2);
  const weights = pointer(args, 9) + (<usize>(i * K) << 3);
  const mostSwaps = integer(args, 11);
  const leastGain = number(args, 12);

  const c = K + 1;
  const q = scratch;
  const A = q + 128 + 64 + (<usize>(2 * m) << 3);
  const w = A + (<usize>(c * c) << 3);
  const list = w + (<usize>c << 3);
  const support = list + (<usize>c << 2);
  const start = support + (<usize>c << 2);
  const entering = start + (<usize>c << 2);
  const inner = (entering + (<usize>TRIED << 2) + 15) & ~15;
  monomials(p, q);

  let size = 0;
  for (let s = 0; s < K; s++) {
    if (load<f64>(weights + (<usize>s << 3)) > 0) {
      store<i32>(list + (<usize>size << 2), load<i32>(bones + (<usize>s << 2)));
      store<f64>(w + (<usize>size << 3), load<f64>(weights + (<usize>s << 3)));
      size++;
    }
  }
  if (size == 0) {
    store<i32>(list, bestSingleBone(G, m, q, b));
    store<f64>(w, 1);
    size = 1;
  }
  fillGram(A, size, list, G, m, q, b, vv);
  let k = minimiseOnSimplex(A, size, w, K, support, inner);
  let best = objective(A, size, w, support, k);
  storeResult(w, list, support, k, K, bones, weights);

  for (let swap = 0; swap < mostSwaps; swap++) {
    // The gradient (A'w)_j − wᵀA'w for every bone outside the support; the three lowest are tried.
    let e0 = -1, e1 = -1, e2 = -1;
    let g0: f64 = 0, g1: f64 = 0, g2: f64 = 0;
    let wb: f64 = 0;
    for (let s = 0; s < k; s++) {
      wb += load<f64>(weights + (<usize>s << 3)) * load<f64>(b + (<usize>load<i32>(bones + (<usize>s << 2)) << 3));
    }
    for (let j = 0; j < m; j++) {
      let inside = false;
      let sum: f64 = 0;
      for (let s = 0; s < k; s++) {
        const bone = load<i32>(bones + (<usize>s << 2));
        if (bone == j) inside = true;
        sum += load<f64>(weights + (<usize>s << 3)) * dotTen(G + <usize>(j * m + bone) * 80, q);
      }
      if (inside) continue;
      const g = sum - load<f64>(b + (<usize>j << 3)) - wb + vv - best;
      if (g < g0) {
        e2 = e1; g2 = g1; e1 = e0; g1 = g0; e0 = j; g0 = g;
      } else if (g < g1) {
        e2 = e1; g2 = g1; e1 = j; g1 = g;
      } else if (g < g2) {
        e2 = j; g2 = g;
      }
    }
    store<i32>(entering, e0);
    store<i32>(entering, e1, 4);
    store<i32>(entering, e2, 8);
    // Each try begins from the support as it stands; the best so far is stored at once.
    const before = best;
    const kBefore = k;
    memory.copy(start, bones, <usize>kBefore << 2);
    for (let tried = 0; tried < TRIED; tried++) {
      const enter = load<i32>(entering + (<usize>tried << 2));
      if (enter < 0) break;
      for (let s = 0; s < kBefore; s++) {
        store<i32>(list + (<usize>s << 2), load<i32>(start + (<usize>s << 2)));
        store<f64>(w + (<usize>s << 3), 0);
      }
      store<i32>(list + (<usize>kBefore << 2), enter);
      store<f64>(w + (<usize>kBefore << 3), 0);
      fillGram(A, kBefore + 1, list, G, m, q, b, vv);
      const found = minimiseOnSimplex(A, kBefore + 1, w, K, support, inner);
      const value = objective(A, kBefore + 1, w, support, found);
      if (value < best) {
        best = value;
        k = found;
        storeResult(w, list, support, k, K, bones, weights);
      }
    }
    if (best > before * (1 - leastGain)) break;
  }
  store<f64>(pointer(args, 10) + (<usize>i << 3), max<f64>(best, 0));
}

/** argmin_j of G_jj·q − 2b_j, the error of one bone alone up to a constant */
function bestSingleBone(G: usize, m: i32, q: usize, b: usize): i32 {
  let best = 0;
  let lowest: f64 = Infinity;
  for (let j = 0; j < m; j++) {
    const e = dotTen(G + <usize>(j * m + j) * 80, q) - 2 * load<f64>(b + (<usize>j << 3));
    if (e < lowest) {
      lowest = e;
      best = j;
    }
  }
  return best;
}

/** The centred Gram matrix of the bones in a list, from the products b of all bones. */
export function fillGram(A: usize, size: i32, list: usize, G: usize, m: i32, q: usize, b: usize, vv: f64): void {
  for (let r = 0; r < size; r++) {
    const j = load<i32>(list + (<usize>r << 2));
    const bj = load<f64>(b + (<usize>j << 3));
    for (let s = 0; s <= r; s++) {
      const l = load<i32>(list + (<usize>s << 2));
      const value = centred(G, m, j, l, q, bj, load<f64>(b + (<usize>l << 3)), vv);
      store<f64>(A + (<usize>(r * size + s) << 3), value);
      store<f64>(A + (<usize>(s * size + r) << 3), value);
    }
  }
}

/** The error of the weights at hand, which stay. args 0–10 as above */
export function measureWeights(begin: i32, end: i32, args: usize, scratch: usize): void {
  const R = integer(args, 6);
  const m = integer(args, 5);
  const K = integer(args, 7);
  const G = pointer(args, 4);
  const q = scratch;
  const products = q + 128;
  for (let i = begin; i < end; i++) {
    const p = pointer(args, 0) + <usize>i * 24;
    const bones = pointer(args, 8) + (<usize>(i * K) << 2);
    const weights = pointer(args, 9) + (<usize>(i * K) << 3);
    monomials(p, q);
    let value = load<f64>(pointer(args, 2) + (<usize>i << 3));
    for (let s = 0; s < K; s++) {
      const w = load<f64>(weights + (<usize>s << 3));
      if (w == 0) continue;
      const j = load<i32>(bones + (<usize>s << 2));
      boneTimesVertex(pointer(args, 3) + (<usize>(4 * j * R) << 3), R, pointer(args, 1) + (<usize>(i * R) << 3), products);
      value -= 2 * w * contractProduct(products, p);
      for (let r = 0; r < K; r++) {
        const wr = load<f64>(weights + (<usize>r << 3));
        if (wr != 0) value += w * wr * dotTen(G + <usize>(j * m + load<i32>(bones + (<usize>r << 2))) * 80, q);
      }
    }
    store<f64>(pointer(args, 10) + (<usize>i << 3), max<f64>(value, 0));
  }
}
