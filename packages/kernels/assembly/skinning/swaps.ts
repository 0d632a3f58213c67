import { PairScratch, Swaps, WeightScratch, WeightsBySwaps } from '../generated/skinning';
import { minimiseWithPrices, paidPrices } from '../../../math/assembly/simplex/priced';
import { objective } from '../../../math/assembly/simplex/simplex';
import { dotTen, monomials, pairProducts } from './contract';
import { fillGram, gramOfList, pricesOfList, storeResult } from './weights';

/** How many entering bones a thorough search tries for each swap. */
const TRIED: i32 = 3;

/**
 * Over all bones: from the support at hand, let in a bone, drop the least costly one, and keep the swap if it lowers the
 * error, until none does. A thorough search tries the three bones with the most negative gradient. A quick one tries the
 * bone towards which a step alone gains most, slope² / curvature, and leaves out every other round of a vertex whose
 * search found nothing: 0.7 of the time of whole fits, at up to 1 % more error. With prices, which a gradient says nothing of,
 * both try three.
 *
 * More arguments: most swaps for a vertex, least relative gain of a swap, prices, idle (n u8, in and out: 1
 * where the last search found nothing, for quick searches; 0 for thorough ones)
 */
export function weightsBySwaps(begin: i32, end: i32, args: WeightsBySwaps, scratch: usize): void {
  searchVertices(begin, end, args, scratch, swapSteepest);
}

/** Searches vertices but for those that rest, two at a time, so that the bones are loaded once for both. */
export function searchVertices(
  begin: i32, end: i32, args: Swaps, scratch: usize, search: (i: i32, args: Swaps, scratch: usize, b: usize) => void,
): void {
  const m = args.m;
  const b = PairScratch.b(scratch, m);
  const bSecond = PairScratch.bSecond(scratch, m);
  let first = -1;
  for (let i = begin; i < end; i++) {
    if (rests(args.idle, i) && hasWeights(i, args)) solveOnSupport(i, args, scratch);
    else if (first < 0) first = i;
    else {
      pairProducts(args, m, first, i, scratch);
      search(first, args, scratch, b);
      search(i, args, scratch, bSecond);
      first = -1;
    }
  }
  if (first < 0) return;
  pairProducts(args, m, first, -1, scratch);
  search(first, args, scratch, b);
}

/** Whether a vertex rests in this round, after which it is searched again. */
function rests(idle: usize, i: i32): bool {
  if (idle == 0 || load<u8>(idle + <usize>i) == 0) return false;
  store<u8>(idle + <usize>i, 0);
  return true;
}

/** Whether a vertex has a support to be solved on: one whose bones were all removed has none. */
function hasWeights(i: i32, args: Swaps): bool {
  const K = args.K;
  const weights = args.weights + (<usize>(i * K) << 3);
  for (let s = 0; s < K; s++) if (load<f64>(weights + (<usize>s << 3)) > 0) return true;
  return false;
}

/** Weights of a vertex on the support at hand. */
function solveOnSupport(i: i32, args: Swaps, scratch: usize): void {
  const m = args.m;
  const K = args.K;
  const bones = args.bones + (<usize>(i * K) << 2);
  const weights = args.weights + (<usize>(i * K) << 3);
  const c = K + 1;
  const q = PairScratch.q(scratch, m);
  const products = PairScratch.products(scratch, m);
  const b = PairScratch.b(scratch, m);
  const A = WeightScratch.A(scratch, m, c);
  const w = WeightScratch.w(scratch, m, c);
  const prices: usize = args.priced != 0 ? WeightScratch.prices(scratch, m, c) : 0;
  const list = WeightScratch.list(scratch, m, c);
  const support = WeightScratch.support(scratch, m, c);
  const inner = WeightScratch.inner(scratch, m, c);
  monomials(args.rest + <usize>i * 24, q);
  const size = listSupport(bones, weights, K, list, w);
  gramOfList(i, args, list, size, q, products, b, A);
  pricesOfList(i, args, list, size, prices);
  const k = minimiseWithPrices(A, size, w, K, support, prices, args.visible, inner);
  store<f64>(args.error + (<usize>i << 3), max<f64>(objective(A, size, w, support, k), 0));
  storeResult(w, list, support, k, K, bones, weights);
}

/** The bones in use and their weights; returns their number. */
export function listSupport(bones: usize, weights: usize, K: i32, list: usize, w: usize): i32 {
  let size = 0;
  for (let s = 0; s < K; s++) {
    const weight = load<f64>(weights + (<usize>s << 3));
    if (!(weight > 0)) continue;
    store<i32>(list + (<usize>size << 2), load<i32>(bones + (<usize>s << 2)));
    store<f64>(w + (<usize>size << 3), weight);
    size++;
  }
  return size;
}

export function swapSteepest(i: i32, args: Swaps, scratch: usize, b: usize): void {
  const p = args.rest + <usize>i * 24;
  const vv = load<f64>(args.squaredNorms + (<usize>i << 3));
  const G = args.gram;
  const m = args.m;
  const K = args.K;
  const bones = args.bones + (<usize>(i * K) << 2);
  const weights = args.weights + (<usize>(i * K) << 3);
  const mostSwaps = args.mostSwaps;
  const leastGain = args.leastGain;
  const visible = args.visible;
  const idle = args.idle;

  const c = K + 1;
  const q = PairScratch.q(scratch, m);
  const A = WeightScratch.A(scratch, m, c);
  const w = WeightScratch.w(scratch, m, c);
  const prices: usize = args.priced != 0 ? WeightScratch.prices(scratch, m, c) : 0;
  const list = WeightScratch.list(scratch, m, c);
  const support = WeightScratch.support(scratch, m, c);
  const start = WeightScratch.start(scratch, m, c);
  const inner = WeightScratch.inner(scratch, m, c);
  monomials(p, q);

  let size = listSupport(bones, weights, K, list, w);
  if (size == 0) {
    store<i32>(list, bestSingleBone(G, m, q, b));
    store<f64>(w, 1);
    size = 1;
  }
  fillGram(A, size, list, G, m, q, b, vv);
  pricesOfList(i, args, list, size, prices);
  let k = minimiseWithPrices(A, size, w, K, support, prices, visible, inner);
  let best = objective(A, size, w, support, k);
  let paid = paidPrices(prices, w, support, k, visible);
  storeResult(w, list, support, k, K, bones, weights);

  for (let swap = 0; swap < mostSwaps; swap++) {
    // The slope (A'w)_j − wᵀA'w for every bone outside the support.
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
      const bj = load<f64>(b + (<usize>j << 3));
      const slope = sum - bj - wb + vv - best;
      if (slope >= 0) continue;
      const own = idle != 0 ? dotTen(G + <usize>(j * m + j) * 80, q) - 2 * bj + vv : 0;
      // Along the line to this bone the objective is best + 2·slope·t + curvature·t², curvature = A'_jj − 2(A'w)_j + best.
      const g = idle != 0 ? -(slope * slope) / max<f64>(own - 2 * slope - best, f64.MIN_NORMAL_VALUE) : slope;
      if (g < g0) {
        e2 = e1; g2 = g1; e1 = e0; g1 = g0; e0 = j; g0 = g;
      } else if (g < g1) {
        e2 = e1; g2 = g1; e1 = j; g1 = g;
      } else if (g < g2) {
        e2 = j; g2 = g;
      }
    }
    // Each try begins from the support as it stands; the best so far is stored at once.
    const before = best + paid;
    const kBefore = k;
    memory.copy(start, bones, <usize>kBefore << 2);
    for (let tried = 0; tried < (idle != 0 && prices == 0 ? 1 : TRIED); tried++) {
      const enter = tried == 0 ? e0 : tried == 1 ? e1 : e2;
      if (enter < 0) break;
      for (let s = 0; s < kBefore; s++) {
        store<i32>(list + (<usize>s << 2), load<i32>(start + (<usize>s << 2)));
        store<f64>(w + (<usize>s << 3), 0);
      }
      store<i32>(list + (<usize>kBefore << 2), enter);
      store<f64>(w + (<usize>kBefore << 3), 0);
      fillGram(A, kBefore + 1, list, G, m, q, b, vv);
      pricesOfList(i, args, list, kBefore + 1, prices);
      const found = minimiseWithPrices(A, kBefore + 1, w, K, support, prices, visible, inner);
      const value = objective(A, kBefore + 1, w, support, found);
      const cost = paidPrices(prices, w, support, found, visible);
      if (value + cost < best + paid) {
        best = value;
        paid = cost;
        k = found;
        storeResult(w, list, support, k, K, bones, weights);
      }
    }
    if (best + paid > before * (1 - leastGain)) {
      if (swap == 0 && idle != 0) store<u8>(idle + <usize>i, 1);
      break;
    }
  }
  store<f64>(args.error + (<usize>i << 3), max<f64>(best, 0));
}

/** argmin_j of G_jj·q − 2b_j, the error of one bone alone up to a constant */
export function bestSingleBone(G: usize, m: i32, q: usize, b: usize): i32 {
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
