/**
 * A skeleton with one more bone, for a patch of skin that is explained badly: the bone moves the patch as a rigid body and
 * hangs from the bone that moved most of it, by a joint at the centre of the patch's border.
 */
import { type SkinningSystem, skeletonTree } from '@pelt/kernels';
import { IDENTITY_TRANSFORM } from '@pelt/model';
import { averaged } from '../shared/mesh/averaged.ts';
import type { EdgeGraph } from '../shared/mesh/edge-graph.ts';
import { patchAround } from '../shared/mesh/patch.ts';
import type { JointedTree } from './joint-tree.ts';

/** A skeleton in the course of its search. */
export interface Candidate extends JointedTree {
  readonly system: SkinningSystem;
}

/** Rings over which errors are averaged before they are compared: a region counts, not a vertex. */
const AVERAGED_RINGS = 3;

/**
 * Vertices around which another bone may help, worst first: of the vertices that each bone moves most, the one with the
 * largest error around it.
 */
export function worstPlaces({ n, m, K, boneIndices, weights, error }: SkinningSystem, graph: EdgeGraph): number[] {
  const around = averaged(error.view, graph, AVERAGED_RINGS);
  const worst = new Int32Array(m).fill(-1);
  for (let i = 0; i < n; i++) {
    let most = i * K;
    for (let s = i * K; s < (i + 1) * K; s++) if (weights.view[s] > weights.view[most]) most = s;
    const j = boneIndices.view[most];
    if (worst[j] < 0 || around[i] > around[worst[j]]) worst[j] = i;
  }
  return Array.from(worst)
    .filter((i) => i >= 0)
    .sort((a, b) => around[b] - around[a]);
}

/** @param size  vertices of the patch. The caller disposes both systems. */
export function withAddedBone(
  { system, tree, joints }: Candidate,
  graph: EdgeGraph,
  at: number,
  size: number,
): Candidate {
  const { m, K, S } = system;
  const patch = patchAround(graph, at, size);
  const shares = new Float64Array(m);
  for (const i of patch) {
    for (let s = i * K; s < (i + 1) * K; s++) shares[system.boneIndices.view[s]] += system.weights.view[s];
  }
  const parent = shares.indexOf(shares.reduce((a, b) => Math.max(a, b)));
  const more = system.withBones(Array.from(shares.keys()), 1, K);
  const { bones, weights } = more.editWeights();
  for (const i of patch) {
    weights.fill(0, i * K, (i + 1) * K);
    bones[i * K] = m;
    weights[i * K] = 1;
  }
  const transforms = more.editTransforms();
  for (let t = 0; t < S; t++) transforms.set(IDENTITY_TRANSFORM, (t * (m + 1) + m) * 12);
  more.locked.view.fill(1, 0, m);
  more.solveRigidBones(1);
  more.locked.view.fill(0);
  const placed = new Float64Array(3 * (m + 1));
  placed.set(joints);
  placed.set(borderCentre(patch, graph, more.rest.view), 3 * m);
  return { system: more, tree: skeletonTree(Int32Array.of(...tree.parents, parent)), joints: placed };
}

/** Centre of the vertices of a patch with neighbours outside of it; of all of them if there are none. */
function borderCentre(patch: readonly number[], { starts, neighbours }: EdgeGraph, positions: Float64Array): number[] {
  const inside = new Set(patch);
  const border = patch.filter((i) => neighbours.subarray(starts[i], starts[i + 1]).some((k) => !inside.has(k)));
  const points = border.length > 0 ? border : patch;
  return [0, 1, 2].map((d) => points.reduce((sum, i) => sum + positions[3 * i + d], 0) / points.length);
}
