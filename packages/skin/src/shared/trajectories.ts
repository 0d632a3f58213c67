/**
 * Example frames in solver coordinates. The 3S × n matrix of trajectories of a long sequence has nearly low rank: an
 * orthonormal basis of r rows with a negligible residual replaces its 3S rows.
 *
 * The basis consists of principal directions of a sample of vertices, which is extended by the vertices of largest
 * residual until all are represented.
 *
 * Reference: Kavan, Sloan, O'Sullivan. Fast and efficient skinning of animated meshes. 2010, section 4.
 */
import type { Trajectories } from '@pelt/kernels';
import { gemm, matrixOf, type Numerics, symmetricEigen, transposed } from '@pelt/math';
import { frameCount, type MeshSequence, type RunContext, vertexCount } from '@pelt/model';
import {
  gatherTrajectory,
  type Projection,
  projectFrames,
  restToModel,
  restToSolver,
  type SolverSpace,
  spaceOf,
  transformsToModel,
  transformsToSolver,
} from './solver-space.ts';

export interface PreparedTrajectories {
  readonly trajectories: Trajectories;
  readonly space: SolverSpace;
  /** Converts S × m × 12 transforms from solver to model coordinates. */
  transformsToModel(transforms: Float64Array, bones: number): Float64Array;
  /** Converts S × m × 12 transforms from model to solver coordinates. */
  transformsToSolver(transforms: Float64Array, bones: number): Float64Array;
  /** Converts n × 3 rest positions from solver to model coordinates. */
  restToModel(rest: Float64Array): Float32Array;
}

/** Up to this many rows the basis is the identity, since a reduction does not pay. */
const SMALL = 48;
/** Vertices sampled for the basis. */
const SAMPLE = 800;
/** Maximum root mean square residual of the basis, in radii: an E_RMS of 0.1. */
const RESIDUAL = 1e-4;
/** Maximum number of extensions of the sample. */
const ENLARGEMENTS = 3;

export function prepareTrajectories(
  sequence: MeshSequence,
  numerics: Numerics,
  context?: RunContext,
): PreparedTrajectories {
  const n = vertexCount(sequence.rest);
  const rows = 3 * frameCount(sequence);
  const space = spaceOf(sequence);
  const sample = evenly(n, SAMPLE);
  let basis = rows <= SMALL || n === 0 ? identity(rows) : undefined;
  let projection: Projection | undefined;
  for (let turn = 0; projection === undefined; turn++) {
    basis ??= principalBasis(
      sample,
      rows,
      (i, out, at) => gatherTrajectory(sequence.frames, space, i, out, at),
      numerics,
    );
    projection = projectFrames(sequence.frames, space, basis, numerics, context);
    const limit = RESIDUAL ** 2 * rows;
    const worst = projection.residuals.reduce((a, b) => Math.max(a, b), 0);
    // A single vertex may have ten times the residual of the mean.
    if (worst <= 100 * limit || turn === ENLARGEMENTS) break;
    sample.push(...worstOf(projection.residuals, Math.ceil(SAMPLE / 4), limit));
    basis = undefined;
    projection = undefined;
  }
  if (!basis || !projection) throw new Error('unreachable: the loop ends with a basis');
  const { coefficients, squaredNorms } = projection;
  return {
    trajectories: { rest: restToSolver(sequence.rest.positions, space), basis, coefficients, squaredNorms },
    space,
    transformsToModel: (transforms, bones) => transformsToModel(transforms, bones, space),
    transformsToSolver: (transforms, bones) => transformsToSolver(transforms, bones, space),
    restToModel: (values) => restToModel(values, space),
  };
}

function identity(size: number): Float64Array {
  const out = new Float64Array(size * size);
  for (let k = 0; k < size; k++) out[k * size + k] = 1;
  return out;
}

/** Up to `count` of the indices below n, evenly spaced. */
function evenly(n: number, count: number): number[] {
  const size = Math.min(n, count);
  return Array.from({ length: size }, (_, k) => Math.floor((k * n) / size));
}

function worstOf(values: Float64Array, count: number, above: number): number[] {
  const order = Array.from(values.keys()).filter((i) => values[i] > above);
  return order.sort((a, b) => values[b] - values[a] || a - b).slice(0, count);
}

/**
 * Leading principal directions (r × rows) of the sampled trajectories, as many as are required.
 *
 * @param residual  maximum root mean square of what they leave out, in radii
 */
export function principalBasis(
  sample: readonly number[],
  rows: number,
  gather: (i: number, out: Float64Array, at: number) => void,
  numerics: Numerics,
  residual = RESIDUAL,
): Float64Array {
  const scope = numerics.scope();
  try {
    const q = sample.length;
    const block = scope.f64(q * rows);
    const values = block.view;
    sample.forEach((i, k) => {
      gather(i, values, k * rows);
    });
    const samples = matrixOf(block, q, rows);
    // The smaller of the two Gram matrices, which have the same non-zero eigenvalues.
    const overRows = rows <= q;
    const size = overRows ? rows : q;
    const gram = scope.f64(size * size);
    const [left, right] = overRows ? [transposed(samples), samples] : [samples, transposed(samples)];
    gemm(numerics, 1, left, right, 0, matrixOf(gram, size, size));
    const { values: eigenvalues, vectors } = symmetricEigen(gram.view.slice(), size, numerics);
    const order = Array.from(eigenvalues.keys()).sort((a, b) => eigenvalues[b] - eigenvalues[a]);
    let left2 = eigenvalues.reduce((sum, value) => sum + Math.max(value, 0), 0);
    const enough = Math.max(residual ** 2 * rows * q, 1e-14 * left2);
    let r = 0;
    while (r < size && left2 > enough) left2 -= Math.max(eigenvalues[order[r++]], 0);
    r = Math.max(r, 1);
    const out = scope.f64(r * rows);
    const chosen = scope.f64(r * size);
    for (let k = 0; k < r; k++) {
      for (let a = 0; a < size; a++) chosen.view[k * size + a] = vectors[a * size + order[k]];
    }
    if (overRows) return chosen.view.slice();
    gemm(numerics, 1, matrixOf(chosen, r, q), samples, 0, matrixOf(out, r, rows));
    return normalisedRows(out.view.slice(), rows);
  } finally {
    scope.dispose();
  }
}

function normalisedRows(matrix: Float64Array, columns: number): Float64Array {
  for (let row = 0; row < matrix.length; row += columns) {
    let squared = 0;
    for (let k = 0; k < columns; k++) squared += matrix[row + k] ** 2;
    const scale = squared > 0 ? 1 / Math.sqrt(squared) : 0;
    for (let k = 0; k < columns; k++) matrix[row + k] *= scale;
  }
  return matrix;
}
