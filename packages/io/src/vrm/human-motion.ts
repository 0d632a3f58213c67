/**
 * A clip as the motion of a human body alone: bones in the tree of the body, each under the next bone above it, whatever
 * nodes the file has in between. With q_1 … q_k the rotations of the nodes from below the upper bone to the bone itself,
 * the bone turns by q_1 ⋯ q_k; only the hips travel.
 */
import { multiplyQuaternions } from '@pelt/math';
import { restLocals, restWorlds } from '../gltf/node-poses.ts';
import { sampleChannel } from '../gltf/sample-channel.ts';
import type { GltfAnimation, GltfChannel, GltfNode } from '../gltf/scene.ts';
import { composeTrs, identityTransform, multiply, type Transform, type Trs } from '../gltf/transform.ts';
import { keyMoments } from '../scene/clip-keys.ts';
import type { FileScene, SceneNode } from '../scene/file-scene.ts';
import {
  alongArc,
  alongChord,
  type Keys,
  liesNear,
  linearKeys,
  turnsNear,
  unionOfTimes,
} from '../scene/linear-keys.ts';

/** What lines between keys may miss, in radians and against the height of the hips. */
const TOLERANCE = 1e-5;
const NO_TURN: ArrayLike<number> = [0, 0, 0, 1];

export interface HumanBone {
  /** As VRM 1 calls it. */
  readonly name: string;
  /** Of the file. */
  readonly node: number;
  /** Nodes from below the next bone above down to its own. */
  readonly chain: readonly number[];
  /** In the list of bones; −1 for the topmost. */
  readonly parent: number;
}

/** @param placed  names of human bones by node */
export function humanBones({ nodes, order }: FileScene, placed: ReadonlyMap<number, string>): HumanBone[] {
  const found: HumanBone[] = [];
  for (let k = 0; k < order.length; k++) {
    const name = placed.get(order[k]);
    if (name === undefined) continue;
    const chain: number[] = [];
    let node = order[k];
    do {
      chain.unshift(node);
      node = nodes[node].parent;
    } while (node >= 0 && !placed.has(node));
    found.push({ name, node: order[k], chain, parent: found.findIndex((bone) => bone.node === node) });
  }
  return found;
}

export class HumanMotion {
  readonly #scene: FileScene;
  readonly #bones: readonly HumanBone[];
  /** Of the whole body, unit quaternion. */
  readonly #turn: ArrayLike<number>;

  /** @param turned  whether it faces −Z, as avatars of VRM 0 do */
  constructor(scene: FileScene, bones: readonly HumanBone[], turned: boolean) {
    this.#scene = scene;
    this.#bones = bones;
    this.#turn = turned ? [0, 1, 0, 0] : NO_TURN;
  }

  /** The bones at rest, as nodes without scale. */
  nodes(): SceneNode[] {
    const { nodes, order } = this.#scene;
    const worlds = restWorlds(nodes as readonly GltfNode[], Uint32Array.from(order));
    const turns: Float64Array[] = [];
    return this.#bones.map(({ name, node, parent }, b) => {
      const rotation = this.#rotation(b, new Map(), 0, new Float64Array(4));
      turns.push(parent < 0 ? rotation : product(turns[parent], rotation));
      const from = parent < 0 ? [0, 0, 0] : originOf(worlds[this.#bones[parent].node]);
      const offset = originOf(worlds[node]).map((value, c) => value - from[c]);
      const translation = turned(
        parent < 0 ? this.#turn : inverse(turns[parent]),
        parent < 0 ? offset : turned(this.#turn, offset),
      );
      return {
        name,
        parent,
        trs: { translation: Float64Array.from(translation), rotation, scale: Float64Array.of(1, 1, 1) },
        mesh: -1,
        skin: -1,
        weights: [],
      };
    });
  }

  /** The clip over these nodes: rotations of all bones that turn, and the way of the topmost. */
  clip({ channels }: GltfAnimation): GltfChannel[] {
    const moving = channelsByNode(channels);
    return this.#bones.flatMap(({ chain, parent }, b) => {
      const own = chain.flatMap((node) => moving.get(node) ?? []);
      const found: GltfChannel[] = [];
      const add = (path: 'rotation' | 'translation', { times, values }: Keys) => {
        const size = path === 'rotation' ? 4 : 3;
        const key = { node: b, path, interpolation: 'LINEAR', size } as const;
        found.push({ ...key, times: Float32Array.from(times), values: Float32Array.from(values) });
      };
      const turning = own.filter(({ path }) => path === 'rotation');
      if (turning.length > 0) add('rotation', this.#rotationKeys(b, moving, turning));
      if (parent < 0 && own.length > 0) add('translation', this.#translationKeys(b, moving, own));
      return found;
    });
  }

  #rotationKeys(bone: number, moving: Moving, channels: readonly GltfChannel[]): Keys {
    const evaluate = (time: number, out: Float64Array) => this.#rotation(bone, moving, time, out);
    const ways = [alongArc, alongChord];
    const curve = { size: 4, evaluate, arcs: true, ways, isNear: turnsNear(TOLERANCE) };
    return linearKeys(curve, unionOfTimes(channels.map(keyMoments)));
  }

  #translationKeys(bone: number, moving: Moving, channels: readonly GltfChannel[]): Keys {
    const { chain } = this.#bones[bone];
    const locals = restLocals(this.#scene.nodes as readonly GltfNode[]);
    const [world, local] = [identityTransform(), identityTransform()];
    const evaluate = (time: number, out: Float64Array) => {
      world.set(identityTransform());
      for (const node of chain) {
        const own = moving.get(node);
        multiply(world, own ? composeTrs(this.#trs(node, own, time), local) : locals[node], world);
      }
      out.set(turned(this.#turn, originOf(world)));
    };
    const height = new Float64Array(3);
    evaluate(0, height);
    const limit = TOLERANCE * (Math.hypot(height[0], height[1], height[2]) || 1);
    return linearKeys({ size: 3, evaluate, isNear: liesNear(limit) }, unionOfTimes(channels.map(keyMoments)));
  }

  #rotation(bone: number, moving: Moving, time: number, out: Float64Array): Float64Array {
    const { chain, parent } = this.#bones[bone];
    let turn: ArrayLike<number> = parent < 0 ? this.#turn : NO_TURN;
    for (const node of chain) turn = product(turn, this.#trs(node, moving.get(node) ?? [], time).rotation);
    const length = Math.hypot(turn[0], turn[1], turn[2], turn[3]) || 1;
    for (let c = 0; c < 4; c++) out[c] = turn[c] / length;
    return out;
  }

  #trs(node: number, channels: readonly GltfChannel[], time: number): Trs {
    const { trs } = this.#scene.nodes[node];
    if (channels.length === 0) return trs;
    const at = { translation: trs.translation.slice(), rotation: trs.rotation.slice(), scale: trs.scale.slice() };
    for (const channel of channels) if (channel.path !== 'weights') sampleChannel(channel, time, at[channel.path]);
    return at;
  }
}

type Moving = ReadonlyMap<number, readonly GltfChannel[]>;

function channelsByNode(channels: readonly GltfChannel[]): Moving {
  const found = new Map<number, GltfChannel[]>();
  for (const channel of channels) {
    if (channel.path === 'weights') continue;
    found.set(channel.node, [...(found.get(channel.node) ?? []), channel]);
  }
  return found;
}

function originOf(world: Transform): number[] {
  return [world[3], world[7], world[11]];
}

function product(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
  const out = new Float64Array(4);
  multiplyQuaternions(a, 0, b, 0, out, 0);
  return out;
}

function inverse(q: ArrayLike<number>): number[] {
  return [-q[0], -q[1], -q[2], q[3]];
}

function turned(q: ArrayLike<number>, [x, y, z]: readonly number[]): number[] {
  const [a, b, c] = product(product(q, [x, y, z, 0]), inverse(q));
  return [a, b, c];
}
