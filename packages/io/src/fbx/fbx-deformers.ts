/**
 * What deforms a mesh of an FBX. A skin has a cluster for each bone: control points and weights, as many as the file likes,
 * and `Transform`, from the mesh's node to the bone when both were bound. A blend shape has channels, and a channel one
 * shape or several that follow each other (in-betweens), each full at a weight of its own.
 */
import type { SkinWeights } from '@pelt/model';
import { fromColumns, invert, isSingular, multiply, type Transform } from '../gltf/transform.ts';
import type { WarningTally } from '../warning-tally.ts';
import { finiteNumbersIn, numberIn, numbersIn, textIn } from './fbx-node.ts';
import type { FbxObject, FbxObjects } from './fbx-objects.ts';

export interface FbxSkin {
  readonly bones: readonly FbxObject[];
  /** Of each bone: from the mesh's node to the bone's space, lengths in the file's unit. */
  readonly binds: readonly Transform[];
  /** Control points × slots, largest first, of sum 1; 0 for points that no bone moves. */
  readonly weights: SkinWeights;
  /** Points that no bone moves. */
  readonly loose: number;
}

/** A target for each shape, in the order of the channels. */
export interface FbxTarget {
  readonly name: string;
  readonly channel: FbxObject;
  /** Percent at which this shape is full, and those of the shapes before and after it in its channel. */
  readonly full: number;
  readonly before: number;
  readonly after: number | undefined;
  /** Control points × 3, in the file's unit. */
  readonly deltas: Float32Array;
}

/** @param meshWorld  where the mesh's node is, for clusters that do not say where it was */
export function readSkin(
  objects: FbxObjects,
  geometry: FbxObject,
  points: number,
  meshWorld: Transform,
  warnings: WarningTally,
): FbxSkin | undefined {
  const bones: FbxObject[] = [];
  const binds: Transform[] = [];
  const lists: { readonly indices: ArrayLike<number>; readonly weights: ArrayLike<number> }[] = [];
  for (const { object: skin } of objects.childrenOf(geometry, 'Deformer')) {
    if (skin.type !== 'Skin') continue;
    if (/^(DualQuaternion|Blend)$/.test(textIn(skin.node, 'SkinningType'))) {
      warnings.add(`the skin of '${geometry.name}' is blended by dual quaternions; glTF blends it linearly`);
    }
    for (const { object: cluster } of objects.childrenOf(skin, 'Deformer')) {
      const bone = objects.childrenOf(cluster, 'Model')[0]?.object;
      if (cluster.type !== 'Cluster' || !bone) continue;
      const what = `cluster '${cluster.name}'`;
      const indices = numbersIn(cluster.node, 'Indexes') ?? [];
      const weights = finiteNumbersIn(cluster.node, 'Weights', what);
      const bind = bindOf(cluster, meshWorld);
      if (!bind) {
        warnings.add(`${what} has no place where it was bound and is left out`);
        continue;
      }
      bones.push(bone);
      binds.push(bind);
      lists.push({ indices, weights });
    }
  }
  if (bones.length === 0) return undefined;
  return { bones, binds, ...gatherWeights(lists, points, warnings) };
}

function bindOf({ node }: FbxObject, meshWorld: Transform): Transform | undefined {
  const own = matrixIn(node, 'Transform');
  if (own) return own;
  const link = matrixIn(node, 'TransformLink');
  return link && !isSingular(link)
    ? multiply(invert(link, new Float64Array(12)), meshWorld, new Float64Array(12))
    : undefined;
}

/** 16 numbers in column order. */
function matrixIn(node: FbxObject['node'], name: string): Transform | undefined {
  const values = numbersIn(node, name);
  return values?.length === 16 && values.every(Number.isFinite) ? fromColumns(values) : undefined;
}

function gatherWeights(
  lists: readonly { readonly indices: ArrayLike<number>; readonly weights: ArrayLike<number> }[],
  points: number,
  warnings: WarningTally,
): Pick<FbxSkin, 'weights' | 'loose'> {
  const rows: Map<number, number>[] = Array.from({ length: points }, () => new Map());
  lists.forEach(({ indices, weights }, bone) => {
    for (let k = 0; k < indices.length; k++) {
      const row = rows[indices[k]];
      if (!row) warnings.add('weights of points that are not there are left out');
      else if (weights[k] > 0) row.set(bone, (row.get(bone) ?? 0) + weights[k]);
    }
  });
  const slots = rows.reduce((most, row) => Math.max(most, row.size), 1);
  const bones = new Uint16Array(points * slots);
  const packed = new Float32Array(points * slots);
  let loose = 0;
  rows.forEach((row, i) => {
    if (row.size === 0) loose++;
    const sorted = [...row].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    const sum = sorted.reduce((total, [, weight]) => total + weight, 0);
    sorted.forEach(([bone, weight], s) => {
      bones[i * slots + s] = bone;
      packed[i * slots + s] = weight / sum;
    });
  });
  return { weights: { slots, bones, weights: packed }, loose };
}

export function readTargets(
  objects: FbxObjects,
  geometry: FbxObject,
  points: number,
  warnings: WarningTally,
): FbxTarget[] {
  const targets: FbxTarget[] = [];
  for (const { object: deformer } of objects.childrenOf(geometry, 'Deformer')) {
    if (deformer.type !== 'BlendShape') continue;
    for (const { object: channel } of objects.childrenOf(deformer, 'Deformer')) {
      if (channel.type !== 'BlendShapeChannel') continue;
      const shapes = objects.childrenOf(channel, 'Geometry').map(({ object }) => object);
      const given = finiteNumbersIn(channel.node, 'FullWeights', `blend shape '${channel.name}'`);
      const fulls = shapes.map((_, k) => given[k] || (100 * (k + 1)) / shapes.length);
      const sorted = [...shapes.keys()].sort((a, b) => fulls[a] - fulls[b]);
      sorted.forEach((k, place) => {
        targets.push({
          name:
            shapes.length > 1 && place + 1 < shapes.length
              ? `${channel.name} ${fulls[k]}%`
              : channel.name || shapes[k].name,
          channel,
          full: fulls[k],
          before: place > 0 ? fulls[sorted[place - 1]] : 0,
          after: place + 1 < sorted.length ? fulls[sorted[place + 1]] : undefined,
          deltas: deltasOf(shapes[k], points, warnings),
        });
      });
    }
  }
  return targets;
}

function deltasOf({ node, name }: FbxObject, points: number, warnings: WarningTally): Float32Array {
  const what = `blend shape '${name}'`;
  const indices = numbersIn(node, 'Indexes') ?? [];
  const values = finiteNumbersIn(node, 'Vertices', what);
  const deltas = new Float32Array(3 * points);
  for (let k = 0; k < indices.length && 3 * k + 2 < values.length; k++) {
    if (!(indices[k] >= 0 && indices[k] < points)) {
      warnings.add(`${what} moves points that are not there`);
      continue;
    }
    for (let c = 0; c < 3; c++) deltas[3 * indices[k] + c] = values[3 * k + c];
  }
  return deltas;
}

/** Percent of a channel when nothing moves it. */
export function restPercent(objects: FbxObjects, channel: FbxObject): number {
  return objects.has(channel, 'DeformPercent')
    ? objects.number(channel, 'DeformPercent', 0)
    : numberIn(channel.node, 'DeformPercent', 0);
}

/** The weight of a shape when its channel is at a percentage: a hat from shape to shape, straight on after the last. */
export function targetWeight({ full, before, after }: FbxTarget, percent: number): number {
  if (after === undefined || percent <= full) {
    if (percent < before && before > 0) return 0;
    return full === before ? 0 : (percent - before) / (full - before);
  }
  return Math.max(0, (after - percent) / (after - full));
}
