/**
 * Which node is which bone of a human body, as VRM says it: version 1 (`VRMC_vrm`) by an object, version 0 (`VRM`) by a
 * list, and animations (`VRMC_vrm_animation`) as version 1. Thumbs are named one joint further out in version 0.
 *
 * References: VRM Consortium. VRMC_vrm-1.0, VRMC_vrm_animation-1.0; VRM 0.x specification.
 */
import { isObject, type JsonObject } from '../gltf/json-shape.ts';

const THUMBS: Readonly<Record<string, string>> = {
  ThumbProximal: 'ThumbMetacarpal',
  ThumbIntermediate: 'ThumbProximal',
};

/** Names of VRM 1 by node. What does not name a node is passed over: a file is not refused for what only helps. */
export function readHumanoid(json: JsonObject): Map<number, string> {
  const extensions = isObject(json.extensions) ? json.extensions : {};
  const count = Array.isArray(json.nodes) ? json.nodes.length : 0;
  const found = new Map<number, string>();
  const add = (bone: unknown, node: unknown) => {
    if (typeof bone !== 'string' || typeof node !== 'number' || !Number.isInteger(node)) return;
    if (node >= 0 && node < count && !found.has(node)) found.set(node, bone);
  };
  for (const name of ['VRMC_vrm', 'VRMC_vrm_animation']) {
    const bones = humanBones(extensions[name]);
    if (!isObject(bones)) continue;
    for (const [bone, entry] of Object.entries(bones)) if (isObject(entry)) add(bone, entry.node);
  }
  const list = humanBones(extensions.VRM);
  if (Array.isArray(list)) {
    for (const entry of list) if (isObject(entry)) add(newName(entry.bone), entry.node);
  }
  return found;
}

function humanBones(extension: unknown): unknown {
  const humanoid = isObject(extension) ? extension.humanoid : undefined;
  return isObject(humanoid) ? humanoid.humanBones : undefined;
}

function newName(bone: unknown): unknown {
  if (typeof bone !== 'string') return bone;
  const [, side, joint] = /^(left|right)(Thumb\w+)$/.exec(bone) ?? [];
  return side ? `${side}${THUMBS[joint] ?? joint}` : bone;
}

/** Whether a file is a VRM of any version. */
export function isVrm(json: JsonObject): boolean {
  return isObject(json.extensions) && ('VRMC_vrm' in json.extensions || 'VRM' in json.extensions);
}
