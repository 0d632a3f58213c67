import { EstimateScratch, PairScratch, RemovalEstimates } from '../generated/skinning';
import { inverseOfGram } from '../../../math/assembly/simplex/inverse';
import { monomials, pairProducts } from './contract';
import { listSupport } from './swaps';
import { centred, fillGram } from './weights';

/**
 * What it would cost to do without a bone, where the best other bone takes its place at every vertex: for all pairs of a
 * bone that leaves and one that enters in closed form, as in `best-swaps.ts`. Pairs after which a weight would be negative
 * do not count. Summed per bone and chunk of vertices.
 *
 * Arguments as in weights.ts, costs (chunks × m, out), grain
 */
export function removalEstimates(begin: i32, end: i32, args: RemovalEstimates, scratch: usize): void {
  const m = args.m;
  const costs = args.costs + <usize>(begin / args.grain) * (<usize>m << 3);
  memory.fill(costs, 0, <usize>m << 3);
  const b = PairScratch.b(scratch, m);
  const bSecond = PairScratch.bSecond(scratch, m);
  for (let i = begin; i < end; i += 2) {
    const pair = i + 1 < end;
    pairProducts(args, m, i, pair ? i + 1 : -1, scratch);
    estimateVertex(i, args, scratch, b, costs);
    if (pair) estimateVertex(i + 1, args, scratch, bSecond, costs);
  }
}

function estimateVertex(i: i32, args: RemovalEstimates, scratch: usize, b: usize, costs: usize): void {
  const vv = load<f64>(args.squaredNorms + (<usize>i << 3));
  const G = args.gram;
  const m = args.m;
  const K = args.K;
  const q = PairScratch.q(scratch, m);
  const A = EstimateScratch.A(scratch, m, K);
  const inverse = EstimateScratch.inverse(scratch, m, K);
  const w = EstimateScratch.w(scratch, m, K);
  const y = EstimateScratch.y(scratch, m, K);
  const a = EstimateScratch.a(scratch, m, K);
  const u = EstimateScratch.u(scratch, m, K);
  const lowest = EstimateScratch.lowest(scratch, m, K);
  const list = EstimateScratch.list(scratch, m, K);
  monomials(args.rest + <usize>i * 24, q);
  const k = listSupport(args.bones + (<usize>(i * K) << 2), args.weights + (<usize>(i * K) << 3), K, list, w);
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
  const now = load<f64>(args.error + (<usize>i << 3));
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
