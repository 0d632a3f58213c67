import { InputError } from '@pelt/model';
import type { WarningTally } from '../warning-tally.ts';
import { indexOf, indicesOf, type JsonObject, numbersOf, objectsOf, optionalIndexOf, textOf } from './json-shape.ts';
import type { GltfNode } from './scene.ts';
import { fromColumns, identityTrs, type Trs } from './transform.ts';

export const ZERO_ROTATION = 'a rotation whose quaternion is zero is read as none';

/** The node tree. A node with two parents, or one that is its own ancestor, is an error. */
export interface NodeTree {
  readonly nodes: readonly GltfNode[];
  /** Parents before children. */
  readonly order: Uint32Array;
  /** The nodes that the default scene shows, in the order of a walk through it. */
  readonly shown: readonly number[];
  /** The mesh of each node; −1 for none. */
  readonly meshes: readonly number[];
  /** The skin of each node; −1 for none. */
  readonly skins: readonly number[];
}

export function readNodes(json: JsonObject, warnings: WarningTally): NodeTree {
  const list = objectsOf(json, 'nodes');
  const children = list.map((node, k) => indicesOf(node, 'children', `nodes[${k}]`, list.length));
  const parents = new Int32Array(list.length).fill(-1);
  children.forEach((own, k) => {
    for (const child of own) {
      if (parents[child] >= 0)
        throw new InputError(`nodes[${child}] has two parents, nodes[${parents[child]}] and [${k}]`);
      parents[child] = k;
    }
  });
  const roots = [...list.keys()].filter((k) => parents[k] < 0);
  const order = walk(roots, children);
  // With one parent each, what a walk from the roots does not reach goes round in circles.
  if (order.length < list.length) {
    const reached = new Set(order);
    throw new InputError(`nodes[${[...list.keys()].find((k) => !reached.has(k))}] is its own ancestor`);
  }
  return {
    nodes: list.map((node, k) => readNode(node, `nodes[${k}]`, parents[k], warnings)),
    order: Uint32Array.from(order),
    shown: walk(sceneRoots(json, roots, parents), children),
    meshes: attachmentsOf(json, list, 'mesh', 'meshes'),
    skins: attachmentsOf(json, list, 'skin', 'skins'),
  };
}

function attachmentsOf(json: JsonObject, list: readonly JsonObject[], key: string, target: string): number[] {
  const { length } = objectsOf(json, target);
  return list.map((node, k) => optionalIndexOf(node, key, `nodes[${k}]`, length));
}

function sceneRoots(json: JsonObject, roots: readonly number[], parents: Int32Array): readonly number[] {
  const scenes = objectsOf(json, 'scenes');
  if (scenes.length === 0) return roots;
  const s = Object.hasOwn(json, 'scene') ? indexOf(json, 'scene', 'glTF', scenes.length) : 0;
  const shown = indicesOf(scenes[s], 'nodes', `scenes[${s}]`, parents.length);
  for (const node of shown) {
    if (parents[node] >= 0) throw new InputError(`scenes[${s}] lists nodes[${node}], which is not a root`);
  }
  return [...new Set(shown)];
}

/** Depth first, children in their order; without recursion, for a chain of nodes may be longer than a call stack. */
function walk(roots: readonly number[], children: readonly (readonly number[])[]): number[] {
  const order: number[] = [];
  const pending = [...roots].reverse();
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    order.push(node);
    for (let c = children[node].length - 1; c >= 0; c--) pending.push(children[node][c]);
  }
  return order;
}

function readNode(node: JsonObject, where: string, parent: number, warnings: WarningTally): GltfNode {
  const matrix = numbersOf(node, 'matrix', where, 16);
  return {
    name: textOf(node, 'name'),
    parent,
    trs: readTrs(node, where, warnings),
    ...(matrix && { matrix: fromColumns(matrix) }),
    ...(node.extras !== undefined && { extras: node.extras }),
  };
}

function readTrs(node: JsonObject, where: string, warnings: WarningTally): Trs {
  const none = identityTrs();
  const take = (key: string, fallback: Float64Array) => {
    const values = numbersOf(node, key, where, fallback.length);
    return values ? Float64Array.from(values) : fallback;
  };
  const rotation = take('rotation', none.rotation);
  const isZero = rotation.every((value) => value === 0);
  if (isZero) warnings.add(ZERO_ROTATION);
  return {
    translation: take('translation', none.translation),
    rotation: isZero ? none.rotation : rotation,
    scale: take('scale', none.scale),
  };
}
