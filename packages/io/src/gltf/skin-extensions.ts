/**
 * Skins that glTF has no word for, though it has all of their numbers: the file's own skin blended by dual quaternions
 * (`PELT_dual_quaternion`), and morph targets that follow the pose of the joints (`PELT_eigenskin`). Programs that do not
 * know them play linear blending with the morph targets' own curves.
 */
import { type EigenSkinExamples, InputError } from '@pelt/model';
import {
  DUAL_QUATERNION_EXTENSION,
  decodeEigenSkin,
  EIGENSKIN_EXTENSION,
  EXTENSION_VERSION,
  type FileEigenSkin,
  type GltfExtension,
  requireVersion,
} from '@pelt/model/internal';
import { extensionOf } from './extension-payload.ts';
import type { GltfAsset } from './scene.ts';

export { DUAL_QUATERNION_EXTENSION, EIGENSKIN_EXTENSION };

/** Poses that are stored at most: players interpolate between that many, evenly spaced. */
const MOST_EXAMPLES = 400;

/**
 * Says that the skins of a GLB blend dual quaternions.
 * @example
 * {@includeCode ../../examples/characters.ts}
 */
export function dualQuaternionExtension(): GltfExtension {
  return { name: DUAL_QUATERNION_EXTENSION, json: { version: EXTENSION_VERSION }, buffers: {} };
}

/** Whether the skins of a file blend dual quaternions. */
export function hasDualQuaternions(asset: GltfAsset): boolean {
  const extension = extensionOf(asset, DUAL_QUATERNION_EXTENSION);
  if (extension) requireVersion(extension);
  return extension !== undefined;
}

/**
 * How the morph targets of a GLB follow its joints.
 *
 * @param joints    m
 * @param examples  E poses of them and amounts of F fields, the first F morph targets of every mesh
 * @example
 * {@includeCode ../../examples/characters.ts}
 */
export function eigenSkinExtension(joints: number, { poses, amounts }: EigenSkinExamples): GltfExtension {
  const size = 12 * joints;
  const E = poses.length / size;
  const F = amounts.length / E;
  if (!Number.isInteger(F) || F < 1)
    throw new InputError(`${amounts.length} amounts for ${E} poses of ${joints} joints`);
  const step = Math.max(E / MOST_EXAMPLES, 1);
  const kept = Array.from({ length: Math.min(E, MOST_EXAMPLES) }, (_, k) => Math.floor(k * step));
  const rows = (values: Float64Array | Float32Array, width: number) => {
    const out = new Float32Array(kept.length * width);
    kept.forEach((e, k) => {
      out.set(values.subarray(e * width, (e + 1) * width), k * width);
    });
    return out;
  };
  return {
    name: EIGENSKIN_EXTENSION,
    json: { version: EXTENSION_VERSION, fields: F },
    buffers: { poses: rows(poses, size), amounts: rows(amounts, F) },
  };
}

/** @returns undefined where a file has none */
export function readEigenSkin(asset: GltfAsset): FileEigenSkin | undefined {
  const extension = extensionOf(asset, EIGENSKIN_EXTENSION);
  return extension && decodeEigenSkin(extension);
}
