/**
 * Many rigid clusters to prune from, quickly: assign every vertex to the bone that explains it best, refit, then seed a
 * batch of new bones, half as many as there are, where the motion is explained worst and apart from each other. A
 * misplaced bone does no harm here: there are more than enough, and the worst are removed later.
 *
 * Reference: Le, Deng. Robust and accurate skeletal rigging from mesh sequences. 2014, section 4.1.
 */
import type { SkinningSystem } from '@pelt/kernels';
import type { Block, Numerics } from '@pelt/math';
import { checkCancelled, type RunContext } from '@pelt/model';
import { FAR_AWAY, oneHot, placeBone, SEED_VERTICES, worstVertex } from '../decompose/cluster-start.ts';
import type { EdgeGraph } from '../shared/mesh/edge-graph.ts';
import { patchAround } from '../shared/mesh/patch.ts';

/** Size of a batch relative to the current number of bones. */
const GROWTH = 0.5;
/** Assign-and-refit iterations after each batch, and after the last. */
const SETTLING_TURNS = 2;
const FINAL_TURNS = 3;
/**
 * Proximal term of rotations, in squared radii: a cluster of one or two vertices, whose rotation would otherwise be decided by
 * rounding, keeps that of the bone it was part of.
 */
export const STEADINESS = 1e-5;

/** Leaves one-hot weights and rigid transforms in the system, whose frames are in units of the model's size. */
export function growClusters(
  system: SkinningSystem,
  numerics: Numerics,
  graph: EdgeGraph,
  context: RunContext | undefined,
): void {
  const { n, m } = system;
  const scope = numerics.scope();
  const best = scope.i32(n);
  const error = scope.f64(n);
  for (let j = 0; j < m; j++) placeBone(system, j, j === 0 ? 0 : FAR_AWAY);
  refit(system, best, error, m);
  for (let placed = 1; placed < m; ) {
    checkCancelled(context);
    const batch = Math.min(m - placed, Math.max(1, Math.floor(GROWTH * placed)));
    const unexplained = error.view.slice();
    // Seeds are kept apart by half the mean size of a cluster.
    const apart = Math.ceil(n / (2 * (placed + batch)));
    for (let j = placed; j < placed + batch; j++) {
      const worst = worstVertex(unexplained);
      copyBone(system, best.view[worst], j);
      for (const i of patchAround(graph, worst, SEED_VERTICES)) best.view[i] = j;
      for (const i of patchAround(graph, worst, apart)) unexplained[i] = 0;
    }
    placed += batch;
    for (let turn = 0; turn < SETTLING_TURNS; turn++) refit(system, best, error, m);
  }
  for (let turn = 0; turn < FINAL_TURNS; turn++) refit(system, best, error, m);
  oneHot(system, best.view);
  scope.dispose();
}

/** Fits all bones to their vertices, then assigns each vertex to the best of the first `bones`. */
function refit(system: SkinningSystem, best: Block<Int32Array>, error: Block<Float64Array>, bones: number): void {
  oneHot(system, best.view);
  system.solveRigidBones(1, STEADINESS);
  system.assign(best, error, bones);
}

/** Gives bone `to` the transforms of bone `from`. */
function copyBone(system: SkinningSystem, from: number, to: number): void {
  const { S, m } = system;
  const transforms = system.editTransforms();
  for (let t = 0; t < S; t++) {
    const at = (t * m + from) * 12;
    transforms.copyWithin((t * m + to) * 12, at, at + 12);
  }
}
