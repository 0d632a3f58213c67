import { BestSwapScratch, PairScratch, Swaps, WeightScratch, WeightsByBestSwaps } from '../generated/skinning';
import { minimiseWithPrices, paidPrices } from '../../../math/assembly/simplex/priced';
import { objective } from '../../../math/assembly/simplex/simplex';
import { inverseOfGram } from '../../../math/assembly/simplex/inverse';
import { monomials } from './contract';
import { bestSingleBone, listSupport, searchVertices, swapSteepest } from './swaps';
import { centred, fillGram, pricesOfList, storeResult } from './weights';

/** How many pairs of bones are tried for each swap before the vertex is given up. */
const TRIED: i32 = 2;

/**
 * Over all bones: from the support at hand, the swap that lowers the error most, until none does. What a swap gains is
 * known in closed form up to the signs of the weights. With A the centred matrix of the support, y = A⁻¹1 and σ = Σy, so
 * that 1/σ is the error, a bone of column a and diagonal α that enters gives
 *
 *   u = A⁻¹a,  β = α − a·u,  δ = 1 − a·y,  y' = (y − uδ/β, δ/β),  σ' = σ + δ²/β,
 *
 * and index s of the support that then leaves raises 1/σ' by (y'_s/σ')² / (A⁻¹_ss + u_s²/β − y'_s²/σ'). So all pairs cost
 * O(m K²) per vertex, and only the best pair is solved for. A bone whose slope is not negative cannot gain.
 *
 * A vertex whose search found nothing is left out in the next round. One with a price to pay is searched as in `swaps.ts`:
 * the closed form knows nothing of weights that are held just below what is visible, and ranked by it, fits with prices have
 * 1 % more error.
 *
 * More arguments: most swaps for a vertex, least relative gain of a swap, prices, idle (n u8, in and out: 1
 * where the last search found nothing)
 */
export function weightsByBestSwaps(begin: i32, end: i32, args: WeightsByBestSwaps, scratch: usize): void {
  searchVertices(begin, end, args, scratch, swapBest);
}

function swapBest(i: i32, args: Swaps, scratch: usize, b: usize): void {
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

  if (pays(i, args, bones, weights)) {
    swapSteepest(i, args, scratch, b);
    return;
  }
  const c = K + 1;
  const q = PairScratch.q(scratch, m);
  const A = WeightScratch.A(scratch, m, c);
  const w = WeightScratch.w(scratch, m, c);
  const prices: usize = args.priced != 0 ? WeightScratch.prices(scratch, m, c) : 0;
  const list = WeightScratch.list(scratch, m, c);
  const support = WeightScratch.support(scratch, m, c);
  const inner = WeightScratch.inner(scratch, m, c);
  const ranked = BestSwapScratch.ranked(scratch, m, c);
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
    const enough = (best + paid) * (1 - leastGain);
    size = listSupport(bones, weights, K, list, w);
    fillGram(A, size, list, G, m, q, b, vv);
    rankPairs(i, args, size, list, w, A, q, b, vv, best, enough - paid, scratch);
    let swapped = false;
    for (let tried = 0; tried < TRIED && !swapped; tried++) {
      const enter = load<i32>(ranked + (<usize>tried << 2));
      if (enter < 0) break;
      size = listSupport(bones, weights, K, list, w);
      store<i32>(list + (<usize>size << 2), enter);
      store<f64>(w + (<usize>size << 3), 0);
      size++;
      fillGram(A, size, list, G, m, q, b, vv);
      pricesOfList(i, args, list, size, prices);
      const found = minimiseWithPrices(A, size, w, K, support, prices, visible, inner);
      const value = objective(A, size, w, support, found);
      const cost = paidPrices(prices, w, support, found, visible);
      if (value + cost > enough) continue;
      swapped = true;
      best = value;
      paid = cost;
      storeResult(w, list, support, found, K, bones, weights);
    }
    if (swapped) continue;
    if (swap == 0) store<u8>(args.idle + <usize>i, 1);
    break;
  }
  store<f64>(args.error + (<usize>i << 3), max<f64>(best, 0));
}

/**
 * The two bones whose entry gains most with the best index that leaves, −1 for none that brings the error below `enough`.
 *
 * @param w     weights of the support in the list, whose error is `value`
 * @param A     its centred matrix, size × size
 */
function rankPairs(
  i: i32, args: Swaps, size: i32, list: usize, w: usize, A: usize, q: usize, b: usize, vv: f64, value: f64, enough: f64,
  scratch: usize,
): void {
  const G = args.gram;
  const m = args.m;
  const full = size == args.K;
  const flags = args.priced != 0 ? args.priced + <usize>(i * m) : 0;
  const price = args.price;
  const visible = args.visible;
  const c = args.K + 1;
  const inverse = BestSwapScratch.inverse(scratch, m, c);
  const y = BestSwapScratch.y(scratch, m, c);
  const a = BestSwapScratch.a(scratch, m, c);
  const u = BestSwapScratch.u(scratch, m, c);
  const out = BestSwapScratch.ranked(scratch, m, c);
  const sigma = inverseOfGram(A, size, inverse, y);
  let first = -1, second = -1;
  let lowest: f64 = enough, next: f64 = enough;
  for (let j = 0; j < m; j++) {
    const bj = load<f64>(b + (<usize>j << 3));
    let slope: f64 = -value;
    let inside = false;
    for (let s = 0; s < size; s++) {
      const bone = load<i32>(list + (<usize>s << 2));
      if (bone == j) inside = true;
      const column = centred(G, m, j, bone, q, bj, load<f64>(b + (<usize>bone << 3)), vv);
      store<f64>(a + (<usize>s << 3), column);
      slope += load<f64>(w + (<usize>s << 3)) * column;
    }
    if (inside || !(slope < 0)) continue;
    let beta = centred(G, m, j, j, q, bj, bj, vv);
    let delta: f64 = 1;
    for (let s = 0; s < size; s++) {
      let sum: f64 = 0;
      for (let r = 0; r < size; r++) {
        sum += load<f64>(inverse + (<usize>(s * size + r) << 3)) * load<f64>(a + (<usize>r << 3));
      }
      store<f64>(u + (<usize>s << 3), sum);
      beta -= load<f64>(a + (<usize>s << 3)) * sum;
      delta -= load<f64>(a + (<usize>s << 3)) * load<f64>(y + (<usize>s << 3));
    }
    if (!(beta > 0)) continue;
    const ratio = delta / beta;
    const total = sigma + delta * ratio;
    let score: f64 = flags != 0 && load<u8>(flags + <usize>j) != 0 ? price : 0;
    if (full) {
      let least: f64 = Infinity;
      for (let s = 0; s < size; s++) {
        const us = load<f64>(u + (<usize>s << 3));
        const ys = load<f64>(y + (<usize>s << 3)) - us * ratio;
        const own = load<f64>(inverse + (<usize>(s * size + s) << 3)) + (us * us) / beta - (ys * ys) / total;
        let rise = own > 0 ? ((ys / total) * (ys / total)) / own : Infinity;
        if (flags != 0 && load<f64>(w + (<usize>s << 3)) >= visible) {
          rise -= load<u8>(flags + <usize>load<i32>(list + (<usize>s << 2))) != 0 ? price : 0;
        }
        if (rise < least) least = rise;
      }
      score += least;
    }
    score += 1 / total;
    if (score < lowest) {
      second = first;
      next = lowest;
      first = j;
      lowest = score;
    } else if (score < next) {
      second = j;
      next = score;
    }
  }
  store<i32>(out, first);
  store<i32>(out, second, 4);
}

/** Whether a bone of the support has a price at the vertex. */
function pays(i: i32, args: Swaps, bones: usize, weights: usize): bool {
  if (args.priced == 0) return false;
  const flags = args.priced + <usize>(i * args.m);
  const K = args.K;
  for (let s = 0; s < K; s++) {
    if (load<f64>(weights + (<usize>s << 3)) == 0) continue;
    if (load<u8>(flags + <usize>load<i32>(bones + (<usize>s << 2))) != 0) return true;
  }
  return false;
}
