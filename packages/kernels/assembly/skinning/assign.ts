import { AssignVertices, PairScratch } from '../generated/skinning';
import { dotTen, monomials, pairProducts } from './contract';

/**
 * The one bone that explains each vertex best: argmin_j Σ_t‖M_tj p̂ − v_t‖² = G_jj·q − 2b_j + vv.
 *
 * Arguments: P (n × 3), C (n × R), vv (n), N (m × 4 × R), G (m × m × 10), m, R,
 * best bone (n i32, out), its error (n, out), how many bones to look at, the first ones
 */
export function assignVertices(begin: i32, end: i32, args: AssignVertices, scratch: usize): void {
  const P = args.rest;
  const VV = args.squaredNorms;
  const G = args.gram;
  const m = args.m;
  const best = args.best;
  const error = args.error;
  const count = args.count;
  const q = PairScratch.q(scratch, m);
  const b = PairScratch.b(scratch, m);
  const bSecond = PairScratch.bSecond(scratch, m);
  for (let i = begin; i < end; i += 2) {
    const pair = i + 1 < end;
    const p = P + <usize>i * 24;
    pairProducts(args, count, i, pair ? i + 1 : -1, scratch);
    const here = pair ? 2 : 1;
    for (let k = 0; k < here; k++) {
      monomials(p + <usize>k * 24, q);
      const vv = load<f64>(VV + (<usize>(i + k) << 3));
      const bk = k == 0 ? b : bSecond;
      let lowest: f64 = Infinity;
      let bone = 0;
      for (let j = 0; j < count; j++) {
        const e = dotTen(G + <usize>(j * m + j) * 80, q) - 2 * load<f64>(bk + (<usize>j << 3)) + vv;
        if (e < lowest) {
          lowest = e;
          bone = j;
        }
      }
      store<i32>(best + (<usize>(i + k) << 2), bone);
      store<f64>(error + (<usize>(i + k) << 3), max<f64>(lowest, 0));
    }
  }
}
