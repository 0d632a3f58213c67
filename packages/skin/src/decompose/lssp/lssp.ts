/**
 * Skinning of "Learning skeletons for shape and pose" (LSSP): near-rigid parts by spectral clustering, then ten rounds of
 * block coordinate descent with an ℓ₁ penalty instead of a limit on the number of weights, and with Levenberg–Marquardt
 * for the rigid bones. Sparsity and Σw = 1 are imposed only at the end: among the bones that the penalty left, each vertex
 * keeps the K whose removal would cost most (the published rule, the K largest, gives two to three times the error), its
 * weights are solved again with Σw = 1, and a few rounds on fixed supports follow.
 *
 * Experiments: docs/experiments/lssp.md.
 *
 * References: Hasler, Thormählen, Rosenhahn, Seidel. Learning skeletons for shape and pose. 2010. Le, Deng. Mesh
 * animation decomposition and compression. SIGGRAPH course 2014, section 2.2.
 */

import { SkinningSystem, type Trajectories } from '@pelt/kernels';
import { type Block, gemm, matrixOf, type Numerics, transposed } from '@pelt/math';
import { checkCancelled, IDENTITY_TRANSFORM, type RunContext } from '@pelt/model';
import type { EdgeGraph } from '../../shared/mesh/edge-graph.ts';
import { eRmsOf } from '../../shared/search/rounds.ts';
import { LevenbergBones } from './levenberg-bones.ts';
import { addPairGram, contract, motionProducts } from './motion-products.ts';
import { SparseWeights } from './sparse-weights.ts';
import { spectralClusters } from './spectral-clusters.ts';

export interface LsspOptions {
  /** `auto`: as many as the spectrum of the motion shows. */
  readonly bones: number | 'auto';
  /** K, maximum weights per vertex. */
  readonly weights: number;
}

const ROUNDS = 10;
/** λ of the ℓ₁ term relative to ‖v‖² of the vertex: large enough to break ties, too small to affect the error. */
const SPARSITY = 1e-4;
/** Levenberg–Marquardt steps per round, warm-started from the previous one. */
const BONE_STEPS = 2;
/** Candidates among which K bones are kept: the largest weights that the penalty left. */
const CANDIDATES = 8;
/** Rounds on fixed supports. */
const SETTLING = 5;
/** Total number of rounds. */
export const LSSP_ROUNDS = ROUNDS + SETTLING;

/** The caller disposes the system, which contains bones, weights and errors. */
export function decomposeLssp(
  trajectories: Trajectories,
  graph: EdgeGraph,
  { bones: wanted, weights: slots }: LsspOptions,
  numerics: Numerics,
  context?: RunContext,
): SkinningSystem {
  context?.onProgress?.({ stage: 'clustering', fraction: 0 });
  const labels = spectralClusters(trajectories, graph, wanted, numerics, context);
  const bones = wanted === 'auto' ? 1 + labels.reduce((most, label) => Math.max(most, label), 0) : wanted;
  const dense = new SkinningSystem(numerics, trajectories, bones, bones);
  const scope = numerics.scope();
  const report = (round: number, error: number) => {
    checkCancelled(context);
    const eRms = eRmsOf(dense, Math.max(error, 0));
    context?.onProgress?.({
      stage: 'fitting bones and weights',
      fraction: 0.2 + (0.8 * round) / LSSP_ROUNDS,
      detail: `round ${round}, E_RMS ${eRms.toFixed(3)}`,
    });
  };
  start(dense, labels);
  for (let round = 1; round <= ROUNDS; round++) {
    report(round, solveWeights(dense, trajectories, numerics, context));
    if (round < ROUNDS) solveBones(dense, numerics);
  }
  const count = Math.min(CANDIDATES, bones);
  const candidates = scope.i32(dense.n * count);
  sortSlots(dense);
  takeCandidates(dense, candidates, count);
  const all = Array.from({ length: bones }, (_, j) => j);
  const system = dense.withBones(all, 0, Math.min(slots, bones));
  dense.dispose();
  for (let round = 1; round <= SETTLING; round++) {
    system.solveWeightsAmong(candidates, count);
    report(ROUNDS + round, system.totalError());
    solveBones(system, numerics);
  }
  system.solveWeightsAmong(candidates, count);
  scope.dispose();
  return system;
}

/** Slot j of every vertex is bone j, with weight 1 for the vertex's cluster. */
function start(system: SkinningSystem, labels: Int32Array): void {
  const { n, m, S } = system;
  const { bones, weights } = system.editWeights();
  const transforms = system.editTransforms();
  for (let k = 0; k < S * m * 12; k += 12) transforms.set(IDENTITY_TRANSFORM, k);
  for (let k = 0; k < n * m; k++) bones[k] = k % m;
  for (let i = 0; i < n; i++) weights[i * m + labels[i]] = 1;
  system.solveRigidBones(1);
}

/** Penalised weights; returns the sum of squared errors. */
function solveWeights(
  system: SkinningSystem,
  trajectories: Trajectories,
  numerics: Numerics,
  context: RunContext | undefined,
): number {
  const { m } = system;
  const { rest, squaredNorms } = trajectories;
  const transforms = system.transforms.view.slice();
  const grams = new Float64Array(10 * m * m);
  for (let j = 0; j < m; j++) for (let k = 0; k <= j; k++) addPairGram(transforms, m, j, k, grams, 10 * (j * m + k));
  const solver = new SparseWeights(m);
  const gram = new Float64Array(m * m);
  // Products are computed in wasm memory, which may grow meanwhile, so weights are solved in a separate array.
  const weights = system.weights.view.slice();
  let error = 0;
  const visit = (i: number, products: Float64Array) => {
    const [x, y, z] = [rest[3 * i], rest[3 * i + 1], rest[3 * i + 2]];
    for (let j = 0; j < m; j++) {
      for (let k = 0; k <= j; k++) gram[j * m + k] = gram[k * m + j] = contract(grams, 10 * (j * m + k), x, y, z);
    }
    error += squaredNorms[i] - solver.solve(gram, products, SPARSITY * squaredNorms[i], weights, i * m);
  };
  motionProducts(numerics, trajectories, transforms, m, visit, context);
  system.editWeights().weights.set(weights);
  return error;
}

function solveBones(system: SkinningSystem, numerics: Numerics): void {
  const { m, S } = system;
  const { basis, r, R } = system.trajectoryBasis;
  const scope = numerics.scope();
  const solver = new LevenbergBones(numerics, m, system.moments.slice());
  try {
    // Q of all frames, 3S × 4m: row 3t + d contains row d of every bone's 3 × 4.
    const expanded = scope.f64(12 * S * m);
    const products = transposed(matrixOf(system.trajectoryMoments, 4 * m, r, R));
    gemm(numerics, 1, transposed(matrixOf(basis, r, 3 * S)), products, 0, matrixOf(expanded, 3 * S, 4 * m));
    const q = new Float64Array(12 * m);
    for (let t = 0; t < S; t++) {
      const rows = expanded.view.subarray(12 * m * t, 12 * m * (t + 1));
      for (let j = 0; j < m; j++) {
        for (let e = 0; e < 12; e++) q[12 * j + e] = rows[4 * m * Math.floor(e / 4) + 4 * j + (e % 4)];
      }
      const bones = system.transforms.view.slice(12 * m * t, 12 * m * (t + 1));
      solver.solve(bones, q, BONE_STEPS);
      system.editTransforms().set(bones, 12 * m * t);
    }
  } finally {
    solver.dispose();
    scope.dispose();
  }
}

/** Sorts the slots of every vertex by decreasing weight. */
function sortSlots(system: SkinningSystem): void {
  const { n, m } = system;
  const { bones, weights } = system.editWeights();
  for (let i = 0; i < n; i++) {
    const row = weights.slice(i * m, (i + 1) * m);
    const order = Array.from(row.keys()).sort((a, b) => row[b] - row[a] || a - b);
    order.forEach((j, s) => {
      bones[i * m + s] = j;
      weights[i * m + s] = row[j];
    });
  }
}

/** The bones of largest weight of each vertex; if the penalty left none, those that individually explain it best. */
function takeCandidates(system: SkinningSystem, candidates: Block<Int32Array>, count: number): void {
  const { n, m } = system;
  system.nearestBones(candidates, count);
  const [bones, weights, out] = [system.boneIndices.view, system.weights.view, candidates.view];
  for (let i = 0; i < n; i++) {
    if (weights[i * m] === 0) continue;
    for (let s = 0; s < count; s++) out[i * count + s] = weights[i * m + s] > 0 ? bones[i * m + s] : -1;
  }
}
