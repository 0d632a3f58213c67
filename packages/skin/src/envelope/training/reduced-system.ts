/**
 * The Poisson problem of a learnt skin, restricted to P proxy bones: with y_i = Σ_b α_ib T_b p̂_i for free vertices,
 * y_i = Σⱼ w_ij M_j p̂_i for fixed ones and D_k = Σ_l β_kl D_l, the optimal T is linear in the key gradients and the bones,
 *
 *   T = C₁ d + C₂ q,   C₁ = A⁻¹ B₁,   C₂ = A⁻¹ B₂,
 *
 * one system for each of x, y, z, all with the same 4P × 4P matrix A.
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007 (appendix A).
 */
import { DenseCholesky } from '@pelt/math';
import { boundsOf, checkCancelled, diagonalOf, type Envelope, type Run, type SkinWeights } from '@pelt/model';
import { edgeWeights } from '../runtime/gradient-surface.ts';

/** Tikhonov term on A's diagonal, relative to its mean, for proxies without vertices or with coplanar ones. */
const REGULAR = 1e-8;
/** Triangles between two looks at the signal. */
const BATCH = 256;

export interface ReducedMatrices {
  /** 4P × 3L */
  readonly fromKeys: Float64Array;
  /** 4P × 4m */
  readonly fromBones: Float64Array;
}

/** A sparse row. */
interface Row {
  readonly places: number[];
  readonly values: number[];
}

/**
 * @param proxies  n × K weights over the P proxies
 * @param shares   β, f × L
 */
export function reducedMatrices(
  envelope: Envelope,
  proxies: SkinWeights,
  P: number,
  shares: Float64Array,
  run: Run,
): ReducedMatrices {
  const { rig, fixed, pull } = envelope;
  const { positions: p, triangles } = rig.mesh;
  const [rows, columns, m4] = [4 * P, 3 * (shares.length / (triangles.length / 3)), 4 * rig.bones.length];
  const keyCount = columns / 3;
  const A = new Float64Array(rows * rows);
  const fromKeys = new Float64Array(rows * columns);
  const fromBones = new Float64Array(rows * m4);
  // Positions relative to the centroid, in units of the size, so that translations and gradients are balanced.
  const size = diagonalOf(boundsOf(p)) || 1;
  const middle = [0, 1, 2].map((c) =>
    p.length > 0 ? p.reduce((s, x, k) => (k % 3 === c ? s + x : s), 0) / (p.length / 3) : 0,
  );
  const free = (i: number) => rowOf(proxies, i, (c) => (c < 3 ? (p[3 * i + c] - middle[c]) / size : 1));
  const held = (i: number) => rowOf(rig.weights, i, (c) => (c < 3 ? p[3 * i + c] : 1));
  const weights = edgeWeights(p, triangles);
  const along = new Float64Array(3);
  const force = new Map<number, Float64Array>();
  for (let k = 0; 3 * k < triangles.length; k++) {
    if (k % BATCH === 0) checkCancelled(run);
    force.clear();
    for (let e = 3 * k; e < 3 * k + 3; e++) {
      const [a, b] = [triangles[e], triangles[e % 3 === 2 ? e - 2 : e + 1]];
      if (a === b || (fixed[a] && fixed[b])) continue;
      for (let c = 0; c < 3; c++) along[c] = p[3 * b + c] - p[3 * a + c];
      const g = difference(fixed[a] ? undefined : free(a), fixed[b] ? undefined : free(b));
      const h = difference(fixed[a] ? held(a) : undefined, fixed[b] ? held(b) : undefined);
      addOuter(A, rows, g, g, weights[e]);
      addOuter(fromBones, m4, g, h, -weights[e]);
      g.places.forEach((place, s) => {
        const sum = force.get(place) ?? new Float64Array(3);
        for (let c = 0; c < 3; c++) sum[c] += weights[e] * g.values[s] * along[c];
        force.set(place, sum);
      });
    }
    for (const [place, sum] of force) {
      for (let l = 0, at = place * columns; l < keyCount; l++, at += 3) {
        const share = shares[k * keyCount + l];
        for (let c = 0; c < 3; c++) fromKeys[at + c] += share * sum[c];
      }
    }
  }
  if (pull > 0) addPull(A, fromBones, rows, m4, envelope, weights, free, held);
  factorAndSolve(run, A, rows, fromKeys, fromBones);
  toModel(fromKeys, columns, middle, size);
  toModel(fromBones, m4, middle, size);
  return { fromKeys, fromBones };
}

/** κ' Σ ‖y_i − g_i‖² over the free vertices, g the linear blend. */
function addPull(
  A: Float64Array,
  fromBones: Float64Array,
  rows: number,
  m4: number,
  { rig, fixed, pull }: Envelope,
  weights: Float64Array,
  free: (i: number) => Row,
  held: (i: number) => Row,
): void {
  const { triangles } = rig.mesh;
  let total = 0;
  for (let e = 0; e < triangles.length; e++) {
    const [a, b] = [triangles[e], triangles[e % 3 === 2 ? e - 2 : e + 1]];
    if (a !== b) total += weights[e] * ((fixed[a] ? 0 : 1) + (fixed[b] ? 0 : 1));
  }
  const count = fixed.reduce((sum, flag) => sum + (flag ? 0 : 1), 0);
  const kappa = count > 0 ? (pull * total) / count : 0;
  fixed.forEach((flag, i) => {
    if (flag) return;
    const g = free(i);
    addOuter(A, rows, g, g, kappa);
    addOuter(fromBones, m4, g, held(i), kappa);
  });
}

function factorAndSolve(run: Run, A: Float64Array, rows: number, ...sides: Float64Array[]): void {
  let trace = 0;
  for (let r = 0; r < rows; r++) trace += A[r * rows + r];
  for (let r = 0; r < rows; r++) A[r * rows + r] += (REGULAR * trace) / rows || 1;
  const cholesky = new DenseCholesky(run.numerics, rows);
  try {
    cholesky.factor(A);
    for (const side of sides) {
      checkCancelled(run);
      cholesky.solveInPlace(side, side.length / rows);
    }
  } finally {
    cholesky.dispose();
  }
}

/** Takes rows of transforms relative to the centroid, in units of the size, to the model's own coordinates. */
function toModel(matrix: Float64Array, columns: number, middle: readonly number[], size: number): void {
  for (let at = 0; at < matrix.length; at += 4 * columns) {
    for (let k = at; k < at + columns; k++) {
      for (let c = 0; c < 3; c++) {
        matrix[k + c * columns] /= size;
        matrix[k + 3 * columns] -= matrix[k + c * columns] * middle[c];
      }
    }
  }
}

function rowOf({ slots, bones, weights }: SkinWeights, i: number, at: (c: number) => number): Row {
  const row: Row = { places: [], values: [] };
  for (let s = i * slots; s < (i + 1) * slots; s++) {
    if (weights[s] === 0) continue;
    for (let c = 0; c < 4; c++) {
      row.places.push(4 * bones[s] + c);
      row.values.push(weights[s] * at(c));
    }
  }
  return row;
}

/** b − a. */
function difference(a: Row | undefined, b: Row | undefined): Row {
  return {
    places: [...(b?.places ?? []), ...(a?.places ?? [])],
    values: [...(b?.values ?? []), ...(a?.values.map((value) => -value) ?? [])],
  };
}

function addOuter(matrix: Float64Array, columns: number, a: Row, b: Row, factor: number): void {
  for (let r = 0; r < a.places.length; r++) {
    const at = a.places[r] * columns;
    const value = factor * a.values[r];
    for (let c = 0; c < b.places.length; c++) matrix[at + b.places[c]] += value * b.values[c];
  }
}
