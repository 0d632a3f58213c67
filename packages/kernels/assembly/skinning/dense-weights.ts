import { DenseScratch, PairScratch, WeightsOverAll } from '../generated/skinning';
import { minimiseOnSimplex, objective } from '../../../math/assembly/simplex/simplex';
import { monomials, pairProducts } from './contract';
import { fillGram } from './weights';

/**
 * Weights where every vertex may use every bone (K ≥ m): one convex problem a vertex, with no support to search for. It
 * starts from the weights at hand, whose support is nearly the answer's: a few bones enter or leave, each at O(m²).
 *
 * Arguments as in weights.ts
 */
export function weightsOverAll(begin: i32, end: i32, args: WeightsOverAll, scratch: usize): void {
  const m = args.m;
  const b = PairScratch.b(scratch, m);
  const bSecond = PairScratch.bSecond(scratch, m);
  for (let i = begin; i < end; i += 2) {
    const pair = i + 1 < end;
    pairProducts(args, m, i, pair ? i + 1 : -1, scratch);
    solveVertex(i, args, scratch, b);
    if (pair) solveVertex(i + 1, args, scratch, bSecond);
  }
}

function solveVertex(i: i32, args: WeightsOverAll, scratch: usize, b: usize): void {
  const vv = load<f64>(args.squaredNorms + (<usize>i << 3));
  const m = args.m;
  const K = args.K;
  const bones = args.bones + (<usize>(i * K) << 2);
  const weights = args.weights + (<usize>(i * K) << 3);
  const q = PairScratch.q(scratch, m);
  const A = DenseScratch.A(scratch, m);
  const w = DenseScratch.w(scratch, m);
  const list = DenseScratch.list(scratch, m);
  const support = DenseScratch.support(scratch, m);
  const inner = DenseScratch.inner(scratch, m);
  monomials(args.rest + <usize>i * 24, q);
  memory.fill(w, 0, <usize>m << 3);
  for (let j = 0; j < m; j++) store<i32>(list + (<usize>j << 2), j);
  for (let s = 0; s < K; s++) {
    const weight = load<f64>(weights + (<usize>s << 3));
    if (weight > 0) store<f64>(w + (<usize>load<i32>(bones + (<usize>s << 2)) << 3), weight);
  }
  fillGram(A, m, list, args.gram, m, q, b, vv);
  const k = minimiseOnSimplex(A, m, w, m, support, inner);
  for (let s = 0; s < K; s++) {
    const j = s < k ? load<i32>(support + (<usize>s << 2)) : 0;
    store<i32>(bones + (<usize>s << 2), j);
    store<f64>(weights + (<usize>s << 3), s < k ? load<f64>(w + (<usize>j << 3)) : 0);
  }
  store<f64>(args.error + (<usize>i << 3), max<f64>(objective(A, m, w, support, k), 0));
}
