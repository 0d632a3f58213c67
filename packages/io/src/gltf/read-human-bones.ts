/** The human body that a VRM file names in its skeleton, in versions 0 and 1 of the format. */
import { isObject, type JsonObject } from './json-shape.ts';
import type { GltfAsset } from './scene.ts';

/**
 * Bones of the asset by the human bones of VRM (`leftUpperLeg`); empty for other files, and without those that are not
 * bones of a skin.
 *
 * References: VRM 0.x specification, humanoid; VRMC_vrm-1.0, humanoid.
 */
export function readHumanBones({ extensions, scene }: GltfAsset): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const add = (name: unknown, node: unknown) => {
    const bone = scene.bones.findIndex((own) => own.node === node);
    if (typeof name === 'string' && bone >= 0 && !found.has(name)) found.set(name, bone);
  };
  for (const { name, json } of extensions) {
    if (name !== 'VRM' && name !== 'VRMC_vrm') continue;
    const bones = isObject(json.humanoid) ? json.humanoid.humanBones : undefined;
    if (Array.isArray(bones)) for (const entry of bones.filter(isObject)) add(entry.bone, (entry as JsonObject).node);
    else if (isObject(bones)) {
      for (const [key, entry] of Object.entries(bones)) if (isObject(entry)) add(key, entry.node);
    }
  }
  return found;
}
