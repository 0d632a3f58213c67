/**
 * Inner products of trajectories: x_ij·v_i, where x_ij is the trajectory of vertex i under motion j and v_i its true
 * trajectory. In an orthonormal basis this is p̂ᵀN_j c_i, where N_j (4 × r) is the motion in that basis: one matrix product
 * per block of vertices. Likewise x_ij·x_ik = p̂ᵀ(Σ_t M_tjᵀM_tk)p̂, with ten coefficients per pair of motions.
 */
import type { Trajectories } from '@pelt/kernels';
import { gemm, matrixOf, type Numerics, transposed } from '@pelt/math';
import { checkCancelled, type RunContext } from '@pelt/model';

/** Vertices per block. */
const BLOCK = 256;

/**
 * @param transforms  S × q × 12, in the coordinates of the trajectories
 * @param visit       called for every vertex in order with its q products
 */
export function motionProducts(
  numerics: Numerics,
  trajectories: Trajectories,
  transforms: Float64Array,
  q: number,
  visit: (i: number, products: Float64Array) => void,
  context?: RunContext,
): void {
  const { rest, coefficients, basis } = trajectories;
  const n = rest.length / 3;
  const r = coefficients.length / n;
  const rows = basis.length / r;
  const out = new Float64Array(q);
  const scope = numerics.scope();
  try {
    const projected = matrixOf(scope.f64(4 * q * r), 4 * q, r);
    const stacked = matrixOf(scope.f64From(stackTransforms(transforms, q)), 4 * q, rows);
    gemm(numerics, 1, stacked, transposed(matrixOf(scope.f64From(basis), r, rows)), 0, projected);
    const block = scope.f64(BLOCK * r);
    const products = scope.f64(BLOCK * 4 * q);
    for (let first = 0; first < n; first += BLOCK) {
      checkCancelled(context);
      const here = Math.min(BLOCK, n - first);
      block.view.set(coefficients.subarray(first * r, (first + here) * r));
      gemm(numerics, 1, matrixOf(block, here, r), transposed(projected), 0, matrixOf(products, here, 4 * q));
      const b = products.view;
      for (let i = first, at = 0; i < first + here; i++) {
        const [x, y, z] = [rest[3 * i], rest[3 * i + 1], rest[3 * i + 2]];
        for (let j = 0; j < q; j++, at += 4) out[j] = x * b[at] + y * b[at + 1] + z * b[at + 2] + b[at + 3];
        visit(i, out);
      }
    }
  } finally {
    scope.dispose();
  }
}

/** S × q × 12 → 4q × 3S: row 4j + a holds column a of motion j over all frames. */
function stackTransforms(transforms: Float64Array, q: number): Float64Array {
  const rows = transforms.length / (4 * q);
  const out = new Float64Array(transforms.length);
  for (let at = 0; at < transforms.length; at += 12) {
    const j = (at / 12) % q;
    const t = Math.floor(at / (12 * q));
    for (let k = 0; k < 12; k++) out[(4 * j + (k % 4)) * rows + 3 * t + Math.floor(k / 4)] = transforms[at + k];
  }
  return out;
}

/**
 * Adds the ten coefficients of the symmetric part of Σ_t M_tjᵀM_tk, whose `contract` is x_j·x_k.
 *
 * @param out  10 numbers from index `at`
 */
export function addPairGram(transforms: Float64Array, q: number, j: number, k: number, out: Float64Array, at: number) {
  for (let frame = 0; frame < transforms.length; frame += 12 * q) {
    const [left, right] = [frame + 12 * j, frame + 12 * k];
    for (let a = 0, e = at; a < 4; a++) {
      for (let b = a; b < 4; b++, e++) {
        for (let row = 0; row < 12; row += 4) {
          const [la, lb] = [transforms[left + row + a], transforms[left + row + b]];
          out[e] += 0.5 * (la * transforms[right + row + b] + lb * transforms[right + row + a]);
        }
      }
    }
  }
}

/** p̂ᵀGp̂ from the ten coefficients of a symmetric G. */
export function contract(g: Float64Array, at: number, x: number, y: number, z: number): number {
  return (
    x * (g[at] * x + 2 * (g[at + 1] * y + g[at + 2] * z + g[at + 3])) +
    y * (g[at + 4] * y + 2 * (g[at + 5] * z + g[at + 6])) +
    z * (g[at + 7] * z + 2 * g[at + 8]) +
    g[at + 9]
  );
}
