import { MeasureScratch, RoundScratch, RoundWeights } from '../generated/skinning';
import { monomials } from '../skinning/contract';
import { gramOfList } from '../skinning/weights';

/**
 * Weights in whole steps of 1/L that sum to 1 exactly, near the weights at hand and with as little error as such steps
 * can have: minimise kᵀA'k over whole k ≥ 0, Σk = L. From the nearest such k, one step goes from one bone to another as
 * long as that helps. A vertex is stiff in one or two directions and soft in the others; rounding each weight by itself
 * costs several times the error.
 *
 * Arguments: P (n × 3), C (n × R), vv (n), N (m × 4 × R), G (m × m × 10), m, R, K, bones (n × K i32),
 * weights (n × K f64, in and out), error (n, out), L
 */
export function roundWeights(begin: i32, end: i32, args: RoundWeights, scratch: usize): void {
  const K = args.K;
  const L = args.levels;
  const q = MeasureScratch.q(scratch);
  const products = MeasureScratch.products(scratch);
  const b = RoundScratch.b(scratch, K);
  const A = RoundScratch.A(scratch, K);
  const y = RoundScratch.y(scratch, K);
  const slots = RoundScratch.slots(scratch, K);
  const steps = RoundScratch.steps(scratch, K);
  const list = RoundScratch.list(scratch, K);
  for (let i = begin; i < end; i++) {
    const bones = args.bones + (<usize>(i * K) << 2);
    const weights = args.weights + (<usize>(i * K) << 3);
    monomials(args.rest + <usize>i * 24, q);
    let size = 0;
    for (let s = 0; s < K; s++) {
      if (load<f64>(weights + (<usize>s << 3)) == 0) continue;
      store<i32>(list + (<usize>size << 2), load<i32>(bones + (<usize>s << 2)));
      store<i32>(slots + (<usize>(size++) << 2), s);
    }
    gramOfList(i, args, list, size, q, products, b, A);
    nearestSteps(weights, slots, size, L, steps);
    const value = descend(A, size, steps, y);
    for (let s = 0; s < size; s++) {
      const slot = load<i32>(slots + (<usize>s << 2));
      store<f64>(weights + (<usize>slot << 3), <f64>load<i32>(steps + (<usize>s << 2)) / <f64>L);
    }
    store<f64>(args.error + (<usize>i << 3), max<f64>(value / (<f64>L * <f64>L), 0));
  }
}

/** Each weight rounded down, then one step more for the largest remainders until the sum is right. */
function nearestSteps(weights: usize, slots: usize, size: i32, L: i32, steps: usize): void {
  let left = L;
  for (let s = 0; s < size; s++) {
    const exact = load<f64>(weights + (<usize>load<i32>(slots + (<usize>s << 2)) << 3)) * <f64>L;
    const k = min<i32>(<i32>floor(exact), left);
    store<i32>(steps + (<usize>s << 2), k);
    left -= k;
  }
  while (left > 0) {
    let best = 0;
    let largest: f64 = -Infinity;
    for (let s = 0; s < size; s++) {
      const exact = load<f64>(weights + (<usize>load<i32>(slots + (<usize>s << 2)) << 3)) * <f64>L;
      const remainder = exact - <f64>load<i32>(steps + (<usize>s << 2));
      if (remainder > largest) {
        largest = remainder;
        best = s;
      }
    }
    store<i32>(steps + (<usize>best << 2), load<i32>(steps + (<usize>best << 2)) + 1);
    left--;
  }
}

/** Steps from one to another while kᵀAk falls; returns it. */
function descend(A: usize, size: i32, steps: usize, y: usize): f64 {
  let value: f64 = 0;
  for (let r = 0; r < size; r++) {
    let sum: f64 = 0;
    for (let s = 0; s < size; s++) {
      sum += load<f64>(A + (<usize>(r * size + s) << 3)) * <f64>load<i32>(steps + (<usize>s << 2));
    }
    store<f64>(y + (<usize>r << 3), sum);
    value += sum * <f64>load<i32>(steps + (<usize>r << 2));
  }
  let from = 0;
  while (from >= 0) {
    from = -1;
    let to = -1;
    // A gain below this share of the value is rounding.
    let best: f64 = -1e-12 * value;
    for (let r = 0; r < size; r++) {
      if (load<i32>(steps + (<usize>r << 2)) == 0) continue;
      for (let s = 0; s < size; s++) {
        if (s == r) continue;
        const slope = load<f64>(y + (<usize>s << 3)) - load<f64>(y + (<usize>r << 3));
        const rr = load<f64>(A + (<usize>(r * size + r) << 3));
        const rs = load<f64>(A + (<usize>(r * size + s) << 3));
        const change = 2 * slope + rr - 2 * rs + load<f64>(A + (<usize>(s * size + s) << 3));
        if (change < best) {
          best = change;
          from = r;
          to = s;
        }
      }
    }
    if (from < 0) break;
    store<i32>(steps + (<usize>from << 2), load<i32>(steps + (<usize>from << 2)) - 1);
    store<i32>(steps + (<usize>to << 2), load<i32>(steps + (<usize>to << 2)) + 1);
    for (let r = 0; r < size; r++) {
      const change = load<f64>(A + (<usize>(r * size + to) << 3)) - load<f64>(A + (<usize>(r * size + from) << 3));
      store<f64>(y + (<usize>r << 3), load<f64>(y + (<usize>r << 3)) + change);
    }
    value += best;
  }
  return value;
}
