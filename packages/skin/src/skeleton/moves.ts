/**
 * The moves of a search for a skeleton, over those of shared/search/moves.ts: a bone more, some fewer, one attached to another
 * parent. The caller disposes both systems.
 */
import { type SkinningSystem, skeletonTree } from '@pelt/kernels';
import { IDENTITY_TRANSFORM } from '@pelt/model';
import { averaged } from '../shared/mesh/averaged.ts';
import type { EdgeGraph } from '../shared/mesh/edge-graph.ts';
import { patchAround } from '../shared/mesh/patch.ts';
import { copyOf, solveAddedBones, withBonesOn, withoutBones } from '../shared/search/moves.ts';
import { type JointedTree, rehung } from './joint-tree.ts';
import { withoutPartners } from './symmetric-tree.ts';

/** A skeleton in the course of its search. */
export interface Candidate extends JointedTree {
  readonly system: SkinningSystem;
}

/**
 * Vertices around which another bone may help, worst first: of the vertices that each bone moves most, the one with the
 * largest error around it.
 *
 * @param rings  over which errors are averaged before they are compared: a region counts, not a vertex
 */
export function worstPlaces(
  { n, m, K, boneIndices, weights, error }: SkinningSystem,
  graph: EdgeGraph,
  rings: number,
): number[] {
  const around = averaged(error.view, graph, rings);
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

/**
 * A skeleton with one more bone, for a patch of skin that is explained badly: the bone moves the patch as a rigid body and
 * hangs from the bone that moved most of it, by a joint at the centre of the patch's border.
 *
 * @param size  vertices of the patch
 */
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
  const more = withBonesOn(system, [patch], K);
  const transforms = more.editTransforms();
  for (let t = 0; t < S; t++) transforms.set(IDENTITY_TRANSFORM, (t * (m + 1) + m) * 12);
  solveAddedBones(more, m);
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

/**
 * The skeleton without some of its bones, whose children hang from their parents; without its root, it hangs from the next
 * bone that is left.
 */
export function withFewerBones({ system, ...hung }: Candidate, gone: readonly number[]): Candidate {
  const [first] = hung.tree.order.filter((j) => !gone.includes(j));
  const { tree, joints, places, partners } = gone.includes(hung.tree.order[0]) ? rehung(hung, () => first) : hung;
  const kept = Array.from({ length: system.m }, (_, j) => j).filter((j) => !gone.includes(j));
  const place = new Int32Array(system.m).fill(-1);
  kept.forEach((j, k) => {
    place[j] = k;
  });
  const parents = Int32Array.from(kept, (j) => {
    let above = tree.parents[j];
    while (above >= 0 && place[above] < 0) above = tree.parents[above];
    return above < 0 ? -1 : place[above];
  });
  const fewer = (points: Float64Array) =>
    Float64Array.from(kept.flatMap((j) => [...points.subarray(3 * j, 3 * j + 3)]));
  return {
    system: withoutBones(system, gone),
    tree: skeletonTree(parents),
    joints: fewer(joints),
    ...(places && { places: fewer(places) }),
    ...(partners && { partners: withoutPartners(partners, gone) }),
  };
}

/** A bone, and the parent that it could have. */
export interface Attachment {
  readonly bone: number;
  readonly parent: number;
}

/** Attachments that the tree does not have, of bones that blend most relative to the smaller of them first. */
export function otherAttachments({ system, tree: { parents } }: Candidate): Attachment[] {
  const { m } = system;
  const below = (k: number, top: number): boolean => k === top || (parents[k] >= 0 && below(parents[k], top));
  const found: (Attachment & { readonly share: number })[] = [];
  for (let bone = 0; bone < m; bone++) {
    if (parents[bone] < 0) continue;
    for (let parent = 0; parent < m; parent++) {
      if (parent === parents[bone] || below(parent, bone)) continue;
      const share = system.mass(bone, parent) / Math.min(system.mass(bone, bone), system.mass(parent, parent));
      if (share > 0) found.push({ bone, parent, share });
    }
  }
  return found.sort((a, b) => b.share - a.share);
}

/**
 * A skeleton with one bone and what hangs from it attached to another parent. The spanning tree is chosen before joints
 * hold, and two bones that blend may be joined through a third in it.
 */
export function withAttachment({ system, tree, joints }: Candidate, { bone, parent }: Attachment): Candidate {
  const parents = tree.parents.slice();
  parents[bone] = parent;
  const moved = joints.slice();
  const centre = system.centre(bone, parent);
  if (centre) moved.set(centre, 3 * bone);
  return { system: copyOf(system), tree: skeletonTree(parents), joints: moved };
}
