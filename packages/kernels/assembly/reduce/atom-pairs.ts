import { AtomPairScratch, AtomPairs, BlendAtoms, ChooseAtomPairs, RefreshAtomPairs, SpreadAtom } from '../generated/reduce';
import { addScaled, dotRows, missOf } from './vectors';

/**
 * The second layer of two-layer skinning: every vertex blends two atoms (virtual bones) of the dictionary,
 * minimise ‖a y_r + (1 − a) y_s‖² over pairs r, s and 0 ≤ a ≤ 1, y_r = p̂·V_r − c (equation 57 of the course notes;
 * with example poses, 58).
 *
 * Shared arguments: P (n × 3), C (n × R), V (q × 4 × R), R, starts (n + 1), neighbours,
 * atoms (n × 2 i32), a (n, share of the first atom), error (n)
 */

/** Atoms that one vertex looks at: its own two and its neighbours'. */
const MOST_CANDIDATES: i32 = 24;
/** An atom must lower the error by this share to be passed on. */
const LEAST_GAIN: f64 = 1e-7;

let bestShare: f64 = 0;

/** The least ‖a y_r + (1 − a) y_s‖² from the three products; leaves a in `bestShare`. */
// @ts-ignore: decorator
@inline
function pairError(rr: f64, rs: f64, ss: f64): f64 {
  const curvature = rr - 2 * rs + ss;
  const a = curvature > 0 ? min<f64>(max<f64>((ss - rs) / curvature, 0), 1) : rr < ss ? 1 : 0;
  bestShare = a;
  return max<f64>(a * a * rr + 2 * a * (1 - a) * rs + (1 - a) * (1 - a) * ss, 0);
}

/**
 * The best pair among the atoms of a vertex and its neighbours, as they were before the pass.
 * More arguments: atoms (n × 2 i32, out)
 */
export function chooseAtomPairs(begin: i32, end: i32, args: ChooseAtomPairs, scratch: usize): void {
  const R = args.R;
  const starts = args.starts;
  const neighbours = args.neighbours;
  const atoms = args.pairs;
  const row = <usize>R << 3;
  const misses = AtomPairScratch.misses(scratch, R);
  const products = AtomPairScratch.products(scratch, R);
  const list = AtomPairScratch.list(scratch, R);
  for (let i = begin; i < end; i++) {
    let size = collect(list, 0, atoms + (<usize>i << 3));
    const to = load<i32>(starts + (<usize>i << 2), 4);
    for (let e = load<i32>(starts + (<usize>i << 2)); e < to; e++) {
      size = collect(list, size, atoms + (<usize>load<i32>(neighbours + (<usize>e << 2)) << 3));
    }
    let best: f64 = Infinity;
    let first = 0;
    let second = 0;
    let share: f64 = 1;
    for (let r = 0; r < size; r++) {
      const y = misses + <usize>r * row;
      missAt(args, i, load<i32>(list + (<usize>r << 2)), y);
      for (let s = 0; s <= r; s++) {
        store<f64>(products + (<usize>(r * MOST_CANDIDATES + s) << 3), dotRows(y, misses + <usize>s * row, R));
      }
      const rr = load<f64>(products + (<usize>(r * MOST_CANDIDATES + r) << 3));
      // One atom alone where there is no second.
      if (size == 1) best = rr;
      for (let s = 0; s < r; s++) {
        const rs = load<f64>(products + (<usize>(r * MOST_CANDIDATES + s) << 3));
        const value = pairError(rr, rs, load<f64>(products + (<usize>(s * MOST_CANDIDATES + s) << 3)));
        if (value < best) {
          best = value;
          first = r;
          second = s;
          share = bestShare;
        }
      }
    }
    storePair(args, args.nextPairs, i, load<i32>(list + (<usize>first << 2)), load<i32>(list + (<usize>second << 2)), share, best);
  }
}

/** The two atoms at `pair`, appended where they are not in the list yet. */
function collect(list: usize, size: i32, pair: usize): i32 {
  for (let slot: usize = 0; slot < 8; slot += 4) {
    const atom = load<i32>(pair + slot);
    let known = size == MOST_CANDIDATES;
    for (let s = 0; s < size && !known; s++) known = load<i32>(list + (<usize>s << 2)) == atom;
    if (!known) store<i32>(list + (<usize>(size++) << 2), atom);
  }
  return size;
}

function missAt(args: AtomPairs, i: i32, atom: i32, out: usize): void {
  const R = args.R;
  const V = args.atoms + (<usize>(4 * atom * R) << 3);
  missOf(V, R, args.rest + <usize>i * 24, args.coefficients + (<usize>(i * R) << 3), out);
}

function storePair(args: AtomPairs, pairs: usize, i: i32, first: i32, second: i32, share: f64, error: f64): void {
  const pair = pairs + (<usize>i << 3);
  store<i32>(pair, first);
  store<i32>(pair, second, 4);
  store<f64>(args.shares + (<usize>i << 3), share);
  store<f64>(args.error + (<usize>i << 3), error);
}

/**
 * Spreads one atom from a vertex over the mesh as far as it helps: each vertex tries it beside either of its own two,
 * and hands it on to its neighbours if it takes it (algorithm 8, as a work list).
 * More arguments: first vertex, atom, work list (n i32), visited (n i32), the mark of this visit
 */
export function spreadAtom(begin: i32, end: i32, args: SpreadAtom, scratch: usize): void {
  const R = args.R;
  const starts = args.starts;
  const neighbours = args.neighbours;
  const queue = args.queue;
  const visited = args.visited;
  const mark = args.mark;
  const atom = args.atom;
  const row = <usize>R << 3;
  let head = 0;
  let tail = 1;
  store<i32>(queue, args.vertex);
  store<i32>(visited + (<usize>args.vertex << 2), mark);
  while (head < tail) {
    const i = load<i32>(queue + (<usize>(head++) << 2));
    const pair = args.pairs + (<usize>i << 3);
    const r = load<i32>(pair);
    const s = load<i32>(pair, 4);
    if (r == atom || s == atom) continue;
    missAt(args, i, atom, scratch);
    missAt(args, i, r, scratch + row);
    missAt(args, i, s, scratch + 2 * row);
    const own = dotRows(scratch, scratch, R);
    const withFirst = pairError(own, dotRows(scratch, scratch + row, R), dotRows(scratch + row, scratch + row, R));
    const shareFirst = bestShare;
    const last = scratch + 2 * row;
    const withSecond = pairError(own, dotRows(scratch, last, R), dotRows(last, last, R));
    const shareSecond = bestShare;
    const before = load<f64>(args.error + (<usize>i << 3));
    if (min<f64>(withFirst, withSecond) >= before * (1 - LEAST_GAIN)) continue;
    if (withFirst < withSecond) storePair(args, args.pairs, i, atom, r, shareFirst, withFirst);
    else storePair(args, args.pairs, i, atom, s, shareSecond, withSecond);
    const to = load<i32>(starts + (<usize>i << 2), 4);
    for (let e = load<i32>(starts + (<usize>i << 2)); e < to; e++) {
      const k = load<i32>(neighbours + (<usize>e << 2));
      if (load<i32>(visited + (<usize>k << 2)) == mark) continue;
      store<i32>(visited + (<usize>k << 2), mark);
      store<i32>(queue + (<usize>(tail++) << 2), k);
    }
  }
}

/** Shares and errors of the pairs at hand after the dictionary has changed. Shared arguments alone. */
export function refreshAtomPairs(begin: i32, end: i32, args: RefreshAtomPairs, scratch: usize): void {
  const R = args.R;
  const other = scratch + (<usize>R << 3);
  for (let i = begin; i < end; i++) {
    const pair = args.pairs + (<usize>i << 3);
    const r = load<i32>(pair);
    const s = load<i32>(pair, 4);
    missAt(args, i, r, scratch);
    missAt(args, i, s, other);
    const error = pairError(dotRows(scratch, scratch, R), dotRows(scratch, other, R), dotRows(other, other, R));
    storePair(args, args.pairs, i, r, s, r == s ? 1 : bestShare, error);
  }
}

/** V_r ← Σ_j D_jr N_j. Arguments: N (m × 4 × R), R, V (q × 4 × R, out), bones (q × c i32), weights (q × c), c */
export function blendAtoms(begin: i32, end: i32, args: BlendAtoms, scratch: usize): void {
  const R = args.R;
  const c = args.c;
  for (let r = begin; r < end; r++) {
    const out = args.atoms + (<usize>(4 * r * R) << 3);
    memory.fill(out, 0, <usize>(4 * R) << 3);
    for (let s = 0; s < c; s++) {
      const w = load<f64>(args.weights + (<usize>(r * c + s) << 3));
      const j = load<i32>(args.bones + (<usize>(r * c + s) << 2));
      if (w != 0) addScaled(out, w, args.projected + (<usize>(4 * j * R) << 3), 4 * R);
    }
  }
}
