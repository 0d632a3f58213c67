/**
 * Many rigid clusters quickly, to prune from: assign every vertex to the bone that explains it best, refit, then put a
 * batch of new bones where the motion is explained worst, half as many again each time, apart from each other. A bone
 * in a poor place does no harm here: there are more than enough, and the worst are taken away later.
 *
 * Reference: Le, Deng. Robust and accurate skeletal rigging from mesh sequences. 2014, section 4.1 (clusters beyond need).
 */
import type { Numerics, SkinningSystem } from '@pelt/math';
import { checkCancelled, type RunContext } from '@pelt/model';
import { FAR_AWAY, oneHot, placeBone, refit, SEED_VERTICES, worstVertex } from '../decompose/cluster-start.ts';
import type { EdgeGraph } from '../shared/mesh/edge-graph.ts';
import { patchAround } from '../shared/mesh/patch.ts';

/** New bones in a batch, as a share of those that are there. */
const GROWTH = 0.5;
/** Assign-and-refit turns after each batch, and once all bones are there. */
const SETTLING_TURNS = 2;
const FINAL_TURNS = 3;

/** Leaves one-hot weights and rigid transforms in the system, whose frames are in units of the model's size. */
export function growClusters(
  system: SkinningSystem,
  numerics: Numerics,
  graph: EdgeGraph,
  context: RunContext | undefined,
): void {
  const { n, m } = system;
  const scope = numerics.scope();
  try {
    const best = scope.i32(n);
    const error = scope.f64(n);
    for (let j = 0; j < m; j++) placeBone(system, j, j === 0 ? 0 : FAR_AWAY);
    refit(system, best, error, m);
    for (let there = 1; there < m; ) {
      checkCancelled(context);
      const batch = Math.min(m - there, Math.max(1, Math.floor(GROWTH * there)));
      const unexplained = error.view.slice();
      // Half of a cluster's mean size keeps two seeds from taking the same place.
      const apart = Math.ceil(n / (2 * (there + batch)));
      for (let j = there; j < there + batch; j++) {
        const worst = worstVertex(unexplained);
        for (const i of patchAround(graph, worst, SEED_VERTICES)) best.view[i] = j;
        for (const i of patchAround(graph, worst, apart)) unexplained[i] = 0;
      }
      there += batch;
      for (let turn = 0; turn < SETTLING_TURNS; turn++) refit(system, best, error, m);
    }
    for (let turn = 0; turn < FINAL_TURNS; turn++) refit(system, best, error, m);
    oneHot(system, best.view);
  } finally {
    scope.dispose();
  }
}
