/**
 * Example frames in solver coordinates. Positions are relative to the centroid (of the rest pose, of each frame) and in
 * units of the rest pose's enclosing radius, so that errors are E_RMS directly, and distant coordinates or root motion
 * cost no precision. The 3S × n matrix of trajectories of a long sequence has nearly low rank: an orthonormal basis of r
 * rows with a negligible residual replaces its 3S rows.
 *
 * The basis consists of principal directions of a sample of vertices, which is extended by the vertices of largest
 * residual until all are represented; coefficients are computed block by block, so that the sequence is never copied.
 *
 * Reference: Kavan, Sloan, O'Sullivan. Fast and efficient skinning of animated meshes. 2010, section 4.
 */
import {
  enclosingBall,
  gemm,
  matrixOf,
  type Numerics,
  symmetricEigen,
  type Trajectories,
  transposed,
} from '@pelt/math';
import { checkCancelled, frameAt, frameCount, type MeshSequence, type RunContext, vertexCount } from '@pelt/model';

export interface PreparedTrajectories {
  readonly trajectories: Trajectories;
  /** Length of one solver unit in model units. */
  readonly radius: number;
  /** Origin of the solver's rest pose, in model space. */
  readonly centre: readonly [number, number, number];
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
/** Vertices per block. */
const BLOCK = 512;
/** Maximum number of extensions of the sample. */
const ENLARGEMENTS = 3;

export function prepareTrajectories(
  sequence: MeshSequence,
  numerics: Numerics,
  context?: RunContext,
): PreparedTrajectories {
  const n = vertexCount(sequence.rest);
  const S = frameCount(sequence);
  const radius = enclosingBall(sequence.rest.positions).radius || 1;
  const centre = centroid(sequence.rest.positions);
  const centres = Array.from({ length: S }, (_, t) => centroid(frameAt(sequence, t)));
  const rest = new Float64Array(3 * n);
  for (let k = 0; k < rest.length; k++) rest[k] = (sequence.rest.positions[k] - centre[k % 3]) / radius;

  /** Writes the trajectory of vertex i, 3S numbers. */
  const gather = (i: number, out: Float64Array, at: number): void => {
    for (let t = 0, k = at; t < S; t++) {
      const v = 3 * (t * n + i);
      const c = centres[t];
      out[k++] = (sequence.frames[v] - c[0]) / radius;
      out[k++] = (sequence.frames[v + 1] - c[1]) / radius;
      out[k++] = (sequence.frames[v + 2] - c[2]) / radius;
    }
  };

  const rows = 3 * S;
  let basis = rows <= SMALL || n === 0 ? identity(rows) : undefined;
  let coefficients: Float64Array | undefined;
  const squaredNorms = new Float64Array(n);
  const residuals = new Float64Array(n);
  const sample = evenly(n, SAMPLE);
  for (let turn = 0; coefficients === undefined; turn++) {
    basis ??= principalBasis(sample, rows, gather, numerics);
    coefficients = projectTrajectories(n, rows, basis, gather, squaredNorms, residuals, numerics, context);
    const limit = RESIDUAL ** 2 * rows;
    const worst = residuals.reduce((a, b) => Math.max(a, b), 0);
    // A single vertex may have ten times the residual of the mean.
    if (worst <= 100 * limit || turn === ENLARGEMENTS) break;
    sample.push(...worstOf(residuals, Math.ceil(SAMPLE / 4), limit));
    basis = undefined;
    coefficients = undefined;
  }
  if (!basis || !coefficients) throw new Error('unreachable: the loop ends with a basis');

  return {
    trajectories: { rest, basis, coefficients, squaredNorms },
    radius,
    centre,
    transformsToModel: (transforms, bones) => convert(transforms, bones, centre, centres, radius, toModel),
    transformsToSolver: (transforms, bones) => convert(transforms, bones, centre, centres, radius, toSolver),
    restToModel: (values) => Float32Array.from(values, (value, k) => value * radius + centre[k % 3]),
  };
}

type Point = readonly [number, number, number];

function centroid(positions: Float32Array): Point {
  const sum = [0, 0, 0];
  for (let k = 0; k < positions.length; k++) sum[k % 3] += positions[k];
  const count = Math.max(positions.length / 3, 1);
  return [sum[0] / count, sum[1] / count, sum[2] / count];
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

/** Leading principal directions (r × rows) of the sampled trajectories, as many as RESIDUAL requires. */
export function principalBasis(
  sample: readonly number[],
  rows: number,
  gather: (i: number, out: Float64Array, at: number) => void,
  numerics: Numerics,
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
    const enough = Math.max(RESIDUAL ** 2 * rows * q, 1e-14 * left2);
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

/** n × r coefficients of all vertices in a basis; also computes their squared norms and residuals. */
export function projectTrajectories(
  n: number,
  rows: number,
  basis: Float64Array,
  gather: (i: number, out: Float64Array, at: number) => void,
  squaredNorms: Float64Array,
  residuals: Float64Array,
  numerics: Numerics,
  context: RunContext | undefined,
): Float64Array {
  const r = basis.length / rows;
  const coefficients = new Float64Array(n * r);
  const scope = numerics.scope();
  try {
    const basisBlock = scope.f64From(basis);
    const block = scope.f64(BLOCK * rows);
    const product = scope.f64(BLOCK * r);
    for (let first = 0; first < n; first += BLOCK) {
      checkCancelled(context);
      const count = Math.min(BLOCK, n - first);
      const values = block.view;
      for (let k = 0; k < count; k++) gather(first + k, values, k * rows);
      gemm(
        numerics,
        1,
        matrixOf(block, count, rows),
        transposed(matrixOf(basisBlock, r, rows)),
        0,
        matrixOf(product, count, r),
      );
      coefficients.set(product.view.subarray(0, count * r), first * r);
      for (let k = 0; k < count; k++) {
        let all = 0;
        for (let a = k * rows; a < (k + 1) * rows; a++) all += values[a] ** 2;
        let kept = 0;
        for (let a = (first + k) * r; a < (first + k + 1) * r; a++) kept += coefficients[a] ** 2;
        squaredNorms[first + k] = all;
        residuals[first + k] = Math.max(all - kept, 0);
      }
    }
    return coefficients;
  } finally {
    scope.dispose();
  }
}

/** v = R p + T in the sequence ⇔ ṽ = R p̃ + T̃ with p = ρp̃ + c, v_t = ρṽ + c_t: only translations differ. */
const toModel = (T: number, rotatedCentre: number, ct: number, radius: number) => radius * T + ct - rotatedCentre;
const toSolver = (T: number, rotatedCentre: number, ct: number, radius: number) => (T - ct + rotatedCentre) / radius;

function convert(
  transforms: Float64Array,
  bones: number,
  centre: Point,
  centres: readonly Point[],
  radius: number,
  translation: typeof toModel,
): Float64Array {
  const out = transforms.slice();
  for (let t = 0, k = 0; t < centres.length; t++) {
    for (let row = 0; row < 3 * bones; row++, k += 4) {
      const rotated = out[k] * centre[0] + out[k + 1] * centre[1] + out[k + 2] * centre[2];
      out[k + 3] = translation(out[k + 3], rotated, centres[t][row % 3], radius);
    }
  }
  return out;
}
