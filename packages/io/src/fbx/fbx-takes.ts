/**
 * The takes of an FBX: animation stacks of layers, of curve nodes, of curves. A property has the value of the first layer,
 * to which later layers are added, or which they replace, by their weight.
 */
import type { WarningTally } from '../warning-tally.ts';
import { FbxCurve } from './fbx-curve.ts';
import type { FbxObject, FbxObjects } from './fbx-objects.ts';
import { multiplyQuaternions, quaternionOf } from './fbx-transform.ts';

const AXES = ['d|X', 'd|Y', 'd|Z'];
const ADDITIVE = 0;
/** The hold of a stepped curve ends this long before its next key. */
const HOLD_SECONDS = 1e-3;

/** A property in one layer. */
interface LayerCurves {
  /** 0 to 1 */
  readonly weight: number;
  readonly additive: boolean;
  /** One for each component; `undefined` where it stands at its default. */
  readonly curves: readonly (FbxCurve | undefined)[];
  readonly defaults: readonly number[];
}

/** An animated property over time. */
export class FbxTrack {
  readonly #layers: LayerCurves[] = [];

  add(layer: LayerCurves): void {
    this.#layers.push(layer);
  }

  get firstTime(): number {
    const starts = this.#layers.flatMap(({ curves }) => curves.flatMap((curve) => (curve ? [curve.times[0]] : [])));
    return starts.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
  }

  /** Times of all keys, and just before the end of those that are held. */
  keyTimes(): number[] {
    const times: number[] = [];
    for (const { curves } of this.#layers) {
      for (const curve of curves) {
        if (!curve) continue;
        for (let k = 0; k < curve.length; k++) {
          times.push(curve.times[k]);
          if (k + 1 < curve.length && curve.isConstant(k)) times.push(curve.times[k + 1] - HOLD_SECONDS);
        }
      }
    }
    return times;
  }

  /** Whether it goes straight from key to key. */
  get isStraight(): boolean {
    const [layer, ...others] = this.#layers;
    return others.length === 0 && !layer.curves.some((curve) => curve?.isCubic);
  }

  evaluate(time: number, out: Float64Array | number[]): ArrayLike<number> {
    if (this.#layers.length === 1) {
      const [{ curves, defaults }] = this.#layers;
      for (let c = 0; c < out.length; c++) out[c] = curves[c]?.evaluate(time) ?? defaults[c];
      return out;
    }
    this.#layers.forEach(({ weight, additive, curves, defaults }, place) => {
      for (let c = 0; c < out.length; c++) {
        const value = curves[c]?.evaluate(time) ?? defaults[c];
        if (place === 0) out[c] = value;
        else if (additive) out[c] += weight * value;
        else out[c] += weight * (value - out[c]);
      }
    });
    return out;
  }

  /** Euler angles of several layers are turned one after the other, as quaternions. */
  rotation(time: number, order: number): Float64Array | undefined {
    if (this.#layers.length < 2) return undefined;
    let q: Float64Array | undefined;
    for (const { weight, additive, curves, defaults } of this.#layers) {
      const angles = [0, 1, 2].map((c) => (curves[c]?.evaluate(time) ?? defaults[c]) * (q && additive ? weight : 1));
      const turn = quaternionOf(angles, order);
      q = !q || (!additive && weight === 1) ? turn : multiplyQuaternions(q, turn);
    }
    return q;
  }
}

export interface FbxTake {
  readonly name: string;
  /** Of the properties `Lcl Translation`, `Lcl Rotation`, `Lcl Scaling` of models. */
  readonly nodes: ReadonlyMap<FbxObject, ReadonlyMap<string, FbxTrack>>;
  /** Of blend shape channels, in percent. */
  readonly channels: ReadonlyMap<FbxObject, FbxTrack>;
  /** First key of the take, in seconds; negative where it begins before time 0. */
  readonly start: number;
}

const NODE_PROPERTIES: readonly string[] = ['Lcl Translation', 'Lcl Rotation', 'Lcl Scaling'];

export function readTakes(objects: FbxObjects, warnings: WarningTally): FbxTake[] {
  const curves = new CurveReader(objects);
  const stacks = objects.all('AnimationStack');
  const takes = stacks.map((stack) => {
    const layers = objects.childrenOf(stack, 'AnimationLayer').map(({ object }) => object);
    return readTake(objects, stack.name, layers, curves, warnings);
  });
  // Files without a stack may still have a layer.
  if (stacks.length === 0) takes.push(readTake(objects, '', objects.all('AnimationLayer'), curves, warnings));
  return takes.filter(({ nodes, channels }) => nodes.size + channels.size > 0);
}

/** Curves are shared by takes in some files; each is decoded once. */
class CurveReader {
  readonly #objects: FbxObjects;
  readonly #curves = new Map<FbxObject, FbxCurve>();

  constructor(objects: FbxObjects) {
    this.#objects = objects;
  }

  of(curveNode: FbxObject, axis: string): FbxCurve | undefined {
    const link = this.#objects.childrenOf(curveNode, 'AnimationCurve').find(({ property }) => property === axis);
    if (!link) return undefined;
    const known = this.#curves.get(link.object) ?? new FbxCurve(link.object.node, `curve of '${curveNode.name}'`);
    this.#curves.set(link.object, known);
    return known.length > 0 ? known : undefined;
  }
}

function readTake(
  objects: FbxObjects,
  name: string,
  layers: readonly FbxObject[],
  curves: CurveReader,
  warnings: WarningTally,
): FbxTake {
  const nodes = new Map<FbxObject, Map<string, FbxTrack>>();
  const channels = new Map<FbxObject, FbxTrack>();
  const trackOf = (target: FbxObject, property: string): FbxTrack | undefined => {
    if (target.kind === 'Model' && NODE_PROPERTIES.includes(property)) {
      const own = nodes.get(target) ?? new Map<string, FbxTrack>();
      nodes.set(target, own);
      const track = own.get(property) ?? new FbxTrack();
      own.set(property, track);
      return track;
    }
    if (target.type === 'BlendShapeChannel' && property === 'DeformPercent') {
      const track = channels.get(target) ?? new FbxTrack();
      channels.set(target, track);
      return track;
    }
    warnings.add(`animations of '${property}' are left out`);
    return undefined;
  };
  layers.forEach((layer, place) => {
    const weight = place === 0 ? 1 : objects.number(layer, 'Weight', 100) / 100;
    const additive = objects.number(layer, 'BlendMode', ADDITIVE) === ADDITIVE;
    if (weight === 0 || objects.number(layer, 'Mute', 0) === 1) return;
    for (const { object: curveNode } of objects.childrenOf(layer, 'AnimationCurveNode')) {
      for (const { object: target, property } of objects.parentsOf(curveNode)) {
        if (property === '') continue;
        const axes = property === 'DeformPercent' ? ['d|DeformPercent'] : AXES;
        const own = axes.map((axis) => curves.of(curveNode, axis));
        if (own.every((curve) => curve === undefined)) continue;
        const fallback = target.kind === 'Model' ? objects.vector(target, property, [0, 0, 0]) : [0];
        const defaults = axes.map((axis, c) => objects.number(curveNode, axis, fallback[c]));
        trackOf(target, property)?.add({ weight, additive, curves: own, defaults });
      }
    }
  });
  const first = [...nodes.values()]
    .flatMap((own) => [...own.values()])
    .concat([...channels.values()])
    .reduce((least, track) => Math.min(least, track.firstTime), Number.POSITIVE_INFINITY);
  return { name, nodes, channels, start: Number.isFinite(first) ? first : 0 };
}
