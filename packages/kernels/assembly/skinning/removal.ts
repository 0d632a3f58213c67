import { PairScratch, RemovalCosts, RemovalScratch } from '../generated/skinning';
import { minimiseOnSimplex, objective } from '../../../math/assembly/simplex/simplex';
import { dotTen, monomials, pairProducts } from './contract';
import { centred, fillGram } from './weights';

/**
 * What it would cost to do without a bone: for every vertex that uses it, the error after its weights are solved again
 * with the bone that then helps most in its place, less the error as it stands. Summed per bone and chunk of vertices.
 *
 * Arguments as in weights.ts, costs (chunks × m, out), grain
 */
export function removalCosts(begin: i32, end: i32, args: RemovalCosts, scratch: usize): void {
  const m = args.m;
  const costs = args.costs + (<usize>(begin / args.grain) * (<usize>m << 3));
  memory.fill(costs, 0, <usize>m << 3);
  const b = PairScratch.b(scratch, m);
  for (let i = begin; i < end; i++) {
    pairProducts(args, m, i, -1, scratch);
    removalOfVertex(i, args, scratch, b, costs);
  }
}

function removalOfVertex(i: i32, args: RemovalCosts, scratch: usize, b: usize, costs: usize): void {
  const vv = load<f64>(args.squaredNorms + (<usize>i << 3));
  const G = args.gram;
  const m = args.m;
  const K = args.K;
  const bones = args.bones + (<usize>(i * K) << 2);
  const weights = args.weights + (<usize>(i * K) << 3);
  const now = load<f64>(args.error + (<usize>i << 3));
  const c = K + 1;
  const q = PairScratch.q(scratch, m);
  const A = RemovalScratch.A(scratch, m, c);
  const w = RemovalScratch.w(scratch, m, c);
  const list = RemovalScratch.list(scratch, m, c);
  const support = RemovalScratch.support(scratch, m, c);
  const inner = RemovalScratch.inner(scratch, m, c);
  monomials(args.rest + <usize>i * 24, q);
  for (let s = 0; s < K; s++) {
    if (load<f64>(weights + (<usize>s << 3)) == 0) continue;
    const removed = load<i32>(bones + (<usize>s << 2));
    let size = 0;
    for (let r = 0; r < K; r++) {
      if (r == s || load<f64>(weights + (<usize>r << 3)) == 0) continue;
      store<i32>(list + (<usize>size << 2), load<i32>(bones + (<usize>r << 2)));
      store<f64>(w + (<usize>size << 3), 0);
      size++;
    }
    let value: f64 = Infinity;
    let k = 0;
    if (size > 0) {
      fillGram(A, size, list, G, m, q, b, vv);
      k = minimiseOnSimplex(A, size, w, K, support, inner);
      value = objective(A, size, w, support, k);
    }
    const enter = bestEntry(removed, value, size, k, list, w, support, G, m, q, b, vv);
    if (enter >= 0) {
      store<i32>(list + (<usize>size << 2), enter);
      for (let r = 0; r <= size; r++) store<f64>(w + (<usize>r << 3), 0);
      size++;
      fillGram(A, size, list, G, m, q, b, vv);
      k = minimiseOnSimplex(A, size, w, K, support, inner);
      value = min<f64>(value, objective(A, size, w, support, k));
    }
    const at = costs + (<usize>removed << 3);
    store<f64>(at, load<f64>(at) + max<f64>(value - now, 0));
  }
}

/** The bone outside the list, and not the removed one, whose gradient is lowest; alone, the one of least error. */
function bestEntry(
  removed: i32, value: f64, size: i32, k: i32, list: usize, w: usize, support: usize,
  G: usize, m: i32, q: usize, b: usize, vv: f64,
): i32 {
  let enter = -1;
  let lowest: f64 = size == 0 ? Infinity : 0;
  for (let j = 0; j < m; j++) {
    if (j == removed) continue;
    const bj = load<f64>(b + (<usize>j << 3));
    let g: f64;
    if (size == 0) g = dotTen(G + <usize>(j * m + j) * 80, q) - 2 * bj + vv;
    else {
      let inside = false;
      let sum: f64 = 0;
      for (let r = 0; r < size; r++) if (load<i32>(list + (<usize>r << 2)) == j) inside = true;
      if (inside) continue;
      for (let r = 0; r < k; r++) {
        const local = load<i32>(support + (<usize>r << 2));
        const bone = load<i32>(list + (<usize>local << 2));
        const wk = load<f64>(w + (<usize>local << 3));
        sum += wk * centred(G, m, j, bone, q, bj, load<f64>(b + (<usize>bone << 3)), vv);
      }
      g = sum - value;
    }
    if (g < lowest) {
      lowest = g;
      enter = j;
    }
  }
  return enter;
}
