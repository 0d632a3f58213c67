/**
 * Rigid clusters as the initialisation of a search: assign every vertex to the bone that explains it best, refit the bones,
 * seed the next bones where the motion is explained worst, until all are placed. This always gives the requested number of
 * bones, reaches disconnected parts of a mesh, and is deterministic.
 *
 * One bone at a time, it passes every smaller number of clusters. Their errors predict those of converged fits, which are a
 * nearly constant fraction of them, so that a number of bones can be chosen without fitting at each. In batches, each a
 * share of the bones placed so far, it is many times as fast; a misplaced bone does no harm where many are pruned later.
 *
 * References: Le, Deng. Smooth skinning decomposition with rigid bones. 2012, section 4. Le, Deng. Robust and accurate
 * skeletal rigging from mesh sequences. 2014, section 4.1 (batches).
 */
import type { SkinningSystem } from '@pelt/kernels';
import type { Block, Numerics } from '@pelt/math';
import { checkCancelled, type RunContext } from '@pelt/model';
import { averaged } from '../mesh/averaged.ts';
import type { EdgeGraph } from '../mesh/edge-graph.ts';
import { patchAround } from '../mesh/patch.ts';
import { worstVertices } from './moves.ts';

/** How clusters are seeded and settled; different rules lead to different local minima. */
export interface Seeding {
  /** Vertices that define a new bone: enough for a stable rotation in every frame. */
  readonly vertices: number;
  /** Rings over which errors are averaged to find the worst vertex. */
  readonly rings: number;
  /** Bones seeded at once, relative to those placed; 0 for one at a time. */
  readonly batch: number;
  /** Vertices between seeds of one batch, relative to the mean of a cluster. */
  readonly apart: number;
  /** Assign-and-refit iterations after each batch, and after the last. */
  readonly turns: number;
  readonly lastTurns: number;
  /**
   * Proximal term of rotations, in squared radii: a cluster of one or two vertices, whose rotation would otherwise be
   * decided by rounding, keeps that of the bone it was part of; 0 for none.
   */
  readonly steadiness: number;
}

/** Offset of bones that have no vertices yet: far enough that no vertex is assigned to them. */
const FAR_AWAY = 1e3;

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
 */
export function startFromClusters(
  system: SkinningSystem,
  numerics: Numerics,
  graph: EdgeGraph,
  seeding: Seeding,
  context: RunContext | undefined,
  onStage?: (stage: ClusterStage) => void,
): void {
  const { n, m } = system;
  const scope = numerics.scope();
  try {
    const best = scope.i32(n);
    const error = scope.f64(n);
    const given = system.locked.view.reduce((sum, flag) => sum + flag, 0);
    for (let j = given; j < m; j++) placeBone(system, j, j === 0 ? 0 : FAR_AWAY);
    system.assign(best, error, Math.max(given, 1));
    const refitAll = (bones: number) => refit(system, best, error, bones, seeding.steadiness);
    if (given === 0) refitAll(1);
    const report = () => onStage?.({ error: sumOf(error.view), labels: Uint16Array.from(best.view) });
    report();
    for (let placed = Math.max(given, 1); placed < m; ) {
      checkCancelled(context);
      const batch = Math.min(m - placed, Math.max(1, Math.floor(seeding.batch * placed)));
      const apart = Math.ceil((seeding.apart * n) / (placed + batch));
      const seeds = worstVertices(averaged(error.view, graph, seeding.rings), graph, batch, apart);
      seeds.forEach((seed, k) => {
        if (seeding.steadiness > 0) copyMotion(system, best.view[seed], placed + k);
        for (const i of patchAround(graph, seed, seeding.vertices)) best.view[i] = placed + k;
      });
      placed += batch;
      for (let turn = 0; turn < seeding.turns; turn++) refitAll(placed);
      report();
    }
    for (let turn = 0; turn < seeding.lastTurns; turn++) refitAll(m);
    oneHot(system, best.view);
  } finally {
    scope.dispose();
  }
}

/** The same from the labels of a stage, which has as many clusters as the system has bones. */
export function startFromLabels(
  system: SkinningSystem,
  numerics: Numerics,
  labels: Uint16Array,
  { lastTurns, steadiness }: Pick<Seeding, 'lastTurns' | 'steadiness'>,
): void {
  const scope = numerics.scope();
  try {
    const best = scope.i32From(labels);
    const error = scope.f64(system.n);
    for (let j = 0; j < system.m; j++) placeBone(system, j, 0);
    for (let turn = 0; turn < lastTurns; turn++) refit(system, best, error, system.m, steadiness);
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

/** Fits bones to their vertices, then assigns each vertex to the best of the first `bones`. */
function refit(
  system: SkinningSystem,
  best: Block<Int32Array>,
  error: Block<Float64Array>,
  bones: number,
  steadiness: number,
): void {
  oneHot(system, best.view);
  system.solveRigidBones(1, steadiness);
  system.assign(best, error, bones);
}

/** Gives bone `to` the transforms of bone `from`. */
function copyMotion(system: SkinningSystem, from: number, to: number): void {
  const { S, m } = system;
  const transforms = system.editTransforms();
  for (let t = 0; t < S; t++) {
    const at = (t * m + from) * 12;
    transforms.copyWithin((t * m + to) * 12, at, at + 12);
  }
}

function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}
