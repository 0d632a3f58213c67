import type { GltfNode } from './scene.ts';
import { composeTrs, identityTransform, multiply, type Transform } from './transform.ts';

/**
 * Where every node is in the world: W = W_parent · local.
 *
 * @param order   all nodes, parents before children
 * @param locals  the nodes' own transforms
 * @param worlds  overwritten
 */
export function worldTransforms(
  nodes: readonly GltfNode[],
  order: Uint32Array,
  locals: readonly Transform[],
  worlds: readonly Transform[],
): void {
  for (const k of order) {
    const { parent } = nodes[k];
    if (parent < 0) worlds[k].set(locals[k]);
    else multiply(worlds[parent], locals[k], worlds[k]);
  }
}

/** The nodes' own transforms when no animation moves them. */
export function restLocals(nodes: readonly GltfNode[]): Transform[] {
  return nodes.map(({ matrix, trs }) => matrix?.slice() ?? composeTrs(trs, identityTransform()));
}

export function restWorlds(nodes: readonly GltfNode[], order: Uint32Array): Transform[] {
  const worlds = nodes.map(() => new Float64Array(12));
  worldTransforms(nodes, order, restLocals(nodes), worlds);
  return worlds;
}
