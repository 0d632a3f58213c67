/** Clips as prims of UsdSkel: samples of all joints and all blend shapes at the moments at which any of them has a key. */
import { sampleChannel } from '../gltf/sample-channel.ts';
import type { ChannelPath, GltfAnimation, GltfChannel } from '../gltf/scene.ts';
import { clipKeys } from '../scene/clip-keys.ts';
import type { FileScene } from '../scene/file-scene.ts';
import { unionOfTimes } from '../scene/linear-keys.ts';
import type { UsdJoints } from './usd-skeleton.ts';
import { displayName, double, floats, identifier, type Prim, quoted, tokens, tuples } from './usda-text.ts';

/** Blend shapes of all nodes, by the names that animations know them by. */
export interface UsdShapes {
  readonly names: readonly string[];
  /** Of each: the node, and which of its targets. */
  readonly places: readonly { readonly node: number; readonly target: number }[];
}

/** The pose without a clip, for players that show nothing of a skeleton that has no animation. */
const STILL: GltfAnimation = { name: 'rest', channels: [], start: 0, end: 0 };

/** @param rate  time codes a second */
export function animationPrims(
  scene: FileScene,
  joints: UsdJoints,
  shapes: UsdShapes,
  rate: number,
  taken: Set<string>,
): { readonly prims: Prim[]; readonly ids: string[] } {
  const clips = scene.clips.length > 0 ? scene.clips : [STILL];
  const ids = clips.map(({ name }) => identifier(name, taken, 'clip'));
  const prims = clips.map((clip, k) => {
    const samples = new ClipSamples(scene, joints, clip, rate);
    return {
      head: `def SkelAnimation ${quoted(ids[k])}`,
      metadata: displayName(clip.name, ids[k]),
      body: [
        `uniform token[] joints = ${tokens(joints.paths)}`,
        ...samples.vectors('translation', 'float3[] translations'),
        ...samples.rotations(),
        ...samples.vectors('scale', 'half3[] scales'),
        ...(shapes.names.length > 0
          ? [`uniform token[] blendShapes = ${tokens(shapes.names)}`, ...samples.weights(shapes)]
          : []),
      ],
    };
  });
  return { prims, ids };
}

class ClipSamples {
  readonly #scene: FileScene;
  readonly #joints: UsdJoints;
  readonly #rate: number;
  readonly #channels = new Map<string, GltfChannel>();

  constructor(scene: FileScene, joints: UsdJoints, { channels }: GltfAnimation, rate: number) {
    this.#scene = scene;
    this.#joints = joints;
    this.#rate = rate;
    for (const channel of channels) this.#channels.set(`${channel.path} ${channel.node}`, channel);
  }

  vectors(path: 'translation' | 'scale', property: string): string[] {
    const factorOf = (k: number) =>
      path === 'translation' ? this.#joints.lengthFactor(k) : this.#joints.scaleFactor(k);
    return this.#property(property, this.#times(path, this.#joints.nodes), (time) => {
      const values = this.#joints.nodes.flatMap((k) => {
        const factor = factorOf(k);
        return Array.from(this.#sample(path, k, time, 3), (value) => value * factor);
      });
      return tuples(values, 3);
    });
  }

  /** The real part comes first. */
  rotations(): string[] {
    return this.#property('quatf[] rotations', this.#times('rotation', this.#joints.nodes), (time) => {
      const values = this.#joints.nodes.flatMap((k) => {
        const [x, y, z, w] = this.#sample('rotation', k, time, 4);
        const length = Math.hypot(x, y, z, w) || 1;
        return [w / length, x / length, y / length, z / length];
      });
      return tuples(values, 4);
    });
  }

  weights({ places }: UsdShapes): string[] {
    const nodes = [...new Set(places.map(({ node }) => node))];
    return this.#property('float[] blendShapeWeights', this.#times('weights', nodes), (time) => {
      const found = new Map(
        nodes.map((k) => [k, this.#sample('weights', k, time, this.#scene.nodes[k].weights.length)]),
      );
      return floats(places.map(({ node, target }) => found.get(node)?.[target] ?? 0));
    });
  }

  /** Moments at which any of the nodes has a key. */
  #times(path: ChannelPath, nodes: readonly number[]): Float64Array {
    return unionOfTimes(
      nodes.flatMap((k) => {
        const channel = this.#channels.get(`${path} ${k}`);
        return channel ? [clipKeys(channel, []).times] : [];
      }),
    );
  }

  #property(declaration: string, times: Float64Array, value: (time: number) => string): string[] {
    if (times.length === 0) return [`${declaration} = ${value(0)}`];
    const samples = Array.from(
      times,
      (time) => `    ${double(Number((time * this.#rate).toFixed(6)))}: ${value(time)},`,
    );
    return [`${declaration}.timeSamples = {`, ...samples, '}'];
  }

  #sample(path: ChannelPath, k: number, time: number, size: number): ArrayLike<number> & Iterable<number> {
    const channel = this.#channels.get(`${path} ${k}`);
    if (channel) return sampleChannel(channel, time, new Float64Array(size));
    const { trs, weights } = this.#scene.nodes[k];
    return path === 'weights' ? weights : trs[path];
  }
}
