/**
 * Gradients on tetrahedra. For a tetrahedron with corners p₀ … p₃ the shape functions' gradients g₁ g₂ g₃ are the rows of
 * [p₁ − p₀, p₂ − p₀, p₃ − p₀]⁻¹ and g₀ = −(g₁ + g₂ + g₃), so that a map x has the gradient F = Σ x_a g_aᵀ. With D the
 * volumes, L = Gᵀ D G has the entries Σ vol g_a · g_b: symmetric, positive definite once a vertex is fixed in each
 * connected part.
 */
import { NumericError, type SparseSymmetric, sparseFromTriplets } from '@pelt/math';

/** Entries of a symmetric matrix between vertices, each pair once, to be summed. */
export interface Triplets {
  readonly rows: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float64Array;
}

/** Numbers of a tetrahedron's operator: g₁ g₂ g₃ and the volume. */
export const OPERATOR_SIZE = 10;

/**
 * @param rest        v × 3
 * @param tetrahedra  e × 4
 * @returns           e × 10
 */
export function gradientOperators(rest: Float64Array, tetrahedra: Uint32Array): Float64Array {
  const e = tetrahedra.length / 4;
  const operators = new Float64Array(OPERATOR_SIZE * e);
  for (let k = 0; k < e; k++) {
    const o = 3 * tetrahedra[4 * k];
    const [u, v, w] = [1, 2, 3].map((corner) => {
      const p = 3 * tetrahedra[4 * k + corner];
      return [rest[p] - rest[o], rest[p + 1] - rest[o + 1], rest[p + 2] - rest[o + 2]];
    });
    const rows = [cross(v, w), cross(w, u), cross(u, v)];
    const determinant = u[0] * rows[0][0] + u[1] * rows[0][1] + u[2] * rows[0][2];
    if (!(determinant > 0)) throw new NumericError(`volume: tetrahedron ${k} has the volume ${determinant / 6}`);
    for (let a = 0; a < 3; a++) {
      for (let axis = 0; axis < 3; axis++) operators[OPERATOR_SIZE * k + 3 * a + axis] = rows[a][axis] / determinant;
    }
    operators[OPERATOR_SIZE * k + 9] = determinant / 6;
  }
  return operators;
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/**
 * The entries Σ vol g_a · g_b of L, once for each pair of corners of each tetrahedron.
 *
 * @param operators  e × 10
 */
export function laplacianTriplets(operators: Float64Array, tetrahedra: Uint32Array): Triplets {
  const e = tetrahedra.length / 4;
  const rows = new Int32Array(10 * e);
  const columns = new Int32Array(10 * e);
  const values = new Float64Array(10 * e);
  const g = new Float64Array(12);
  let count = 0;
  for (let k = 0; k < e; k++) {
    const at = OPERATOR_SIZE * k;
    for (let axis = 0; axis < 3; axis++) {
      g[axis] = 0;
      for (let a = 1; a < 4; a++) {
        g[3 * a + axis] = operators[at + 3 * (a - 1) + axis];
        g[axis] -= g[3 * a + axis];
      }
    }
    const volume = operators[at + 9];
    for (let a = 0; a < 4; a++) {
      for (let b = 0; b <= a; b++) {
        rows[count] = tetrahedra[4 * k + a];
        columns[count] = tetrahedra[4 * k + b];
        values[count++] = volume * (g[3 * a] * g[3 * b] + g[3 * a + 1] * g[3 * b + 1] + g[3 * a + 2] * g[3 * b + 2]);
      }
    }
  }
  return { rows, columns, values };
}

/**
 * The stiffness matrix L = Gᵀ D G of a tetrahedral mesh, singular by itself, and the lumped volumes of its vertices.
 *
 * @param rest        v × 3
 * @param tetrahedra  e × 4, each of positive volume
 * @example
 * {@includeCode ../../examples/volume.ts}
 */
export function tetrahedralLaplacian(
  rest: Float64Array,
  tetrahedra: Uint32Array,
): { matrix: SparseSymmetric; volumes: Float64Array } {
  const v = rest.length / 3;
  const operators = gradientOperators(rest, tetrahedra);
  const { rows, columns, values } = laplacianTriplets(operators, tetrahedra);
  const matrix = sparseFromTriplets(v, rows, columns, values);
  return { matrix, volumes: lumpedVolumes(operators, tetrahedra, v) };
}

/** A quarter of the volume of the tetrahedra at each of v vertices. */
export function lumpedVolumes(operators: Float64Array, tetrahedra: Uint32Array, v: number): Float64Array {
  const volumes = new Float64Array(v);
  for (let k = 0; k < tetrahedra.length; k++) volumes[tetrahedra[k]] += 0.25 * operators[OPERATOR_SIZE * (k >> 2) + 9];
  return volumes;
}
