import { UnsupportedError } from '@pelt/model';
import type { WarningTally } from '../warning-tally.ts';
import type { VertexBlock } from './read-blocks.ts';
import type { NodeTree } from './read-nodes.ts';
import type { GltfSkin } from './read-skins.ts';
import type { GltfBone } from './scene.ts';
import { identityTransform, invert, isSingular, linearSize, multiply, type Transform } from './transform.ts';

/**
 * All skins and all nodes with plain meshes as one list of bones over one rest pose.
 *
 * A skinned vertex is Σ w W_j I_j p: W_j a joint's transform to the world, I_j its inverse bind matrix, p the stored
 * position, which may be in any space (quantised, turned, in other units). With B = W_r I_r of the skin's root joint at
 * rest, the rest pose B p stands in the world as the root does, and W_j (I_j B⁻¹) takes it to the pose: the same
 * vertex, by transforms from rest to pose in model space. A plain mesh follows its node: B is the node's transform at
 * rest and W B⁻¹ the bone's.
 */
export interface Binding {
  readonly bones: readonly GltfBone[];
  /** B of each block: stored position → rest pose. */
  readonly toRest: readonly Transform[];
  /** Bones of each block: those of its skin's joints, in their order, or the one of its node. */
  readonly boneIndices: readonly Uint16Array[];
}

/** Two bones of one node are the same bone where their matrices agree to this, relative to their size. */
const SAME_BONE = 1e-6;
/** A root joint this near to its bind pose is in it: stored positions then are the rest pose, to the bit. */
const AT_BIND = 1e-6;
const MAX_BONES = 65536;

interface Candidate {
  readonly node: number;
  /** −1 for the bone of a plain mesh's node */
  readonly skin: number;
  readonly inverseRest: Transform;
  /** Index among the bones, once it is there. */
  bone: number;
}

export function bindBones(
  tree: NodeTree,
  worlds: readonly Transform[],
  skins: readonly GltfSkin[],
  blocks: readonly VertexBlock[],
  warnings: WarningTally,
): Binding {
  const skinRests = skinsToRest(tree, worlds, skins, blocks, warnings);
  const toRest = blocks.map(({ skin, node }) => {
    if (skin >= 0) return skinRests.get(skin) as Transform;
    if (!isSingular(worlds[node])) return worlds[node];
    warnings.add(`nodes[${node}] is flattened to nothing at rest; its mesh rests as it is stored`);
    return identityTransform();
  });

  const byNode = new Map<number, Candidate[]>();
  const ordered: Candidate[] = [];
  const candidateFor = (node: number, skin: number, inverseRest: Transform): Candidate => {
    const there = byNode.get(node) ?? [];
    const same = there.find((candidate) => nearlyEqual(candidate.inverseRest, inverseRest));
    if (same) return same;
    const candidate = { node, skin, inverseRest, bone: -1 };
    byNode.set(node, [...there, candidate]);
    ordered.push(candidate);
    return candidate;
  };
  const perSkin = new Map<number, Candidate[]>();
  const wanted = blocks.map(({ skin, node }, b) => {
    const inverse = invert(toRest[b], new Float64Array(12));
    if (skin < 0) return [candidateFor(node, -1, inverse)];
    let candidates = perSkin.get(skin);
    if (!candidates) {
      const { joints, inverseBinds } = skins[skin];
      candidates = joints.map((joint, j) =>
        candidateFor(joint, skin, multiply(inverseBinds[j], inverse, new Float64Array(12))),
      );
      perSkin.set(skin, candidates);
    }
    return candidates;
  });
  if (ordered.length > MAX_BONES) {
    const what = skins.length > 0 ? 'joints and nodes with meshes' : 'nodes with meshes';
    throw new UnsupportedError(
      `its scene has ${ordered.length} ${what}, and pelt handles up to ${MAX_BONES}; join meshes that do not move apart`,
    );
  }
  const bones = orderBones(tree, worlds, ordered, byNode);
  return { bones, toRest, boneIndices: wanted.map((candidates) => Uint16Array.from(candidates, ({ bone }) => bone)) };
}

/** B of every skin that is used. */
function skinsToRest(
  tree: NodeTree,
  worlds: readonly Transform[],
  skins: readonly GltfSkin[],
  blocks: readonly VertexBlock[],
  warnings: WarningTally,
): Map<number, Transform> {
  const position = new Uint32Array(tree.order.length);
  tree.order.forEach((node, k) => {
    position[node] = k;
  });
  const rests = new Map<number, Transform>();
  for (const { skin, positions } of blocks) {
    if (skin < 0 || rests.has(skin)) continue;
    const { joints, inverseBinds } = skins[skin];
    // In the order of a walk from the roots the first joint has no other above it.
    const r = joints.reduce((first, joint, j) => (position[joint] < position[joints[first]] ? j : first), 0);
    const rest = multiply(worlds[joints[r]], inverseBinds[r], new Float64Array(12));
    if (isSingular(rest)) {
      warnings.add(`skins[${skin}]: its root joint flattens the mesh at rest; the mesh rests as it is stored`);
      rests.set(skin, identityTransform());
    } else {
      rests.set(skin, isNearIdentity(rest, extentOf(positions)) ? identityTransform() : rest);
    }
  }
  return rests;
}

/** Parents before children, otherwise in the order in which skins and nodes name them. */
function orderBones(
  tree: NodeTree,
  worlds: readonly Transform[],
  ordered: readonly Candidate[],
  byNode: ReadonlyMap<number, readonly Candidate[]>,
): GltfBone[] {
  // The nearest node at or above each that has a bone.
  const nearest = new Int32Array(tree.nodes.length).fill(-1);
  for (const node of tree.order) {
    const { parent } = tree.nodes[node];
    nearest[node] = byNode.has(node) ? node : parent < 0 ? -1 : nearest[parent];
  }
  const parentOf = ({ node, skin }: Candidate): Candidate | undefined => {
    const { parent } = tree.nodes[node];
    const above = parent < 0 ? undefined : byNode.get(nearest[parent]);
    return above?.find((candidate) => candidate.skin === skin) ?? above?.[0];
  };
  const bones: GltfBone[] = [];
  for (const start of ordered) {
    const chain: Candidate[] = [];
    for (let at: Candidate | undefined = start; at && at.bone < 0; at = parentOf(at)) chain.push(at);
    for (const candidate of chain.reverse()) {
      const { node, inverseRest } = candidate;
      candidate.bone = bones.length;
      bones.push({
        name: tree.nodes[node].name || `joint-${node}`,
        node,
        parent: parentOf(candidate)?.bone ?? -1,
        inverseRest,
        rest: isSingular(inverseRest) ? worlds[node] : invert(inverseRest, new Float64Array(12)),
      });
    }
  }
  return bones;
}

function nearlyEqual(a: Transform, b: Transform): boolean {
  let size = 0;
  let difference = 0;
  for (let k = 0; k < 12; k++) {
    size = Math.max(size, Math.abs(a[k]), Math.abs(b[k]));
    difference = Math.max(difference, Math.abs(a[k] - b[k]));
  }
  return difference <= SAME_BONE * size;
}

function isNearIdentity(a: Transform, extent: number): boolean {
  const difference = a.map((value, k) => value - (k % 5 === 0 ? 1 : 0));
  const shift = Math.hypot(a[3], a[7], a[11]);
  return linearSize(difference) <= AT_BIND && shift <= AT_BIND * extent;
}

/** Largest distance of a stored coordinate from 0: the scale of what rounding can do. */
function extentOf(positions: Float32Array): number {
  return positions.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}
