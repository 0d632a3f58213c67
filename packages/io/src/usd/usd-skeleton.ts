/**
 * Nodes as joints of UsdSkel. Every node that a mesh hangs on, with all above it, is a joint, so that the skeleton stands
 * at the origin and its animation alone moves everything.
 *
 * Scales of joints have 16 bits in USD. Constant uniform scales, which are the usual ones (centimetres under a node of
 * 0.01), are therefore taken out of the joints: a joint's frame is divided by the scales of all above it and its own, and
 * its bind is multiplied by them, which moves no vertex.
 */
import { composeTrs, multiply, type Transform } from '../gltf/transform.ts';
import type { FileScene, SceneNode } from '../scene/file-scene.ts';
import { identifier } from './usda-text.ts';

/** Scales nearer to each other than this are one. */
const SAME_SCALE = 1e-5;

export class UsdJoints {
  /** Nodes that are joints, parents before children. */
  readonly nodes: readonly number[];
  /** `Hips/Spine`, for each of `nodes`. */
  readonly paths: readonly string[];
  /** Place among `nodes` of each node. */
  readonly indices: ReadonlyMap<number, number>;
  /** Product of the constant uniform scales down to each node. */
  readonly factors: Float64Array;
  readonly #scene: FileScene;
  readonly #own: Float64Array;

  constructor(scene: FileScene) {
    this.#scene = scene;
    const needed = neededNodes(scene);
    this.nodes = Array.from(scene.order).filter((k) => needed.has(k));
    this.indices = new Map(this.nodes.map((k, j) => [k, j]));
    this.#own = Float64Array.from(scene.nodes, (node, k) => constantScale(scene, node, k));
    this.factors = new Float64Array(scene.nodes.length).fill(1);
    const paths: string[] = [];
    // Some readers know joints by the last part of their paths.
    const taken = new Set<string>();
    for (const k of this.nodes) {
      const { parent, name } = scene.nodes[k];
      this.factors[k] = this.#own[k] * (parent >= 0 ? this.factors[parent] : 1);
      const id = identifier(name, taken, `joint_${k}`);
      const above = parent >= 0 ? paths[this.indices.get(parent) ?? 0] : undefined;
      paths.push(above ? `${above}/${id}` : id);
    }
    this.paths = paths;
  }

  /** What a translation of a node is multiplied by. */
  lengthFactor(k: number): number {
    const { parent } = this.#scene.nodes[k];
    return parent >= 0 ? this.factors[parent] : 1;
  }

  /** What is left of a node's scale. */
  scaleFactor(k: number): number {
    return 1 / this.#own[k];
  }

  /** Local transforms at rest. */
  restTransforms(): Transform[] {
    return this.nodes.map((k) => {
      const { translation, rotation, scale } = this.#scene.nodes[k].trs;
      return composeTrs(
        {
          translation: translation.map((value) => value * this.lengthFactor(k)),
          rotation,
          scale: scale.map((value) => value * this.scaleFactor(k)),
        },
        new Float64Array(12),
      );
    });
  }

  /** Where joints are at rest. */
  restWorlds(): Transform[] {
    const worlds: Transform[] = [];
    this.restTransforms().forEach((local, j) => {
      const { parent } = this.#scene.nodes[this.nodes[j]];
      const above = parent >= 0 ? worlds[this.indices.get(parent) ?? 0] : undefined;
      worlds.push(above ? multiply(above, local, new Float64Array(12)) : local);
    });
    return worlds;
  }
}

/** Nodes of meshes and joints of their skins, with all above them. */
function neededNodes({ nodes, skins }: FileScene): Set<number> {
  const needed = new Set<number>();
  const add = (node: number) => {
    for (let k = node; k >= 0 && !needed.has(k); k = nodes[k].parent) needed.add(k);
  };
  nodes.forEach(({ mesh, skin }, k) => {
    if (mesh < 0) return;
    if (skin < 0) add(k);
    else for (const joint of skins[skin].joints) add(joint);
  });
  return needed;
}

/** The scale of a node that is the same along all axes and in all clips; 1 for any other. */
function constantScale({ clips }: FileScene, { trs }: SceneNode, k: number): number {
  const [x, y, z] = trs.scale;
  const near = (value: number) => Math.abs(value - x) <= SAME_SCALE * Math.abs(x);
  if (!(x > 0) || !near(y) || !near(z)) return 1;
  const moved = clips.some(({ channels }) =>
    channels.some(({ node, path, values }) => node === k && path === 'scale' && !values.every(near)),
  );
  return moved ? 1 : x;
}
