import { LaplacianScratch, LaplacianWeightSweep, RowScratch, WeightedMisses } from '../generated/reduce';
import { minimiseOnSimplex } from '../../../math/assembly/simplex/simplex';
import { addScaled, dotRows, imageOf } from './vectors';

/**
 * One sweep of Gauss–Seidel over the vertices for: minimise Σ_r ‖Σ_s L_rs (x_s − v_s)‖², x_s = Σ_j w_sj M_j p̂_s, over
 * convex weights on given supports (equation 43 of the course notes). With the neighbours fixed, the terms in which
 * vertex i appears are α‖x_i − b‖² up to a constant, α = Σ_r L_ri² and b = x_i − Σ_r L_ri e_r / α with the residuals
 * e = L(x − v): a problem on the simplex as every other weight problem. L is symmetric.
 *
 * Arguments: P (n × 3), C (n × R), N (m × 4 × R), R, candidates (n × K i32, −1 behind the last),
 * weights (n × K f64, in and out, slot by slot those of the candidates), K,
 * starts (n + 1), neighbours, L beside the diagonal (one number a neighbour), the diagonal of L (n),
 * e (n × R, in and out)
 */
export function laplacianWeightSweep(begin: i32, end: i32, args: LaplacianWeightSweep, scratch: usize): void {
  const R = args.R;
  const K = args.K;
  const E = args.residuals;
  const starts = args.starts;
  const neighbours = args.neighbours;
  const row = <usize>R << 3;
  const images = LaplacianScratch.images(scratch, K, R);
  const target = LaplacianScratch.target(scratch, K, R);
  const moved = LaplacianScratch.moved(scratch, K, R);
  const A = LaplacianScratch.A(scratch, K, R);
  const w = LaplacianScratch.w(scratch, K, R);
  const support = LaplacianScratch.support(scratch, K, R);
  const inner = LaplacianScratch.inner(scratch, K, R);

  for (let i = begin; i < end; i++) {
    const p = args.rest + <usize>i * 24;
    const list = args.candidates + (<usize>(i * K) << 2);
    const weights = args.weights + (<usize>(i * K) << 3);
    const diagonal = load<f64>(args.diagonal + (<usize>i << 3));
    const from = load<i32>(starts + (<usize>i << 2));
    const to = load<i32>(starts + (<usize>i << 2), 4);
    let size = 0;
    memory.fill(moved, 0, row);
    while (size < K && load<i32>(list + (<usize>size << 2)) >= 0) {
      const image = images + <usize>size * row;
      const j = load<i32>(list + (<usize>size << 2));
      imageOf(args.projected + (<usize>(4 * j * R) << 3), R, p, image);
      addScaled(moved, load<f64>(weights + (<usize>size << 3)), image, R);
      size++;
    }
    if (size < 2) continue;
    let alpha = diagonal * diagonal;
    memory.copy(target, E + <usize>i * row, row);
    scaleRow(target, diagonal, R);
    for (let e = from; e < to; e++) {
      const l = load<f64>(args.values + (<usize>e << 3));
      alpha += l * l;
      addScaled(target, l, E + <usize>load<i32>(neighbours + (<usize>e << 2)) * row, R);
    }
    if (alpha == 0) continue;
    scaleRow(target, -1 / alpha, R);
    addScaled(target, 1, moved, R);

    for (let s = 0; s < size; s++) addScaled(images + <usize>s * row, -1, target, R);
    for (let r = 0; r < size; r++) {
      for (let s = 0; s <= r; s++) {
        const value = dotRows(images + <usize>r * row, images + <usize>s * row, R);
        store<f64>(A + (<usize>(r * size + s) << 3), value);
        store<f64>(A + (<usize>(s * size + r) << 3), value);
      }
      store<f64>(w + (<usize>r << 3), load<f64>(weights + (<usize>r << 3)));
    }
    minimiseOnSimplex(A, size, w, size, support, inner);

    // What moved: Σ (w_new − w_old) x_j, in which the target cancels because both sum to 1.
    memory.fill(moved, 0, row);
    for (let s = 0; s < size; s++) {
      const change = load<f64>(w + (<usize>s << 3)) - load<f64>(weights + (<usize>s << 3));
      addScaled(moved, change, images + <usize>s * row, R);
      store<f64>(weights + (<usize>s << 3), load<f64>(w + (<usize>s << 3)));
    }
    addScaled(E + <usize>i * row, diagonal, moved, R);
    for (let e = from; e < to; e++) {
      const l = load<f64>(args.values + (<usize>e << 3));
      addScaled(E + <usize>load<i32>(neighbours + (<usize>e << 2)) * row, l, moved, R);
    }
  }
}

/**
 * out ← x − v at the weights at hand: what the residuals e are made from.
 * Arguments: P, C, N, R, candidates, weights, K, out (n × R)
 */
export function weightedMisses(begin: i32, end: i32, args: WeightedMisses, scratch: usize): void {
  const R = args.R;
  const K = args.K;
  const row = <usize>R << 3;
  const image = RowScratch.row(scratch, R);
  for (let i = begin; i < end; i++) {
    const out = args.out + <usize>i * row;
    memory.copy(out, args.coefficients + <usize>i * row, row);
    scaleRow(out, -1, R);
    for (let s = 0; s < K; s++) {
      const j = load<i32>(args.candidates + (<usize>(i * K + s) << 2));
      const w = load<f64>(args.weights + (<usize>(i * K + s) << 3));
      if (j < 0) break;
      if (w == 0) continue;
      imageOf(args.projected + (<usize>(4 * j * R) << 3), R, args.rest + <usize>i * 24, image);
      addScaled(out, w, image, R);
    }
  }
}

function scaleRow(x: usize, s: f64, R: i32): void {
  const row = <usize>R << 3;
  const factor = f64x2.splat(s);
  for (let k: usize = 0; k < row; k += 16) v128.store(x + k, f64x2.mul(factor, v128.load(x + k)));
}
