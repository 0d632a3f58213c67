import { BoneSumsScratch, DiffuseCandidates } from '../generated/skinning';

/**
 * Candidates that spread along the mesh: the weights of a vertex and of its neighbours, averaged, and of those the c
 * bones with the largest. One call reaches one ring.
 *
 * Arguments: starts (n + 1 i32) and neighbours (i32) of the edge graph, m, K, bones (n × K i32),
 * weights (n × K f64), c, candidates (n × c i32, out; −1 behind the last), weight of the vertex itself,
 * means (n × c f64, out: the neighbours' mean weight of each candidate; 0 for none wanted)
 */
export function diffuseCandidates(begin: i32, end: i32, args: DiffuseCandidates, scratch: usize): void {
  const starts = args.starts;
  const neighbours = args.neighbours;
  const m = args.m;
  const K = args.K;
  const bones = args.bones;
  const weights = args.weights;
  const c = args.count;
  const candidates = args.candidates;
  const own = args.own;
  const means = args.means;
  const sum = BoneSumsScratch.sums(scratch, m);
  memory.fill(sum, 0, <usize>m << 3);
  for (let i = begin; i < end; i++) {
    const from = load<i32>(starts + (<usize>i << 2));
    const to = load<i32>(starts + (<usize>i << 2), 4);
    addWeights(sum, bones, weights, K, i, own * <f64>max(to - from, 1));
    for (let e = from; e < to; e++) addWeights(sum, bones, weights, K, load<i32>(neighbours + (<usize>e << 2)), 1);
    const out = candidates + (<usize>(i * c) << 2);
    for (let s = 0; s < c; s++) {
      let best = -1;
      let largest: f64 = 0;
      for (let j = 0; j < m; j++) {
        const value = load<f64>(sum + (<usize>j << 3));
        if (value > largest) {
          largest = value;
          best = j;
        }
      }
      store<i32>(out + (<usize>s << 2), best);
      if (best < 0) break;
      store<f64>(sum + (<usize>best << 3), 0);
    }
    if (means != 0) neighbourMeans(out, c, starts, neighbours, bones, weights, K, i, means + (<usize>(i * c) << 3));
    clearWeights(sum, bones, weights, K, i);
    for (let e = from; e < to; e++) clearWeights(sum, bones, weights, K, load<i32>(neighbours + (<usize>e << 2)));
  }
}

// @ts-ignore: decorator
@inline
function addWeights(sum: usize, bones: usize, weights: usize, K: i32, i: i32, factor: f64): void {
  for (let s = 0; s < K; s++) {
    const w = load<f64>(weights + (<usize>(i * K + s) << 3));
    if (w == 0) continue;
    const at = sum + (<usize>load<i32>(bones + (<usize>(i * K + s) << 2)) << 3);
    store<f64>(at, load<f64>(at) + factor * w);
  }
}

// @ts-ignore: decorator
@inline
function clearWeights(sum: usize, bones: usize, weights: usize, K: i32, i: i32): void {
  for (let s = 0; s < K; s++) store<f64>(sum + (<usize>load<i32>(bones + (<usize>(i * K + s) << 2)) << 3), 0);
}

/** The mean weight that the neighbours of vertex i give to each of its candidates; its own where it has none. */
function neighbourMeans(
  candidates: usize, c: i32, starts: usize, neighbours: usize, bones: usize, weights: usize, K: i32, i: i32, out: usize,
): void {
  const from = load<i32>(starts + (<usize>i << 2));
  const to = load<i32>(starts + (<usize>i << 2), 4);
  memory.fill(out, 0, <usize>c << 3);
  for (let s = 0; s < c; s++) {
    const j = load<i32>(candidates + (<usize>s << 2));
    if (j < 0) break;
    let total: f64 = to > from ? 0 : weightOf(bones, weights, K, i, j);
    for (let e = from; e < to; e++) total += weightOf(bones, weights, K, load<i32>(neighbours + (<usize>e << 2)), j);
    store<f64>(out + (<usize>s << 3), total / <f64>max(to - from, 1));
  }
}

function weightOf(bones: usize, weights: usize, K: i32, i: i32, j: i32): f64 {
  for (let s = 0; s < K; s++) {
    const w = load<f64>(weights + (<usize>(i * K + s) << 3));
    if (w > 0 && load<i32>(bones + (<usize>(i * K + s) << 2)) == j) return w;
  }
  return 0;
}
