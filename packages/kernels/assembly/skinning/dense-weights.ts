import { integer, pointer } from '../../../math/assembly/arguments';
import { minimiseOnSimplex, objective, simplexScratch } from '../../../math/assembly/simplex/simplex';
import { allProducts, monomials } from './contract';
import { fillGram } from './weights';

/**
 * Weights where every vertex may use every bone (K ≥ m): one convex problem a vertex, with no support to search for. It
 * starts from the weights at hand, whose support is nearly the answer's: a few bones enter or leave, each at O(m²).
 *
 * args 0–10 as in weights.ts
 */
export function weightsOverAll(begin: i32, end: i32, args: usize, scratch: usize): void {
  const P = pointer(args, 0);
  const C = pointer(args, 1);
  const N = pointer(args, 3);
  const m = integer(args, 5);
  const R = integer(args, 6);
  const products = scratch + 128;
  const b = products + 64;
  const bSecond = b + (<usize>m << 3);
  for (let i = begin; i < end; i += 2) {
    const p = P + <usize>i * 24;
    const ci = C + (<usize>(i * R) << 3);
    const pair = i + 1 < end;
    allProducts(N, m, R, ci, p, b, pair ? ci + (<usize>R << 3) : 0, p + 24, bSecond, products);
    solveVertex(i, args, scratch, b);
    if (pair) solveVertex(i + 1, args, scratch, bSecond);
  }
}

/** Bytes of scratch for m bones. */
export function denseScratch(m: i32): i32 {
  // q (10, padded to 16), products (8), b of two vertices (2m), A (m²), w (m); list and support (2m i32)
  return ((16 + 8 + 3 * m + m * m) << 3) + ((2 * m) << 2) + simplexScratch(m) + 128;
}

function solveVertex(i: i32, args: usize, scratch: usize, b: usize): void {
  const vv = load<f64>(pointer(args, 2) + (<usize>i << 3));
  const m = integer(args, 5);
  const K = integer(args, 7);
  const bones = pointer(args, 8) + (<usize>(i * K) << 2);
  const weights = pointer(args, 9) + (<usize>(i * K) << 3);
  const q = scratch;
  const A = q + 128 + 64 + (<usize>(2 * m) << 3);
  const w = A + (<usize>(m * m) << 3);
  const list = w + (<usize>m << 3);
  const support = list + (<usize>m << 2);
  const inner = (support + (<usize>m << 2) + 15) & ~15;
  monomials(pointer(args, 0) + <usize>i * 24, q);
  memory.fill(w, 0, <usize>m << 3);
  for (let j = 0; j < m; j++) store<i32>(list + (<usize>j << 2), j);
  for (let s = 0; s < K; s++) {
    const weight = load<f64>(weights + (<usize>s << 3));
    if (weight > 0) store<f64>(w + (<usize>load<i32>(bones + (<usize>s << 2)) << 3), weight);
  }
  fillGram(A, m, list, pointer(args, 4), m, q, b, vv);
  const k = minimiseOnSimplex(A, m, w, m, support, inner);
  for (let s = 0; s < K; s++) {
    const j = s < k ? load<i32>(support + (<usize>s << 2)) : 0;
    store<i32>(bones + (<usize>s << 2), j);
    store<f64>(weights + (<usize>s << 3), s < k ? load<f64>(w + (<usize>j << 3)) : 0);
  }
  store<f64>(pointer(args, 10) + (<usize>i << 3), max<f64>(objective(A, m, w, support, k), 0));
}
