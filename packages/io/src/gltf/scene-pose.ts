import { restLocals, worldTransforms } from './node-poses.ts';
import { sampleChannel } from './sample-channel.ts';
import type { GltfAnimation, GltfNode, GltfScene } from './scene.ts';
import { composeTrs, multiply, type Transform, type Trs } from './transform.ts';

/** A scene at one moment of one of its animations: where its bones are and how much each morph target is on. */
export class ScenePose {
  readonly #scene: GltfScene;
  readonly #locals: Transform[];
  readonly #worlds: Transform[];
  readonly #moved = new Map<number, Trs>();
  /** Weights of the morph targets of a node, where an animation drives them. */
  readonly #weights = new Map<number, Float64Array>();
  readonly #bone = new Float64Array(12);

  constructor(scene: GltfScene) {
    this.#scene = scene;
    this.#locals = restLocals(scene.nodes);
    this.#worlds = scene.nodes.map(() => new Float64Array(12));
    worldTransforms(scene.nodes, scene.order, this.#locals, this.#worlds);
  }

  /** @param time  in the animation's own seconds */
  setTime(animation: GltfAnimation, time: number): void {
    const { nodes, order } = this.#scene;
    for (const channel of animation.channels) {
      if (channel.path === 'weights') {
        const weights = this.#weights.get(channel.node) ?? new Float64Array(channel.size);
        this.#weights.set(channel.node, sampleChannel(channel, time, weights));
      } else {
        const trs = this.#moved.get(channel.node) ?? copyOf(nodes[channel.node].trs);
        this.#moved.set(channel.node, trs);
        sampleChannel(channel, time, trs[channel.path]);
      }
    }
    for (const [node, trs] of this.#moved) composeTrs(trs, this.#locals[node]);
    worldTransforms(nodes, order, this.#locals, this.#worlds);
  }

  /**
   * Rest → pose of every bone.
   *
   * @param out  m × 12, from index `first`
   */
  boneTransforms(out: Float64Array, first = 0): void {
    this.#scene.bones.forEach(({ node, inverseRest }, j) => {
      out.set(multiply(this.#worlds[node], inverseRest, this.#bone), first + 12 * j);
    });
  }

  /** A node's transform to the world; not to be written to. */
  world(node: number): Transform {
    return this.#worlds[node];
  }

  /** The weights that drive a node's morph targets; `undefined` where they are as at rest. */
  morphWeights(node: number): Float64Array | undefined {
    return this.#weights.get(node);
  }
}

function copyOf({ translation, rotation, scale }: GltfNode['trs']): Trs {
  return { translation: translation.slice(), rotation: rotation.slice(), scale: scale.slice() };
}
