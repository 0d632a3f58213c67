/** The models of an FBX as a tree of nodes. */
import { fitTrs } from '../gltf/fit-trs.ts';
import { composeTrs, determinant, identityTrs, multiply, type Transform, type Trs } from '../gltf/transform.ts';
import type { SceneNode } from '../scene/file-scene.ts';
import type { WarningTally } from '../warning-tally.ts';
import type { FbxObject, FbxObjects } from './fbx-objects.ts';
import { type FbxTransform, localTrs, multiplyQuaternions, rotate, transformOf, type Vector } from './fbx-transform.ts';

export class FbxNodes {
  /** One for each node, but for a mirror above the roots. */
  readonly models: readonly FbxObject[];
  readonly transforms: readonly FbxTransform[];
  readonly nodes: readonly SceneNode[];
  /** Parents before children. */
  readonly order: readonly number[];
  /** Where nodes are at rest, in the scene. */
  readonly worlds: readonly Transform[];
  /** Metres of a unit of the file. */
  readonly unit: number;
  readonly indices = new Map<FbxObject, number>();
  /** Turns what hangs on no other node. */
  readonly #turn: Float64Array | undefined;

  constructor(objects: FbxObjects, unit: number, axes: Transform, warnings: WarningTally) {
    this.unit = unit;
    this.models = objects.all('Model');
    this.models.forEach((model, k) => {
      this.indices.set(model, k);
    });
    this.transforms = this.models.map((model) => transformOf(objects, model, unit));
    const found = this.models.map((model) => {
      const parent = objects.parentsOf(model, 'Model')[0]?.object;
      return parent ? (this.indices.get(parent) ?? -1) : -1;
    });
    const { parents, order } = openCircles(found, warnings);
    const mirrored = determinant(axes) < 0;
    this.#turn = mirrored ? undefined : fitTrs(axes, Float64Array.of(0, 0, 0, 1)).rotation;
    const mirror = this.models.length;
    const nodes: SceneNode[] = this.models.map(({ name }, k) => ({
      name,
      parent: parents[k] < 0 && mirrored ? mirror : parents[k],
      trs: identityTrs(),
      ...NOTHING,
    }));
    this.nodes = nodes;
    if (mirrored) {
      nodes.push({ name: 'axes', parent: -1, trs: fitTrs(axes, Float64Array.of(0, 0, 0, 1)), ...NOTHING });
      order.unshift(mirror);
    }
    this.order = order;
    for (const k of order) {
      if (k === mirror) continue;
      const { translation, rotation, scale } = this.transforms[k];
      this.place(k, translation, rotation, scale, this.restScale(nodes[k].parent), nodes[k].trs);
    }
    this.worlds = nodes.map(() => new Float64Array(12));
    for (const k of order) {
      const local = composeTrs(nodes[k].trs, new Float64Array(12));
      if (nodes[k].parent < 0) this.worlds[k].set(local);
      else multiply(this.worlds[nodes[k].parent], local, this.worlds[k]);
    }
  }

  /** A node's own scale at rest. */
  restScale(k: number): Vector {
    return this.transforms[k]?.scale ?? [1, 1, 1];
  }

  /**
   * Where a node is in its parent, at given values of its properties.
   *
   * @param parentScale  own scale of its parent, which some nodes do not take
   * @param turn         in place of the rotation, as a quaternion
   */
  place(
    k: number,
    translation: Vector,
    rotation: Vector,
    scale: Vector,
    parentScale: Vector,
    out: Trs,
    turn?: Float64Array,
  ): Trs {
    const node = this.transforms[k];
    localTrs(node, translation, rotation, scale, out, turn);
    if (node.unscaled) for (let c = 0; c < 3; c++) out.scale[c] /= parentScale[c] || 1;
    if (this.#turn && this.nodes[k].parent < 0) {
      out.translation.set(rotate(this.#turn, out.translation));
      out.rotation.set(multiplyQuaternions(this.#turn, out.rotation));
    }
    return out;
  }
}

const NOTHING = { mesh: -1, skin: -1, weights: [] } as const;

/** Parents before children; where parents go in a circle, one of them hangs on none. */
function openCircles(found: readonly number[], warnings: WarningTally): { parents: number[]; order: number[] } {
  const parents = [...found];
  const children: number[][] = parents.map(() => []);
  parents.forEach((parent, k) => {
    if (parent >= 0) children[parent].push(k);
  });
  const order: number[] = [];
  const seen = new Uint8Array(parents.length);
  const visit = (root: number) => {
    const pending = [root];
    for (let k = pending.pop(); k !== undefined; k = pending.pop()) {
      if (seen[k]) continue;
      seen[k] = 1;
      order.push(k);
      for (let c = children[k].length - 1; c >= 0; c--) pending.push(children[k][c]);
    }
  };
  parents.forEach((parent, k) => {
    if (parent < 0) visit(k);
  });
  for (let k = 0; k < parents.length; k++) {
    if (seen[k]) continue;
    warnings.add('nodes that are their own ancestors are hung on none');
    parents[k] = -1;
    visit(k);
  }
  return { parents, order };
}
