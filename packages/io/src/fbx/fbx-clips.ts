/** Takes of an FBX as clips of glTF: Euler angles as quaternions, pivots in the translation, percent of blend shapes as weights. */
import type { ChannelPath, GltfAnimation, GltfChannel } from '../gltf/scene.ts';
import { identityTrs } from '../gltf/transform.ts';
import type { SceneNode } from '../scene/file-scene.ts';
import { type Curve, liesNear, linearKeys, turnsNear, unionOfTimes } from '../scene/linear-keys.ts';
import type { WarningTally } from '../warning-tally.ts';
import { restPercent, targetWeight } from './fbx-deformers.ts';
import type { MeshReader } from './fbx-meshes.ts';
import type { FbxNodes } from './fbx-nodes.ts';
import type { FbxObject, FbxObjects } from './fbx-objects.ts';
import { type FbxTake, type FbxTrack, readTakes } from './fbx-takes.ts';
import { multiplyQuaternions, type Vector } from './fbx-transform.ts';

/** Straight lines may miss a curve by this: of rotations in radians, of lengths and scales against their largest value. */
const TOLERANCE = 2e-5;

type Tracks = ReadonlyMap<string, FbxTrack>;

export function readClips(
  objects: FbxObjects,
  tree: FbxNodes,
  nodes: readonly SceneNode[],
  meshes: MeshReader,
  warnings: WarningTally,
): GltfAnimation[] {
  return readTakes(objects, warnings).map((take) => {
    // Times of glTF begin at 0.
    const shift = take.start < 0 ? -take.start : 0;
    if (shift > 0) warnings.add(`take '${take.name}' begins before time 0 and is moved there`);
    const channels: GltfChannel[] = [];
    for (const [model, tracks] of take.nodes) {
      const k = tree.indices.get(model);
      if (k !== undefined) channels.push(...nodeChannels(tree, k, tracks, take, shift));
    }
    nodes.forEach(({ mesh }, k) => {
      if (mesh >= 0) channels.push(...weightChannels(objects, k, meshes.targets[mesh], take, shift));
    });
    const times = channels.flatMap(({ times: own }) => [own[0], own[own.length - 1]]);
    return { name: take.name, channels, start: Math.min(...times), end: Math.max(...times) };
  });
}

function nodeChannels(tree: FbxNodes, k: number, tracks: Tracks, take: FbxTake, shift: number): GltfChannel[] {
  const node = tree.transforms[k];
  const { parent } = tree.nodes[k];
  const parentScale =
    node.unscaled && parent >= 0 ? take.nodes.get(tree.models[parent])?.get('Lcl Scaling') : undefined;
  const [translation, rotation, scale] = ['Lcl Translation', 'Lcl Rotation', 'Lcl Scaling'].map((name) =>
    tracks.get(name),
  );
  const trs = identityTrs();
  const value = (track: FbxTrack | undefined, rest: Vector, time: number) =>
    track ? track.evaluate(time, [0, 0, 0]) : rest;
  const place = (time: number) => {
    const t = translation ? value(translation, node.translation, time) : node.translation;
    const moved = translation ? Array.from(t, (length) => length * tree.unit) : t;
    const s = value(scale, node.scale, time);
    const above = value(parentScale, tree.restScale(parent), time);
    const layered = rotation?.rotation(time, node.order);
    tree.place(k, moved, layered ? [0, 0, 0] : value(rotation, node.rotation, time), s, above, trs);
    if (layered) trs.rotation.set(multiplyQuaternions(multiplyQuaternions(node.before, layered), node.after));
    return trs;
  };
  const turning = [rotation, scale].filter((track) => track !== undefined);
  const wanted: [Exclude<ChannelPath, 'weights'>, (FbxTrack | undefined)[]][] = [
    ['translation', [translation, ...(node.hasPivots ? turning : [])]],
    ['rotation', [rotation]],
    ['scale', [scale, parentScale]],
  ];
  return wanted.flatMap(([path, sources]) => {
    const used = sources.filter((track) => track !== undefined);
    if (used.length === 0) return [];
    const size = path === 'rotation' ? 4 : 3;
    const times = unionOfTimes(used.map((track) => track.keyTimes()));
    return [channelOf(k, path, size, times, shift, (time, out) => out.set(place(time)[path]))];
  });
}

function weightChannels(
  objects: FbxObjects,
  k: number,
  targets: MeshReader['targets'][number],
  { channels }: FbxTake,
  shift: number,
): GltfChannel[] {
  const used = [...new Set(targets.map(({ channel }) => channel))].filter((channel) => channels.has(channel));
  if (used.length === 0) return [];
  const percents = new Map<FbxObject, number>();
  const evaluate = (time: number, out: Float64Array) => {
    for (const { channel } of targets) {
      const track = channels.get(channel);
      percents.set(channel, track ? track.evaluate(time, [0])[0] : restPercent(objects, channel));
    }
    targets.forEach((target, r) => {
      out[r] = targetWeight(target, percents.get(target.channel) ?? 0);
    });
  };
  const times = unionOfTimes(used.map((channel) => channels.get(channel)?.keyTimes() ?? []));
  return [channelOf(k, 'weights', targets.length, times, shift, evaluate)];
}

function channelOf(
  node: number,
  path: ChannelPath,
  size: number,
  times: Float64Array,
  shift: number,
  evaluate: Curve['evaluate'],
): GltfChannel {
  const sample = new Float64Array(size);
  let largest = 0;
  if (path !== 'rotation') {
    for (const time of times) {
      evaluate(time, sample);
      for (const value of sample) largest = Math.max(largest, Math.abs(value));
    }
  }
  const limit = TOLERANCE * (path === 'rotation' ? 1 : largest || 1);
  const { times: keys, values } = linearKeys(
    { size, evaluate, arcs: path === 'rotation', isNear: path === 'rotation' ? turnsNear(limit) : liesNear(limit) },
    times,
  );
  return {
    node,
    path,
    interpolation: 'LINEAR',
    size,
    times: Float32Array.from(keys, (time) => Math.max(0, time + shift)),
    values: Float32Array.from(values),
  };
}
