/** The solid of a character in a glTF, as `PELT_body`: without it the file is a skinned mesh. */
import { type SavedBody, vertexCount } from '@pelt/model';
import { BODY_EXTENSION, decodeBody, encodeBody, type GltfExtension } from '@pelt/model/internal';
import { extensionOf } from './extension-payload.ts';
import type { GltfAsset } from './scene.ts';

export { BODY_EXTENSION };

/**
 * Tetrahedra and constraints as the extension `PELT_body` of a GLB.
 *
 * @param vertexMap  the surface's vertex of each vertex of the file, where their order is another
 * @example
 * {@includeCode ../../examples/saved-body.ts}
 */
export function bodyExtension(body: SavedBody, vertexMap?: Uint32Array): GltfExtension {
  return encodeBody(body, vertexMap);
}

/**
 * The solid that a file carries, if any. Throws `InputError` where it is not one of its mesh and joints.
 *
 * @param joints  m: those that drive the character, without such as a skin computes
 * @example
 * {@includeCode ../../examples/saved-body.ts}
 */
export function readBody(asset: GltfAsset, joints: number): SavedBody | undefined {
  const extension = extensionOf(asset, BODY_EXTENSION);
  return extension && decodeBody(extension, asset.mesh.name, vertexCount(asset.mesh), joints);
}
