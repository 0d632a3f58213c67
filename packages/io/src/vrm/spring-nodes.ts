/** The nodes that an avatar moves by itself: joints of springs, and nodes with constraints. */
import { isObject, type JsonObject, objectsOf } from '../gltf/json-shape.ts';
import { parseGltf } from '../gltf/open-document.ts';

/**
 * Nodes that swing or follow others in a VRM, by what its extensions say (`VRMC_springBone`, `VRMC_node_constraint`, and
 * `secondaryAnimation` of version 0, which names the uppermost node of each chain); empty for other files. No clip moves
 * them, so that whoever judges bones by clips would take them for idle.
 *
 * @param bytes  of a GLB or glTF
 * @example
 * {@includeCode ../../examples/vrm.ts}
 */
export function springNodes(bytes: Uint8Array): ReadonlySet<number> {
  const { json } = parseGltf(bytes);
  const nodes = objectsOf(json, 'nodes');
  const found = new Set<number>();
  const add = (node: unknown) => {
    if (typeof node === 'number' && node in nodes) found.add(node);
  };
  const extensions = isObject(json.extensions) ? json.extensions : {};
  if (isObject(extensions.VRMC_springBone)) {
    for (const spring of objectsOf(extensions.VRMC_springBone, 'springs')) {
      for (const { node } of objectsOf(spring, 'joints')) add(node);
    }
  }
  nodes.forEach(({ extensions: own }, k) => {
    if (isObject(own) && 'VRMC_node_constraint' in own) add(k);
  });
  for (const node of chainsOf(extensions.VRM, nodes)) add(node);
  return found;
}

/** The chains of version 0 with all that hangs on them. */
function chainsOf(extension: unknown, nodes: readonly JsonObject[]): Set<number> {
  const second = isObject(extension) && isObject(extension.secondaryAnimation) ? extension.secondaryAnimation : {};
  const found = new Set<number>();
  const pending: unknown[] = objectsOf(second, 'boneGroups').flatMap(({ bones }) =>
    Array.isArray(bones) ? bones : [],
  );
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (typeof node !== 'number' || !(node in nodes) || found.has(node)) continue;
    found.add(node);
    const { children } = nodes[node];
    if (Array.isArray(children)) pending.push(...children);
  }
  return found;
}
