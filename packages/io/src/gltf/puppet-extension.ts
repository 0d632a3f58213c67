/** A puppet in a glTF: the pairs of poses that it was learnt from, as `PELT_puppet`; without it the file is a character. */
import type { SavedPuppet } from '@pelt/model';
import { decodePuppet, encodePuppet, type GltfExtension, PUPPET_EXTENSION } from '@pelt/model/internal';
import { extensionOf } from './extension-payload.ts';
import type { GltfAsset } from './scene.ts';

export { PUPPET_EXTENSION };

/**
 * Pairs of poses and how they are played, as the extension `PELT_puppet` of a GLB.
 * @example
 * {@includeCode ../../examples/saved-puppet.ts}
 */
export function puppetExtension(puppet: SavedPuppet): GltfExtension {
  return encodePuppet(puppet);
}

/**
 * The pairs that a file carries, if any. Throws `InputError` where they are not of its joints.
 *
 * @param joints  m: those that drive the character, without such as a skin computes
 * @example
 * {@includeCode ../../examples/saved-puppet.ts}
 */
export function readPuppet(asset: GltfAsset, joints: number): SavedPuppet | undefined {
  const extension = extensionOf(asset, PUPPET_EXTENSION);
  return extension && decodePuppet(extension, joints);
}
