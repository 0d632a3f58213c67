/**
 * Rigid clusters as the initialisation of SSDR: assign every vertex to the bone that explains it best, refit the bones,
 * seed the next bone at the vertex that is explained worst, until all bones are placed. This always gives the requested
 * number of bones, reaches disconnected parts of a mesh, and is deterministic.
 *
 * On the way it passes every smaller number of clusters. Their errors predict those of converged fits, which are a nearly
 * constant fraction of them, so that a number of bones can be chosen without fitting at each.
 *
 * Reference: Le, Deng. Smooth skinning decomposition with rigid bones. 2012, section 4.
 */
import type { SkinningSystem } from '@pelt/kernels';
import type { Block, Numerics } from '@pelt/math';
import { checkCancelled, type RunContext } from '@pelt/model';
import { averaged } from '../shared/mesh/averaged.ts';
import type { EdgeGraph } from '../shared/mesh/edge-graph.ts';
import { patchAround } from '../shared/mesh/patch.ts';

/** Vertices that define a new bone: enough for a stable rotation in every frame. */
export const SEED_VERTICES = 20;

/** Where the next cluster is seeded; different rules lead to different local minima. */
export interface Seeding {
  /** Vertices that define the new bone. */
  readonly vertices: number;
  /** Rings over which errors are averaged to find the worst vertex. */
  readonly rings: number;
}

export const WORST_VERTEX: Seeding = { vertices: SEED_VERTICES, rings: 0 };
/** Assign-and-refit iterations after each new cluster, and after the last. */
const SETTLING_TURNS = 2;
const FINAL_TURNS = 4;
/** Offset of bones that have no vertices yet: far enough that no vertex is assigned to them. */
export const FAR_AWAY = 1e3;

/** An intermediate number of clusters: their total squared error, and the cluster of each vertex. */
export interface ClusterStage {
  readonly error: number;
  readonly labels: Uint16Array;
}

/**
 * Leaves one-hot weights and rigid transforms in the system, whose frames are in units of the model's size. Locked bones
 * keep their transforms and are present from the start.
 *
 * @param onStage  called for every intermediate number of clusters
 * @param seeding  where the next cluster is seeded
 */
export function startFromClusters(
  system: SkinningSystem,
  numerics: Numerics,
  graph: EdgeGraph,
  context: RunContext | undefined,
  onStage?: (stage: ClusterStage) => void,
  seeding = WORST_VERTEX,
): void {
  const scope = numerics.scope();
  try {
    const best = scope.i32(system.n);
    const error = scope.f64(system.n);
    const given = system.locked.view.reduce((sum, flag) => sum + flag, 0);
    for (let j = given; j < system.m; j++) placeBone(system, j, j === 0 ? 0 : FAR_AWAY);
    system.assign(best, error, Math.max(given, 1));
    if (given === 0) refit(system, best, error, 1);
    const report = () => onStage?.({ error: sumOf(error.view), labels: Uint16Array.from(best.view) });
    report();
    for (let j = Math.max(given, 1); j < system.m; j++) {
      checkCancelled(context);
      const worst = worstVertex(averaged(error.view, graph, seeding.rings));
      for (const i of patchAround(graph, worst, seeding.vertices)) best.view[i] = j;
      for (let turn = 0; turn < SETTLING_TURNS; turn++) refit(system, best, error, j + 1);
      report();
    }
    for (let turn = 0; turn < FINAL_TURNS; turn++) refit(system, best, error, system.m);
    oneHot(system, best.view);
  } finally {
    scope.dispose();
  }
}

/** The same from the labels of a stage, which has as many clusters as the system has bones. */
export function startFromLabels(system: SkinningSystem, numerics: Numerics, labels: Uint16Array): void {
  const scope = numerics.scope();
  try {
    const best = scope.i32From(labels);
    const error = scope.f64(system.n);
    for (let j = 0; j < system.m; j++) placeBone(system, j, 0);
    for (let turn = 0; turn < FINAL_TURNS; turn++) refit(system, best, error, system.m);
    oneHot(system, best.view);
  } finally {
    scope.dispose();
  }
}

/** Places a bone, unrotated, at `offset` along each axis in every frame. */
export function placeBone(system: SkinningSystem, j: number, offset: number): void {
  const { S, m } = system;
  const transforms = system.editTransforms();
  for (let t = 0; t < S; t++) {
    transforms.set([1, 0, 0, offset, 0, 1, 0, offset, 0, 0, 1, offset], (t * m + j) * 12);
  }
}

/** Fits the first `bones` to their vertices, then assigns each vertex to the best of them. */
export function refit(
  system: SkinningSystem,
  best: Block<Int32Array>,
  error: Block<Float64Array>,
  bones: number,
): void {
  oneHot(system, best.view);
  system.solveRigidBones(1);
  system.assign(best, error, bones);
}

/** Gives every vertex weight 1 on its best bone. */
export function oneHot(system: SkinningSystem, best: Int32Array): void {
  const { n, K } = system;
  const { bones, weights } = system.editWeights();
  bones.fill(0);
  weights.fill(0);
  for (let i = 0; i < n; i++) {
    bones[i * K] = best[i];
    weights[i * K] = 1;
  }
}

export function worstVertex(error: Float64Array): number {
  let worst = 0;
  for (let i = 1; i < error.length; i++) if (error[i] > error[worst]) worst = i;
  return worst;
}

function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}
