/**
 * Clips of a stage. What is bound to skeletons and the transforms of prims that move are played together and are the first
 * clip; other animations that fit a skeleton are clips of their own.
 */
import { fitTrs } from '../../gltf/fit-trs.ts';
import type { ChannelPath, GltfAnimation, GltfChannel } from '../../gltf/scene.ts';
import {
  alongArc,
  alongChord,
  alongLine,
  liesNear,
  linearKeys,
  turnsNear,
  unionOfTimes,
} from '../../scene/linear-keys.ts';
import type { StagePrim } from './compose.ts';
import { isNumbers, textOf, type UsdProperty, wordsOf } from './usd-layer.ts';
import type { UsdNodes } from './usd-nodes.ts';
import { targetWeight, type UsdTarget } from './usd-shapes.ts';
import type { UsdSkeleton } from './usd-skin.ts';
import { valueAt } from './usd-xform.ts';

/** Meshes with blend shapes, by their nodes. */
export interface ShapedNode {
  readonly node: number;
  readonly targets: readonly UsdTarget[];
  readonly skeleton: UsdSkeleton | undefined;
}

const TOLERANCE = 1e-5;
const PROPERTIES = { translation: ['translations', 3], rotation: ['rotations', 4], scale: ['scales', 3] } as const;

export class UsdClips {
  readonly #nodes: UsdNodes;

  constructor(nodes: UsdNodes) {
    this.#nodes = nodes;
  }

  /** @param find  animations by their paths */
  read(
    skeletons: readonly UsdSkeleton[],
    shaped: readonly ShapedNode[],
    all: readonly StagePrim[],
    find: (path: string) => StagePrim | undefined,
  ): GltfAnimation[] {
    const bound = skeletons.map((skeleton) => ({ skeleton, prim: find(skeleton.animations[0] ?? '') }));
    const shown = new Set(bound.flatMap(({ prim }) => prim ?? []));
    const first = [
      ...bound.flatMap(({ skeleton, prim }) => (prim ? this.#channels(prim, skeleton, shaped) : [])),
      ...this.#moving(),
    ];
    const name = [...shown].map(nameOf)[0] ?? 'clip';
    const others = all.flatMap((prim) => {
      if (shown.has(prim)) return [];
      const joints = wordsOf(prim.properties.get('joints')?.value());
      const fitting = skeletons.filter((skeleton) => joints.every((path) => skeleton.joints.includes(path)));
      return [{ name: nameOf(prim), channels: fitting.flatMap((skeleton) => this.#channels(prim, skeleton, shaped)) }];
    });
    return [{ name, channels: first }, ...others].flatMap((clip) => {
      const channels = fromZero(distinct(clip.channels));
      return channels.length > 0 ? [{ ...clip, channels, ...spanOf(channels) }] : [];
    });
  }

  /** Poses of an animation that does not move, by node: what a file shows of it. */
  still(prim: StagePrim, { joints, nodes }: UsdSkeleton): Map<number, Partial<Record<ChannelPath, Float64Array>>> {
    const found = new Map<number, Partial<Record<ChannelPath, Float64Array>>>();
    const own = wordsOf(prim.properties.get('joints')?.value());
    own.forEach((path, k) => {
      const node = nodes[joints.indexOf(path)];
      if (node === undefined) return;
      const values: Partial<Record<ChannelPath, Float64Array>> = {};
      for (const [channel, [name, size]] of Object.entries(PROPERTIES)) {
        const property = prim.properties.get(name);
        if (!property || property.samples) continue;
        const value = property.value();
        if (!isNumbers(value) || value.length < size * (k + 1)) continue;
        values[channel as ChannelPath] = jointValue(value, k, size);
      }
      found.set(node, values);
    });
    return found;
  }

  #channels(prim: StagePrim, skeleton: UsdSkeleton, shaped: readonly ShapedNode[]): GltfChannel[] {
    const own = wordsOf(prim.properties.get('joints')?.value());
    const channels = Object.entries(PROPERTIES).flatMap(([path, [name, size]]) => {
      const samples = prim.properties.get(name)?.samples;
      if (!samples || samples.times.length === 0) return [];
      const values = Array.from(samples.times, (_, t) => samples.at(t));
      return own.flatMap((joint, k): GltfChannel[] => {
        const node = skeleton.nodes[skeleton.joints.indexOf(joint)];
        if (node === undefined || values.some((value) => !isNumbers(value) || value.length < size * (k + 1))) return [];
        const keys = new Float32Array(size * values.length);
        values.forEach((value, t) => {
          keys.set(jointValue(value as Float32Array, k, size), size * t);
        });
        if (path === 'rotation') oneHemisphere(keys);
        return [this.#channel(node, path as ChannelPath, samples.times, size, keys)];
      });
    });
    return [...channels, ...shaped.flatMap((one) => (one.skeleton === skeleton ? this.#weights(prim, one) : []))];
  }

  #weights(prim: StagePrim, { node, targets }: ShapedNode): GltfChannel[] {
    const names = wordsOf(prim.properties.get('blendShapes')?.value());
    const property = prim.properties.get('blendShapeWeights');
    const places = targets.map(({ shape }) => names.indexOf(shape));
    if (!property?.samples || places.every((place) => place < 0)) return [];
    const evaluate = (code: number, out: Float64Array) => {
      const values = valueAt(property as UsdProperty, code);
      targets.forEach((target, r) => {
        const weight = isNumbers(values) && places[r] >= 0 ? (values[places[r]] ?? 0) : 0;
        out[r] = targetWeight(target, Number.isFinite(weight) ? weight : 0);
      });
    };
    const size = targets.length;
    const bends = targets.some(({ before, next }) => before > 0 || next < 1);
    const curve = { size, evaluate, isNear: liesNear(TOLERANCE), ...(!bends && { isStraight: () => true }) };
    const keys = linearKeys(curve, property.samples.times);
    return [this.#channel(node, 'weights', keys.times, size, Float32Array.from(keys.values))];
  }

  /** Prims whose transforms have samples. */
  #moving(): GltfChannel[] {
    return this.#nodes.nodes.flatMap(({ xform }, node) => {
      if (!xform || xform.times.length === 0) return [];
      let last = Float64Array.of(0, 0, 0, 1);
      const at = (code: number) => {
        const trs = fitTrs(xform.at(code), last);
        last = Float64Array.from(trs.rotation);
        return trs;
      };
      return (['translation', 'rotation', 'scale'] as const).flatMap((path) => {
        const size = path === 'rotation' ? 4 : 3;
        const turns = path === 'rotation';
        const evaluate = (code: number, out: Float64Array) => out.set(at(code)[path]);
        const values = xform.times.length > 0 ? [...xform.times].map((code) => Float64Array.from(at(code)[path])) : [];
        const largest = values.reduce((most, value) => value.reduce((m, v) => Math.max(m, Math.abs(v)), most), 0) || 1;
        if (values.every((value) => value.every((v, c) => Math.abs(v - values[0][c]) <= TOLERANCE * largest * 0.01)))
          return [];
        const keys = linearKeys(
          {
            size,
            evaluate,
            arcs: turns,
            isNear: turns ? turnsNear(TOLERANCE) : liesNear(TOLERANCE * largest),
            ways: turns ? [alongArc, alongChord] : [alongLine],
            ...(!xform.bends && { isStraight: () => true }),
          },
          xform.times,
        );
        return [this.#channel(node, path, keys.times, size, Float32Array.from(keys.values))];
      });
    });
  }

  #channel(node: number, path: ChannelPath, codes: Float64Array, size: number, values: Float32Array): GltfChannel {
    const times = Float32Array.from(codes, (code) => code / this.#nodes.rate);
    // Times of codes that differ by less than a float shows are one.
    const kept = [...times.keys()].filter((k) => k === 0 || times[k] > times[k - 1]);
    if (kept.length === times.length) return { node, path, interpolation: 'LINEAR', times, size, values };
    const own = new Float32Array(kept.length * size);
    kept.forEach((k, t) => {
      own.set(values.subarray(size * k, size * (k + 1)), size * t);
    });
    return { node, path, interpolation: 'LINEAR', times: Float32Array.from(kept, (k) => times[k]), size, values: own };
  }
}

function nameOf(prim: StagePrim): string {
  return textOf(prim.metadata.displayName) || prim.name;
}

/** Quaternions have their real part first in USD, and last here. */
function jointValue(values: ArrayLike<number>, k: number, size: number): Float64Array {
  const out = Float64Array.from({ length: size }, (_, c) => values[size * k + (size === 4 ? (c + 1) % 4 : c)]);
  if (!out.every(Number.isFinite)) return size === 4 ? Float64Array.of(0, 0, 0, 1) : new Float64Array(size);
  if (size < 4) return out;
  const length = Math.hypot(out[0], out[1], out[2], out[3]);
  return length > 0 ? out.map((value) => value / length) : Float64Array.of(0, 0, 0, 1);
}

function oneHemisphere(keys: Float32Array): void {
  for (let k = 4; k < keys.length; k += 4) {
    let dot = 0;
    for (let c = 0; c < 4; c++) dot += keys[k + c] * keys[k + c - 4];
    if (dot < 0) for (let c = 0; c < 4; c++) keys[k + c] = -keys[k + c];
  }
}

/** A property of a node moves once, by the first that says how. */
function distinct(channels: readonly GltfChannel[]): GltfChannel[] {
  const taken = new Set<string>();
  return channels.filter(({ node, path }) => {
    const key = `${node} ${path}`;
    if (taken.has(key)) return false;
    taken.add(key);
    return true;
  });
}

/** Players know no time before 0. */
function fromZero(channels: readonly GltfChannel[]): GltfChannel[] {
  const start = channels.reduce((least, { times }) => Math.min(least, times[0]), 0);
  return channels.map((one) => (start < 0 ? { ...one, times: one.times.map((time) => time - start) } : one));
}

function spanOf(channels: readonly GltfChannel[]): { readonly start: number; readonly end: number } {
  const times = unionOfTimes(channels.map((channel) => channel.times));
  return { start: times[0] ?? 0, end: times[times.length - 1] ?? 0 };
}
