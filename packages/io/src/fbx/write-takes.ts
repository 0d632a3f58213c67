/** Clips as takes of an FBX: a stack with one layer each, curves of straight lines. */
import type { GltfAnimation, GltfChannel } from '../gltf/scene.ts';
import { clipKeys } from '../scene/clip-keys.ts';
import { alongChord } from '../scene/linear-keys.ts';
import { alongEuler, eulerCurves } from './euler-angles.ts';
import { double, int, long, node } from './write-binary.ts';
import { type FbxDocument, properties, ticksOf } from './write-document.ts';
import { CENTIMETRES } from './write-geometry.ts';

const AXES = ['d|X', 'd|Y', 'd|Z'];
const PROPERTIES = {
  translation: ['Lcl Translation', 'T'],
  rotation: ['Lcl Rotation', 'R'],
  scale: ['Lcl Scaling', 'S'],
} as const;
/** Linear, with the other bits that the SDK sets. */
const LINEAR_KEY = 0x6104;

/** Where the curves of nodes and morph targets go. */
export interface TakeTargets {
  /** Model of each node. */
  readonly models: readonly number[];
  /** Channels of each node's morph targets. */
  readonly channels: ReadonlyMap<number, readonly number[]>;
}

/** A take begins at time 0, wherever its first key is: some readers count from its beginning. */
export function writeTake(document: FbxDocument, clip: GltfAnimation, targets: TakeTargets): void {
  const span: [string, string, string, string, ReturnType<typeof long>][] = [
    ['LocalStart', 'KTime', 'Time', '', long(0)],
    ['LocalStop', 'KTime', 'Time', '', long(ticksOf(clip.end))],
    ['ReferenceStart', 'KTime', 'Time', '', long(0)],
    ['ReferenceStop', 'KTime', 'Time', '', long(ticksOf(clip.end))],
  ];
  const stack = document.add('AnimationStack', clip.name, 'AnimStack', '', [properties(span)]);
  const layer = document.add('AnimationLayer', 'BaseLayer', 'AnimLayer', '', [properties([])]);
  document.connect(layer, stack);
  document.addTake(clip.name, [0, clip.end]);
  for (const channel of clip.channels) {
    if (channel.path === 'weights') writeWeights(document, layer, channel, targets.channels.get(channel.node) ?? []);
    else writeNode(document, layer, channel, channel.path, targets.models[channel.node]);
  }
}

function writeNode(
  document: FbxDocument,
  layer: number,
  channel: GltfChannel,
  path: keyof typeof PROPERTIES,
  model: number,
): void {
  const { times, values } = clipKeys(channel, [alongChord, alongEuler]);
  const factor = path === 'translation' ? CENTIMETRES : 1;
  const curves =
    path === 'rotation'
      ? eulerCurves(values)
      : [0, 1, 2].map((c) => Float64Array.from(times, (_, k) => factor * values[3 * k + c]));
  const [property, label] = PROPERTIES[path];
  const defaults = AXES.map((axis, c) => [axis, 'Number', '', 'A', double(curves[c][0])] as const);
  const curveNode = document.add('AnimationCurveNode', label, 'AnimCurveNode', '', [properties(defaults)]);
  document.connect(curveNode, layer);
  document.connect(curveNode, model, property);
  curves.forEach((curve, c) => {
    document.connect(writeCurve(document, times, curve), curveNode, AXES[c]);
  });
}

function writeWeights(document: FbxDocument, layer: number, channel: GltfChannel, ids: readonly number[]): void {
  const { times, values } = clipKeys(channel);
  ids.forEach((id, r) => {
    const curve = Float64Array.from(times, (_, k) => 100 * values[channel.size * k + r]);
    const curveNode = document.add('AnimationCurveNode', 'DeformPercent', 'AnimCurveNode', '', [
      properties([['d|DeformPercent', 'Number', '', 'A', double(curve[0])]]),
    ]);
    document.connect(curveNode, layer);
    document.connect(curveNode, id, 'DeformPercent');
    document.connect(writeCurve(document, times, curve), curveNode, 'd|DeformPercent');
  });
}

function writeCurve(document: FbxDocument, times: Float64Array, values: Float64Array): number {
  return document.add('AnimationCurve', '', 'AnimCurve', '', [
    node('Default', [double(values[0])]),
    node('KeyVer', [int(4008)]),
    node('KeyTime', [BigInt64Array.from(times, (time) => BigInt(ticksOf(time)))]),
    node('KeyValueFloat', [Float32Array.from(values)]),
    node('KeyAttrFlags', [Int32Array.of(LINEAR_KEY)]),
    node('KeyAttrDataFloat', [new Float32Array(4)]),
    node('KeyAttrRefCount', [Int32Array.of(times.length)]),
  ]);
}
