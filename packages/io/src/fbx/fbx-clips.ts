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
import { quaternionOf, RADIANS } from './fbx-transform.ts';

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
  const [t, r, s, above] = [node.translation, node.rotation, node.scale, tree.restScale(parent)].map((rest) =>
    Float64Array.from(rest),
  );
  // Curves of the others do not need the rotation again and again.
  const still = quaternionOf(r, node.order);
  /** Evaluates what is asked for, and leaves the rest as it was. */
  const place = (time: number, wanted: readonly (FbxTrack | undefined)[]) => {
    if (translation && wanted.includes(translation)) {
      translation.evaluate(time, t);
      for (let c = 0; c < 3; c++) t[c] *= tree.unit;
    }
    if (scale && wanted.includes(scale)) scale.evaluate(time, s);
    if (parentScale && wanted.includes(parentScale)) parentScale.evaluate(time, above);
    const turns = rotation && wanted.includes(rotation);
    const layered = turns ? rotation.rotation(time, node.order) : undefined;
    if (turns && !layered) rotation.evaluate(time, r);
    tree.place(k, t, layered ? [0, 0, 0] : r, s, above, trs, turns ? layered : still);
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
    const straight = used.length === 1 && used[0].isStraight;
    const isStraight = !straight ? undefined : path === 'rotation' ? turnsLittle(used[0]) : () => true;
    const evaluate = (time: number, out: Float64Array) => out.set(place(time, used)[path]);
    const times = unionOfTimes(used.map((track) => track.keyTimes()));
    return [channelOf({ node: k, path, size: path === 'rotation' ? 4 : 3 }, times, shift, { evaluate, isStraight })];
  });
}

/**
 * Angles that each go straight leave the arc by an angle of second order in what they change by, and not at all where one
 * of them changes alone.
 */
function turnsLittle(track: FbxTrack) {
  let [a, b] = [new Float64Array(3), new Float64Array(3)];
  let known = Number.NaN;
  return (from: number, to: number) => {
    // Moments come one after the other: where one segment ends the next begins.
    if (known === from) [a, b] = [b, a];
    else track.evaluate(from, a);
    track.evaluate(to, b);
    known = to;
    let [sum, most] = [0, 0];
    for (let c = 0; c < 3; c++) {
      const angle = Math.abs(b[c] - a[c]) * RADIANS;
      sum += angle;
      most = Math.max(most, angle);
    }
    return sum * sum < 2 * TOLERANCE || (sum < 1 && most === sum);
  };
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
  const alone = targets.every(({ before, after }) => before === 0 && after === undefined);
  const isStraight = alone && used.every((channel) => channels.get(channel)?.isStraight) ? () => true : undefined;
  return [channelOf({ node: k, path: 'weights', size: targets.length }, times, shift, { evaluate, isStraight })];
}

function channelOf(
  { node, path, size }: Pick<GltfChannel, 'node' | 'path' | 'size'>,
  times: Float64Array,
  shift: number,
  { evaluate, isStraight }: Pick<Curve, 'evaluate'> & { readonly isStraight: Curve['isStraight'] },
): GltfChannel {
  const sample = new Float64Array(size);
  let largest = 0;
  if (path !== 'rotation' && !isStraight) {
    for (const time of times) {
      evaluate(time, sample);
      for (const value of sample) largest = Math.max(largest, Math.abs(value));
    }
  }
  const limit = TOLERANCE * (path === 'rotation' ? 1 : largest || 1);
  const { times: keys, values } = linearKeys(
    {
      size,
      evaluate,
      arcs: path === 'rotation',
      isNear: path === 'rotation' ? turnsNear(limit) : liesNear(limit),
      ...(isStraight && { isStraight }),
    },
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
