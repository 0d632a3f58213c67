import { NearestBones, PairScratch } from '../generated/skinning';
import { dotTen, monomials, pairProducts } from '../skinning/contract';

/**
 * The c bones that explain each vertex best when each moves it alone: the smallest e_ij = Σ_t ‖v_ti − M_tj p̂_i‖²
 * (equation 37 of the course notes), least first.
 *
 * Arguments: P (n × 3), C (n × R), vv (n), N (m × 4 × R), G (m × m × 10), m, R,
 * candidates (n × c i32, out; −1 behind the last where there are fewer bones), c
 */
export function nearestBones(begin: i32, end: i32, args: NearestBones, scratch: usize): void {
  const P = args.rest;
  const G = args.gram;
  const m = args.m;
  const c = args.count;
  const q = PairScratch.q(scratch, m);
  const b = PairScratch.b(scratch, m);
  for (let i = begin; i < end; i++) {
    const p = P + <usize>i * 24;
    const out = args.candidates + (<usize>(i * c) << 2);
    monomials(p, q);
    pairProducts(args, m, i, -1, scratch);
    // vv is the same for all bones: the order is that of x_j·x_j − 2x_j·v.
    for (let j = 0; j < m; j++) {
      const at = b + (<usize>j << 3);
      store<f64>(at, dotTen(G + <usize>(j * m + j) * 80, q) - 2 * load<f64>(at));
    }
    for (let s = 0; s < c; s++) {
      let best = -1;
      let lowest: f64 = Infinity;
      for (let j = 0; j < m; j++) {
        const e = load<f64>(b + (<usize>j << 3));
        if (e < lowest) {
          lowest = e;
          best = j;
        }
      }
      store<i32>(out + (<usize>s << 2), best);
      if (best >= 0) store<f64>(b + (<usize>best << 3), Infinity);
    }
  }
}
