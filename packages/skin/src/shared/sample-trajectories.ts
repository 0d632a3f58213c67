import type { Trajectories } from '@pelt/kernels';
import { gemm, matrixOf, type Numerics } from '@pelt/math';
import type { MeshSequence } from '@pelt/model';
import { projectTrajectories, type SolverSpace } from './solver-space.ts';
import { principalBasis } from './trajectories.ts';

/**
 * The trajectories of some of the vertices over some of the frames. Frames that go leave a basis that is no longer
 * orthonormal, so the sample gets its own.
 *
 * @param vertices  up to n indices
 * @param frames    up to S indices, increasing
 */
export function sampleTrajectories(
  { rest, basis, coefficients, squaredNorms }: Trajectories,
  vertices: Int32Array,
  frames: Int32Array,
  numerics: Numerics,
): Trajectories {
  const r = coefficients.length / squaredNorms.length;
  const S = basis.length / (3 * r);
  const ownRest = rowsOf(rest, 3, vertices);
  const ownCoefficients = rowsOf(coefficients, r, vertices);
  if (frames.length === S) {
    return { rest: ownRest, basis, coefficients: ownCoefficients, squaredNorms: rowsOf(squaredNorms, 1, vertices) };
  }
  const [q, rows] = [vertices.length, 3 * frames.length];
  const positions = numerics.scope();
  try {
    const shorter = positions.f64(r * rows);
    for (let k = 0; k < r; k++) {
      frames.forEach((t, f) => {
        shorter.view.set(basis.subarray(k * 3 * S + 3 * t, k * 3 * S + 3 * t + 3), k * rows + 3 * f);
      });
    }
    const product = positions.f64(q * rows);
    const ownBlock = positions.f64From(ownCoefficients);
    gemm(numerics, 1, matrixOf(ownBlock, q, r), matrixOf(shorter, r, rows), 0, matrixOf(product, q, rows));
    const values = product.view.slice();
    const gather = (i: number, out: Float64Array, at: number) => out.set(values.subarray(i * rows, (i + 1) * rows), at);
    const own = principalBasis(Array.from(vertices.keys()), rows, gather, numerics);
    const projected = projectTrajectories(q, rows, own, gather, numerics);
    return { rest: ownRest, basis: own, coefficients: projected.coefficients, squaredNorms: projected.squaredNorms };
  } finally {
    positions.dispose();
  }
}

/**
 * The same, from the frames instead of a basis that leaves something out.
 *
 * @param residual  maximum root mean square of what the basis of the sample leaves out, in radii
 */
export function sampleFrames(
  { rest, frames: positions }: MeshSequence,
  { centre, centres, radius }: SolverSpace,
  vertices: Int32Array,
  frames: Int32Array,
  residual: number,
  numerics: Numerics,
): Trajectories {
  const width = rest.positions.length;
  const [q, rows] = [vertices.length, 3 * frames.length];
  const gather = (a: number, out: Float64Array, at: number) => {
    frames.forEach((t, f) => {
      const from = t * width + 3 * vertices[a];
      for (let d = 0; d < 3; d++) out[at + 3 * f + d] = (positions[from + d] - centres[t][d]) / radius;
    });
  };
  const basis = principalBasis(Array.from(vertices.keys()), rows, gather, numerics, residual);
  const { coefficients, squaredNorms } = projectTrajectories(q, rows, basis, gather, numerics);
  const ownRest = Float64Array.from({ length: 3 * q }, (_, k) => {
    return (rest.positions[3 * vertices[Math.floor(k / 3)] + (k % 3)] - centre[k % 3]) / radius;
  });
  return { rest: ownRest, basis, coefficients, squaredNorms };
}

function rowsOf(values: Float64Array, width: number, vertices: Int32Array): Float64Array {
  const out = new Float64Array(vertices.length * width);
  vertices.forEach((i, k) => {
    out.set(values.subarray(i * width, (i + 1) * width), k * width);
  });
  return out;
}
