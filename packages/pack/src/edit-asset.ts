/** Changes to a document that leave its nodes as they are: other weights, fewer joints, animations that end earlier. */

import {
  type GltfAnimation,
  type GltfAsset,
  type GltfChannel,
  sampleChannel,
  type VertexRange,
} from '@pelt/io/internal';
import { type SkinWeights, UnsupportedError, validateSkinWeights, vertexCount } from '@pelt/model';
import type { FilePrimitive, VertexArray } from './file-primitives.ts';
import type { GltfEdit } from './gltf-edit.ts';

export interface EditedAsset {
  readonly asset: GltfAsset;
  readonly primitives: readonly FilePrimitive[];
  /** For each skin the joints that stay, by their place in it; absent: all. */
  readonly joints: ReadonlyMap<number, readonly number[]>;
}

export function editAsset(asset: GltfAsset, primitives: readonly FilePrimitive[], edit: GltfEdit): EditedAsset {
  const { weights, ends } = edit;
  const animations = asset.animations.map((animation, a) => {
    const end = ends?.[a];
    return end === undefined ? animation : closedAt(animation, end);
  });
  const cut = { ...asset, animations };
  if (!weights) return { asset: cut, primitives, joints: new Map() };
  validateSkinWeights(weights, vertexCount(asset.mesh), asset.scene.bones.length);
  const joints = usedJoints(asset, weights);
  const narrowed = ({ skin, bones, ...range }: VertexRange): VertexRange => {
    const kept = joints.get(skin);
    return { ...range, skin, bones: kept ? Uint16Array.from(kept, (j) => bones[j]) : bones };
  };
  const ranges = asset.scene.ranges.map(narrowed);
  return {
    asset: { ...cut, scene: { ...asset.scene, weights, ranges } },
    primitives: primitives.map((primitive) =>
      withWeights({ ...primitive, ranges: primitive.ranges.map(narrowed) }, weights),
    ),
    joints,
  };
}

/** For each skin the joints that some vertex has a weight of. */
function usedJoints({ scene }: GltfAsset, { slots, bones, weights }: SkinWeights): Map<number, number[]> {
  const used = new Map<number, Set<number>>();
  const all = new Map<number, Uint16Array>();
  for (const { skin, firstVertex, vertexCount: count, bones: own } of scene.ranges) {
    if (skin < 0) continue;
    const set = used.get(skin) ?? new Set();
    used.set(skin, set);
    all.set(skin, own);
    for (let k = firstVertex * slots; k < (firstVertex + count) * slots; k++) if (weights[k] > 0) set.add(bones[k]);
  }
  return new Map(
    [...used].map(([skin, set]) => {
      const own = all.get(skin) as Uint16Array;
      return [skin, [...own.keys()].filter((j) => set.has(own[j]))];
    }),
  );
}

/** JOINTS and WEIGHTS by the bones of the asset. */
function withWeights(primitive: FilePrimitive, { slots, bones, weights }: SkinWeights): FilePrimitive {
  const skinned = primitive.ranges.filter(({ skin }) => skin >= 0);
  const [range] = skinned;
  if (!range) return primitive;
  if (skinned.some(({ skin }) => skin !== range.skin)) {
    throw new UnsupportedError('a mesh that several skins move cannot have other weights');
  }
  const jointOf = new Map([...range.bones].map((bone, j) => [bone, j]));
  const sets = Math.ceil(slots / 4);
  const n = primitive.source.length;
  const arrays = Array.from({ length: sets }, () => ({
    joints: new Uint16Array(4 * n),
    weights: new Float32Array(4 * n),
  }));
  primitive.source.forEach((from, i) => {
    const row = (range.firstVertex + from) * slots;
    for (let s = 0; s < slots && weights[row + s] > 0; s++) {
      const { joints: to, weights: shares } = arrays[s >> 2];
      to[4 * i + (s & 3)] = jointOf.get(bones[row + s]) as number;
      shares[4 * i + (s & 3)] = weights[row + s];
    }
  });
  const attributes = new Map<string, VertexArray>(
    [...primitive.attributes].filter(([semantic]) => !/^(JOINTS|WEIGHTS)_/.test(semantic)),
  );
  const narrow = range.bones.length <= 256;
  arrays.forEach(({ joints, weights: shares }, set) => {
    const values = narrow ? Uint8Array.from(joints) : joints;
    attributes.set(`JOINTS_${set}`, { values, size: 4, normalized: false });
    attributes.set(`WEIGHTS_${set}`, { values: shares, size: 4, normalized: false });
  });
  return { ...primitive, attributes };
}

/** Curves to a moment at which they are as at the beginning. */
function closedAt(animation: GltfAnimation, end: number): GltfAnimation {
  // Tangents would have to be made up.
  if (animation.channels.some(({ interpolation }) => interpolation === 'CUBICSPLINE')) return animation;
  const channels = animation.channels.map((channel): GltfChannel => {
    const { times, values, size } = channel;
    let kept = 0;
    while (kept < times.length && times[kept] < end * (1 - SAME_MOMENT)) kept++;
    if (kept === times.length) return channel;
    const out = new Float32Array((kept + 1) * size);
    out.set(values.subarray(0, kept * size));
    out.set(sampleChannel(channel, animation.start, new Float64Array(size)), kept * size);
    return { ...channel, times: Float32Array.of(...times.subarray(0, kept), end), values: out };
  });
  return { ...animation, channels, end };
}

const SAME_MOMENT = 1e-6;
