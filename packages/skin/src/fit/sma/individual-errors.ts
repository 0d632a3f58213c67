/**
 * The bones that explain each vertex best one by one: those with the least e_ij = Σ_t ‖M_tj p̂_i − v_ti‖².
 *
 * With trajectories in an orthonormal basis, e_ij = p̂ᵀG_j p̂ − 2 p̂ᵀN_j c_i + ‖v_i‖², G_j = Σ_t M_tjᵀM_tj (4 × 4) and
 * N_j the bone's transforms in that basis (4 × r): one matrix product for a block of vertices.
 */
import { gemm, matrixOf, type Numerics, type SkinningSystem, type Trajectories, transposed } from '@pelt/math';
import { checkCancelled, type RunContext } from '@pelt/model';

/** Vertices whose products with all bones are in memory at once. */
const BLOCK = 512;

/**
 * @param count  bones to choose for each vertex, at most m
 * @param out    n × count bone indices, least error first; overwritten
 */
export function leastErrorBones(
  numerics: Numerics,
  trajectories: Trajectories,
  system: SkinningSystem,
  count: number,
  out: Int32Array,
  context?: RunContext,
): void {
  const { n, m, S } = system;
  const { rest, coefficients, basis } = trajectories;
  const r = coefficients.length / n;
  const scope = numerics.scope();
  try {
    const stacked = scope.f64From(stackTransforms(system.transforms.view, S, m));
    const projected = scope.f64(4 * m * r);
    const basisMatrix = matrixOf(scope.f64From(basis), r, 3 * S);
    gemm(numerics, 1, matrixOf(stacked, 4 * m, 3 * S), transposed(basisMatrix), 0, matrixOf(projected, 4 * m, r));
    const block = scope.f64(BLOCK * r);
    const products = scope.f64(BLOCK * 4 * m);
    const grams = boneGrams(system.transforms.view, S, m);
    const errors = new Float64Array(m);
    const order = Array.from({ length: m }, (_, j) => j);
    for (let first = 0; first < n; first += BLOCK) {
      checkCancelled(context);
      const here = Math.min(BLOCK, n - first);
      block.view.set(coefficients.subarray(first * r, (first + here) * r));
      gemm(
        numerics,
        1,
        matrixOf(block, here, r),
        transposed(matrixOf(projected, 4 * m, r)),
        0,
        matrixOf(products, here, 4 * m),
      );
      const b = products.view;
      for (let k = 0; k < here; k++) {
        const [x, y, z] = rest.subarray(3 * (first + k), 3 * (first + k) + 3);
        for (let j = 0; j < m; j++) {
          const at = (k * m + j) * 4;
          const along = x * b[at] + y * b[at + 1] + z * b[at + 2] + b[at + 3];
          errors[j] = quadratic(grams, 10 * j, x, y, z) - 2 * along;
        }
        order.sort((a, c) => errors[a] - errors[c] || a - c);
        for (let s = 0; s < count; s++) out[(first + k) * count + s] = order[s];
      }
    }
  } finally {
    scope.dispose();
  }
}

/** S × m × 12 → 4m × 3S: row 4j + a holds column a of bone j over all frames. */
function stackTransforms(transforms: Float64Array, S: number, m: number): Float64Array {
  const out = new Float64Array(12 * S * m);
  for (let t = 0; t < S; t++) {
    for (let j = 0; j < m; j++) {
      for (let k = 0; k < 12; k++) {
        out[(4 * j + (k % 4)) * 3 * S + 3 * t + Math.floor(k / 4)] = transforms[(t * m + j) * 12 + k];
      }
    }
  }
  return out;
}

/** m × 10: the upper triangles of Σ_t M_tjᵀM_tj, row by row. */
function boneGrams(transforms: Float64Array, S: number, m: number): Float64Array {
  const out = new Float64Array(10 * m);
  for (let t = 0; t < S; t++) {
    for (let j = 0; j < m; j++) {
      const at = (t * m + j) * 12;
      let k = 10 * j;
      for (let a = 0; a < 4; a++) {
        for (let b = a; b < 4; b++, k++) {
          for (let row = at; row < at + 12; row += 4) out[k] += transforms[row + a] * transforms[row + b];
        }
      }
    }
  }
  return out;
}

function quadratic(g: Float64Array, at: number, x: number, y: number, z: number): number {
  return (
    x * (g[at] * x + 2 * (g[at + 1] * y + g[at + 2] * z + g[at + 3])) +
    y * (g[at + 4] * y + 2 * (g[at + 5] * z + g[at + 6])) +
    z * (g[at + 7] * z + 2 * g[at + 8]) +
    g[at + 9]
  );
}
