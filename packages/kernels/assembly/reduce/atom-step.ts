import { AtomStepScratch, GramOfRows, StepAtoms } from '../generated/reduce';
import { minimiseOnSimplex, objective } from '../../../math/assembly/simplex/simplex';
import { dotTen, monomials } from '../skinning/contract';
import { addScaled, dotRows } from './vectors';

/**
 * The first layer of two-layer skinning, one atom after the other with all else fixed: the exact minimiser of
 *
 *   Σ_i ‖a_i X_i d − u_i‖²,  u_i = v_i − (1 − a_i) X_i d_s,   d convex with at most c non-zeros,
 *
 * over the vertices i that blend the atom d (by a_i) with a partner d_s. In centred form the matrix is
 * A_jk = G_jk·Q − h_j − h_k + κ with Q = Σ a² q_i, h_j = N_j·T, T = Σ a p̂ ⊗ u, κ = Σ u·u: sums over vertices first,
 * bones after. Where backward elimination down to c would raise the error the atom stays as it was.
 *
 * The published step is a gradient step scaled by the diagonal (equation 56); the exact one takes the same sums and
 * leaves a quarter less error.
 *
 * Arguments: P (n × 3), C (n × R), N (m × 4 × R), G (m × m × 10, of the rows N), m, R, V (q × 4 × R, in and out),
 * bones (q × c i32, in and out), weights (q × c f64, in and out), c, starts (q + 1) and uses (2i + slot)
 * of the vertices of each atom, atoms (n × 2), a (n), candidates (q × h i32, −1 behind the last), h
 */
export function stepAtoms(begin: i32, end: i32, args: StepAtoms, scratch: usize): void {
  const R = args.R;
  const h = args.width;
  const row = <usize>R << 3;
  const q = AtomStepScratch.q(scratch, h, R);
  const Q = AtomStepScratch.Q(scratch, h, R);
  const T = AtomStepScratch.T(scratch, h, R);
  const u = AtomStepScratch.u(scratch, h, R);
  const products = AtomStepScratch.products(scratch, h, R);
  const A = AtomStepScratch.A(scratch, h, R);
  const w = AtomStepScratch.w(scratch, h, R);
  const old = AtomStepScratch.old(scratch, h, R);
  const list = AtomStepScratch.list(scratch, h, R);
  const support = AtomStepScratch.support(scratch, h, R);
  const inner = AtomStepScratch.inner(scratch, h, R);
  const starts = args.starts;
  const m = args.m;
  const G = args.gram;

  for (let r = begin; r < end; r++) {
    memory.fill(Q, 0, 128);
    memory.fill(T, 0, 4 * row);
    let kappa: f64 = 0;
    const to = load<i32>(starts + (<usize>r << 2), 4);
    for (let k = load<i32>(starts + (<usize>r << 2)); k < to; k++) {
      const use = load<i32>(args.uses + (<usize>k << 2));
      kappa += addUse(args, use >> 1, use & 1, q, Q, T, u);
    }
    if (load<f64>(Q, 72) == 0) continue;

    const size = candidatesOf(args, r, list, old);
    for (let j = 0; j < size; j++) {
      const bone = args.projected + <usize>(4 * load<i32>(list + (<usize>j << 2))) * row;
      store<f64>(products + (<usize>j << 3), dotRows(bone, T, 4 * R));
      store<f64>(w + (<usize>j << 3), load<f64>(old + (<usize>j << 3)));
    }
    for (let j = 0; j < size; j++) {
      const bone = load<i32>(list + (<usize>j << 2));
      for (let k = 0; k <= j; k++) {
        const other = load<i32>(list + (<usize>k << 2));
        const cross = load<f64>(products + (<usize>j << 3)) + load<f64>(products + (<usize>k << 3));
        const value = dotTen(G + <usize>(bone * m + other) * 80, Q) - cross + kappa;
        store<f64>(A + (<usize>(j * size + k) << 3), value);
        store<f64>(A + (<usize>(k * size + j) << 3), value);
      }
    }
    for (let j = 0; j < size; j++) store<i32>(support + (<usize>j << 2), j);
    const before = objective(A, size, old, support, size);
    const used = minimiseOnSimplex(A, size, w, args.c, support, inner);
    if (objective(A, size, w, support, used) < before) storeAtom(args, r, list, w, support, used);
  }
}

/** Adds one vertex to the sums of an atom; returns its u·u. */
function addUse(args: StepAtoms, i: i32, slot: i32, q: usize, Q: usize, T: usize, u: usize): f64 {
  const R = args.R;
  const row = <usize>R << 3;
  const share = load<f64>(args.shares + (<usize>i << 3));
  const a = slot == 0 ? share : 1 - share;
  if (a == 0) return 0;
  const p = args.rest + <usize>i * 24;
  const partner = load<i32>(args.pairs + (<usize>(2 * i + 1 - slot) << 2));
  memory.copy(u, args.coefficients + <usize>i * row, row);
  if (a < 1) subtractImage(args.atoms + <usize>(4 * partner) * row, R, p, 1 - a, u);
  monomials(p, q);
  for (let k: usize = 0; k < 80; k += 8) store<f64>(Q + k, load<f64>(Q + k) + a * a * load<f64>(q + k));
  addScaled(T, a * load<f64>(p), u, R);
  addScaled(T + row, a * load<f64>(p, 8), u, R);
  addScaled(T + 2 * row, a * load<f64>(p, 16), u, R);
  addScaled(T + 3 * row, a, u, R);
  return dotRows(u, u, R);
}

/** u ← u − s·(p̂·V) */
function subtractImage(V: usize, R: i32, p: usize, s: f64, u: usize): void {
  const row = <usize>R << 3;
  addScaled(u, -s * load<f64>(p), V, R);
  addScaled(u, -s * load<f64>(p, 8), V + row, R);
  addScaled(u, -s * load<f64>(p, 16), V + 2 * row, R);
  addScaled(u, -s, V + 3 * row, R);
}

/** The candidate bones of an atom with its weights among them; bones that it has are always candidates. */
function candidatesOf(args: StepAtoms, r: i32, list: usize, old: usize): i32 {
  const c = args.c;
  const h = args.width;
  let size = 0;
  for (let s = 0; s < c; s++) {
    const weight = load<f64>(args.weights + (<usize>(r * c + s) << 3));
    if (weight == 0) continue;
    store<i32>(list + (<usize>size << 2), load<i32>(args.bones + (<usize>(r * c + s) << 2)));
    store<f64>(old + (<usize>(size++) << 3), weight);
  }
  for (let s = 0; s < h && size < h; s++) {
    const j = load<i32>(args.candidates + (<usize>(r * h + s) << 2));
    if (j < 0) break;
    let known = false;
    for (let k = 0; k < size && !known; k++) known = load<i32>(list + (<usize>k << 2)) == j;
    if (known) continue;
    store<i32>(list + (<usize>size << 2), j);
    store<f64>(old + (<usize>(size++) << 3), 0);
  }
  return size;
}

function storeAtom(args: StepAtoms, r: i32, list: usize, w: usize, support: usize, used: i32): void {
  const c = args.c;
  const R = args.R;
  const V = args.atoms + (<usize>(4 * r * R) << 3);
  memory.fill(V, 0, <usize>(4 * R) << 3);
  for (let s = 0; s < c; s++) {
    const local = s < used ? load<i32>(support + (<usize>s << 2)) : 0;
    const weight = s < used ? load<f64>(w + (<usize>local << 3)) : 0;
    const bone = s < used ? load<i32>(list + (<usize>local << 2)) : 0;
    store<i32>(args.bones + (<usize>(r * c + s) << 2), bone);
    store<f64>(args.weights + (<usize>(r * c + s) << 3), weight);
    if (weight != 0) addScaled(V, weight, args.projected + (<usize>(4 * bone * R) << 3), 4 * R);
  }
}

/** G of the projected rows, m × m × 10, for j in [begin, end) and k ≥ j. Arguments: N (m × 4 × R), R, G (out), m */
export function gramOfRows(begin: i32, end: i32, args: GramOfRows, scratch: usize): void {
  const N = args.projected;
  const R = args.R;
  const m = args.m;
  const row = <usize>R << 3;
  for (let j = begin; j < end; j++) {
    for (let k = j; k < m; k++) {
      const left = N + <usize>(4 * j) * row;
      const right = N + <usize>(4 * k) * row;
      const out = args.gram + <usize>(j * m + k) * 80;
      let at: usize = 0;
      for (let a: usize = 0; a < 4; a++) {
        for (let b: usize = a; b < 4; b++, at += 8) {
          const ab = dotRows(left + a * row, right + b * row, R);
          const ba = a == b ? ab : dotRows(left + b * row, right + a * row, R);
          store<f64>(out + at, 0.5 * (ab + ba));
        }
      }
      memory.copy(args.gram + <usize>(k * m + j) * 80, out, 80);
    }
  }
}
