/**
 * Initial bones by k-means: every vertex has weight 1 on one bone, clusters and their rigid transforms are found by turns.
 * Seeds are random vertices; a vertex first belongs to the nearest of them in the rest pose.
 *
 * Reference: Le, Deng. Smooth skinning decomposition with rigid bones. 2012, section 4; SIGGRAPH course 2014, section 1.4.
 */
import type { SkinningSystem } from '@pelt/kernels';
import type { Numerics, Random } from '@pelt/math';
import { checkCancelled, IDENTITY_TRANSFORM, type RunContext, TRANSFORM_SIZE } from '@pelt/model';

/** Turns of fitting and assigning, at most. */
const TURNS = 20;

/** Leaves one-hot weights and rigid transforms in the system. */
export function startFromKMeans(
  system: SkinningSystem,
  random: Random,
  numerics: Numerics,
  context: RunContext | undefined,
): void {
  const { n, m, S } = system;
  const scope = numerics.scope();
  try {
    const transforms = system.editTransforms();
    for (let k = 0; k < S * m; k++) transforms.set(IDENTITY_TRANSFORM, k * TRANSFORM_SIZE);
    const labels = scope.i32From(nearestSeeds(system.rest.view, randomVertices(n, m, random)));
    const error = scope.f64(n);
    for (let turn = 0; turn < TURNS; turn++) {
      checkCancelled(context);
      oneHot(system, labels.view);
      system.solveRigidBones(1);
      const before = labels.view.slice();
      system.assign(labels, error);
      if (before.every((label, i) => label === labels.view[i])) break;
    }
    oneHot(system, labels.view);
    system.solveRigidBones(1);
  } finally {
    scope.dispose();
  }
}

/** m of n vertices, each at most once. */
function randomVertices(n: number, m: number, random: Random): Int32Array {
  const order = Int32Array.from({ length: n }, (_, i) => i);
  for (let k = 0; k < m; k++) {
    const other = k + random.integer(n - k);
    [order[k], order[other]] = [order[other], order[k]];
  }
  return order.slice(0, m);
}

/** n indices of the nearest seed. */
function nearestSeeds(rest: Float64Array, seeds: Int32Array): Int32Array {
  return Int32Array.from({ length: rest.length / 3 }, (_, i) => {
    let [nearest, least] = [0, Number.POSITIVE_INFINITY];
    seeds.forEach((seed, k) => {
      let squared = 0;
      for (let d = 0; d < 3; d++) squared += (rest[3 * i + d] - rest[3 * seed + d]) ** 2;
      if (squared < least) [nearest, least] = [k, squared];
    });
    return nearest;
  });
}

function oneHot(system: SkinningSystem, labels: Int32Array): void {
  const { n, K } = system;
  const { bones, weights } = system.editWeights();
  bones.fill(0);
  weights.fill(0);
  for (let i = 0; i < n; i++) {
    bones[i * K] = labels[i];
    weights[i * K] = 1;
  }
}
