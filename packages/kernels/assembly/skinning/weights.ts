import { MeasureScratch, MeasureWeights, PairScratch, Prices, Vertices, WeightScratch, WeightsAmongCandidates } from '../generated/skinning';
import { minimiseWithPrices } from '../../../math/assembly/simplex/priced';
import { objective } from '../../../math/assembly/simplex/simplex';
import { boneTimesVertex, contractProduct, dotTen, monomials } from './contract';

/**
 * Weights of every vertex for fixed bones: minimise ‖Σ_j w_j x_j − v‖² + Σ_j price_ij [w_j ≥ visible], w ≥ 0, Σw = 1, at
 * most K non-zeros. Two searches for the support: among given candidates (here), and over all bones by the gradient of
 * the problem (`swaps.ts`).
 *
 * Shared arguments: P (n × 3), C (n × R), vv (n), N (m × 4 × R), G (m × m × 10), m, R, K,
 * bones (n × K i32, in and out), weights (n × K f64, in and out), error (n, out).
 * Unused slots have weight 0.
 */

/** A'_jk = (x_j − v)·(x_k − v) from the Gram coefficients and the products b. */
// @ts-ignore: decorator
@inline
export function centred(G: usize, m: i32, j: i32, k: i32, q: usize, bj: f64, bk: f64, vv: f64): f64 {
  return dotTen(G + <usize>(j * m + k) * 80, q) - bj - bk + vv;
}

export function storeResult(
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
 * More arguments: candidates (n × c i32, −1 for none), c, μ (n × c; 0 for no prior), λ, prices
 */
export function weightsAmongCandidates(begin: i32, end: i32, args: WeightsAmongCandidates, scratch: usize): void {
  const P = args.rest;
  const m = args.m;
  const K = args.K;
  const bones = args.bones;
  const weights = args.weights;
  const error = args.error;
  const candidates = args.candidates;
  const c = args.count;
  const means = args.means;
  const lambda = args.lambda;
  const visible = args.visible;

  const q = PairScratch.q(scratch, m);
  const products = PairScratch.products(scratch, m);
  const b = PairScratch.b(scratch, m);
  const A = WeightScratch.A(scratch, m, c);
  const w = WeightScratch.w(scratch, m, c);
  const prices: usize = args.priced != 0 ? WeightScratch.prices(scratch, m, c) : 0;
  const list = WeightScratch.list(scratch, m, c);
  const support = WeightScratch.support(scratch, m, c);
  const inner = WeightScratch.inner(scratch, m, c);

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
    pricesOfList(i, args, list, size, prices);
    const k = minimiseWithPrices(A, size, w, K, support, prices, visible, inner);
    let value = objective(A, size, w, support, k);
    if (means != 0) value -= lambda * squaredDistance(w, mean, size);
    store<f64>(error + (<usize>i << 3), max<f64>(value, 0));
    storeResult(w, list, support, k, K, bones + (<usize>(i * K) << 2), weights + (<usize>(i * K) << 3));
  }
}

/**
 * The centred Gram matrix of the bones in a list for vertex i, where products with all bones are not at hand.
 * Arguments as above; q holds the vertex's monomials; products (4) and b (size) are scratch
 */
export function gramOfList(
  i: i32, args: Vertices, list: usize, size: i32, q: usize, products: usize, b: usize, A: usize,
): void {
  const p = args.rest + <usize>i * 24;
  const m = args.m;
  const R = args.R;
  const ci = args.coefficients + (<usize>(i * R) << 3);
  const vv = load<f64>(args.squaredNorms + (<usize>i << 3));
  const G = args.gram;
  for (let r = 0; r < size; r++) {
    const j = load<i32>(list + (<usize>r << 2));
    boneTimesVertex(args.projected + (<usize>(4 * j * R) << 3), R, ci, products);
    const bj = contractProduct(products, p);
    store<f64>(b + (<usize>r << 3), bj);
    for (let s = 0; s <= r; s++) {
      const value = centred(G, m, j, load<i32>(list + (<usize>s << 2)), q, bj, load<f64>(b + (<usize>s << 3)), vv);
      store<f64>(A + (<usize>(r * size + s) << 3), value);
      store<f64>(A + (<usize>(s * size + r) << 3), value);
    }
  }
}

/** The prices of the bones in a list at vertex i; `prices` is 0 where there are none. */
export function pricesOfList(i: i32, args: Prices, list: usize, size: i32, prices: usize): void {
  if (prices == 0) return;
  const flags = args.priced + <usize>(i * args.m);
  const price = args.price;
  for (let r = 0; r < size; r++) {
    const j = load<i32>(list + (<usize>r << 2));
    store<f64>(prices + (<usize>r << 3), load<u8>(flags + <usize>j) != 0 ? price : 0);
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

/** The error of the weights at hand, which stay. Arguments as above */
export function measureWeights(begin: i32, end: i32, args: MeasureWeights, scratch: usize): void {
  const R = args.R;
  const m = args.m;
  const K = args.K;
  const G = args.gram;
  const q = MeasureScratch.q(scratch);
  const products = MeasureScratch.products(scratch);
  for (let i = begin; i < end; i++) {
    const p = args.rest + <usize>i * 24;
    const bones = args.bones + (<usize>(i * K) << 2);
    const weights = args.weights + (<usize>(i * K) << 3);
    monomials(p, q);
    let value = load<f64>(args.squaredNorms + (<usize>i << 3));
    for (let s = 0; s < K; s++) {
      const w = load<f64>(weights + (<usize>s << 3));
      if (w == 0) continue;
      const j = load<i32>(bones + (<usize>s << 2));
      boneTimesVertex(args.projected + (<usize>(4 * j * R) << 3), R, args.coefficients + (<usize>(i * R) << 3), products);
      value -= 2 * w * contractProduct(products, p);
      for (let r = 0; r < K; r++) {
        const wr = load<f64>(weights + (<usize>r << 3));
        if (wr != 0) value += w * wr * dotTen(G + <usize>(j * m + load<i32>(bones + (<usize>r << 2))) * 80, q);
      }
    }
    store<f64>(args.error + (<usize>i << 3), max<f64>(value, 0));
  }
}
