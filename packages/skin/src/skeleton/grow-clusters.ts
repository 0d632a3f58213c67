/**
 * Many rigid clusters quickly, to prune from: assign every vertex to the bone that explains it best, refit, then put a
 * batch of new bones where the motion is explained worst, half as many again each time, apart from each other. A bone
 * in a poor place does no harm here: there are more than enough, and the worst are taken away later.
 *
 * Reference: Le, Deng. Robust and accurate skeletal rigging from mesh sequences. 2014, section 4.1 (clusters beyond need).
 */
import type { Block, Numerics, SkinningSystem } from '@pelt/math';
import { checkCancelled, type RunContext } from '@pelt/model';
import { SEED_VERTICES } from '../decompose/cluster-start.ts';
import type { EdgeGraph } from '../shared/mesh/edge-graph.ts';
import { patchAround } from '../shared/mesh/patch.ts';

/** New bones in a batch, as a share of those that are there. */
const GROWTH = 0.5;
/** Assign-and-refit turns after each batch, and once all bones are there. */
const SETTLING_TURNS = 2;
const FINAL_TURNS = 3;
/** Where bones wait that have no vertices yet: so far off that no vertex is assigned to them. */
const FAR_AWAY = 1e3;

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
    placeBones(system);
    refit(system, best, error);
    for (let there = 1; there < m; ) {
      checkCancelled(context);
      const batch = Math.min(m - there, Math.max(1, Math.floor(GROWTH * there)));
      const unexplained = error.view.slice();
      // Half of a cluster's mean size keeps two seeds from taking the same place.
      const apart = Math.ceil(n / (2 * (there + batch)));
      for (let j = there; j < there + batch; j++) {
        const worst = indexOfLargest(unexplained);
        for (const i of patchAround(graph, worst, SEED_VERTICES)) best.view[i] = j;
        for (const i of patchAround(graph, worst, apart)) unexplained[i] = 0;
      }
      there += batch;
      for (let turn = 0; turn < SETTLING_TURNS; turn++) refit(system, best, error);
    }
    for (let turn = 0; turn < FINAL_TURNS; turn++) refit(system, best, error);
    assignOnly(system, best.view);
  } finally {
    scope.dispose();
  }
}

function placeBones({ S, m, transforms }: SkinningSystem): void {
  for (let k = 0; k < S * m; k++) {
    const offset = k % m === 0 ? 0 : FAR_AWAY;
    transforms.view.set([1, 0, 0, offset, 0, 1, 0, offset, 0, 0, 1, offset], 12 * k);
  }
}

function refit(system: SkinningSystem, best: Block<Int32Array>, error: Block<Float64Array>): void {
  assignOnly(system, best.view);
  system.gatherMoments();
  system.solveRigidBones(1);
  system.transformsChanged();
  system.assign(best, error);
}

/** Every vertex wholly to its best bone. */
function assignOnly({ n, K, boneIndices, weights }: SkinningSystem, best: Int32Array): void {
  boneIndices.view.fill(0);
  weights.view.fill(0);
  for (let i = 0; i < n; i++) {
    boneIndices.view[i * K] = best[i];
    weights.view[i * K] = 1;
  }
}

function indexOfLargest(values: Float64Array): number {
  let at = 0;
  for (let k = 1; k < values.length; k++) if (values[k] > values[at]) at = k;
  return at;
}
