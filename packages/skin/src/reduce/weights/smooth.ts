/**
 * Smooth weight reduction: on the supports of the K largest weights, minimise Σ_j ‖Lρ_j − Lρ̄_j‖² over convex weights ρ,
 * where ρ̄ are the original weights and L is the cotangent Laplacian (equations 35 and 36; the objective is a sum of
 * squares; in the rest pose, the only one used, equation 36 holds for all convex weights).
 *
 * Gauss–Seidel sweeps: with the neighbours fixed, the objective of a vertex is α‖ρ_i − b‖² with one α for all bones, so
 * that each step is a projection onto the simplex.
 *
 * Reference: Landreneau, Schaefer. Poisson-based weight reduction of animated meshes. 2010.
 */
import { checkCancelled, type Mesh, type RunContext, type SkinWeights, vertexCount } from '@pelt/model';
import { type CotangentOperator, cotangentOperator } from '../../shared/mesh/cotangent-operator.ts';
import { edgeGraph } from '../../shared/mesh/edge-graph.ts';
import { packWeights } from '../../shared/pack-weights.ts';
import { largestSlots } from './k-largest.ts';

/** Maximum number of sweeps, and the largest change of a weight below which they end. */
const MOST_SWEEPS = 100;
const SETTLED = 1e-4;

export function smoothWeights(
  mesh: Mesh,
  skin: SkinWeights,
  boneCount: number,
  K: number,
  context?: RunContext,
): SkinWeights {
  const n = vertexCount(mesh);
  const slots = Math.min(K, skin.slots);
  const { bones, weights } = largestSlots(skin, K);
  const operator = cotangentOperator(mesh.positions, mesh.triangles, edgeGraph(mesh.triangles, n));
  const residuals = applied(operator, changes(skin, bones, weights, slots, n, boneCount), n, boneCount);
  // Supports are the initial ones, so that a weight may return from 0.
  const supports = Array.from({ length: n }, (_, i) => usedSlots(weights, i * slots, slots));
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    checkCancelled(context);
    let largest = 0;
    for (let i = 0; i < n; i++) {
      largest = Math.max(largest, improve(i, operator, bones, weights, supports[i], residuals, boneCount));
    }
    if (largest < SETTLED) break;
  }
  return packWeights(bones, weights, slots);
}

/** n × m, ρ − ρ̄ */
function changes(
  skin: SkinWeights,
  bones: Int32Array,
  weights: Float64Array,
  slots: number,
  n: number,
  m: number,
): Float64Array {
  const difference = new Float64Array(n * m);
  for (let i = 0; i < n; i++) {
    for (let s = 0; s < skin.slots; s++)
      difference[i * m + skin.bones[i * skin.slots + s]] -= skin.weights[i * skin.slots + s];
    for (let s = 0; s < slots; s++) difference[i * m + bones[i * slots + s]] += weights[i * slots + s];
  }
  return difference;
}

/** L x for n rows of m. */
function applied(
  { starts, neighbours, values, diagonal }: CotangentOperator,
  x: Float64Array,
  n: number,
  m: number,
): Float64Array {
  const out = new Float64Array(n * m);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < m; j++) out[i * m + j] = diagonal[i] * x[i * m + j];
    for (let e = starts[i]; e < starts[i + 1]; e++) {
      for (let j = 0; j < m; j++) out[i * m + j] += values[e] * x[neighbours[e] * m + j];
    }
  }
  return out;
}

/** Optimal weights of one vertex with all others fixed; returns the largest change. */
function improve(
  i: number,
  { starts, neighbours, values, diagonal }: CotangentOperator,
  bones: Int32Array,
  weights: Float64Array,
  used: readonly number[],
  residuals: Float64Array,
  m: number,
): number {
  let alpha = diagonal[i] ** 2;
  for (let e = starts[i]; e < starts[i + 1]; e++) alpha += values[e] ** 2;
  if (alpha === 0) return 0;
  const target = used.map((k) => {
    let slope = diagonal[i] * residuals[i * m + bones[k]];
    for (let e = starts[i]; e < starts[i + 1]; e++) slope += values[e] * residuals[neighbours[e] * m + bones[k]];
    return weights[k] - slope / alpha;
  });
  projectOntoSimplex(target);
  let largest = 0;
  used.forEach((k, s) => {
    const change = target[s] - weights[k];
    weights[k] = target[s];
    largest = Math.max(largest, Math.abs(change));
    residuals[i * m + bones[k]] += diagonal[i] * change;
    for (let e = starts[i]; e < starts[i + 1]; e++) residuals[neighbours[e] * m + bones[k]] += values[e] * change;
  });
  return largest;
}

function usedSlots(weights: Float64Array, from: number, slots: number): number[] {
  return Array.from({ length: slots }, (_, s) => from + s).filter((k) => weights[k] > 0);
}

/**
 * Projection onto x ≥ 0, Σx = 1, in place: subtract one constant from all and clamp at 0.
 *
 * Reference: Held, Wolfe, Crowder. Validation of subgradient optimization. 1974.
 */
export function projectOntoSimplex(x: number[]): void {
  const sorted = [...x].sort((a, b) => b - a);
  let sum = 0;
  let fall = 0;
  sorted.forEach((value, k) => {
    sum += value;
    const candidate = (sum - 1) / (k + 1);
    if (value > candidate) fall = candidate;
  });
  for (let k = 0; k < x.length; k++) x[k] = Math.max(x[k] - fall, 0);
}
