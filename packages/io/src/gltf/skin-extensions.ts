/**
 * Skins that glTF has no word for, though it has all of their numbers: the file's own skin blended by dual quaternions
 * (`PELT_dual_quaternion`), and morph targets that follow the pose of the joints (`PELT_eigenskin`). Programs that do not
 * know them play linear blending with the morph targets' own curves.
 */
import { type EigenSkinExamples, InputError } from '@pelt/model';
import type { GltfExtension } from './extension-payload.ts';
import { EXTENSION_VERSION, requireVersion } from './extension-version.ts';
import type { GltfAsset } from './scene.ts';

export const DUAL_QUATERNION_EXTENSION = 'PELT_dual_quaternion';
export const EIGENSKIN_EXTENSION = 'PELT_eigenskin';

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
export function hasDualQuaternions({ extensions }: GltfAsset): boolean {
  const extension = extensions.find(({ name }) => name === DUAL_QUATERNION_EXTENSION);
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
export function readEigenSkin({ extensions }: GltfAsset): (EigenSkinExamples & { fields: number }) | undefined {
  const extension = extensions.find(({ name }) => name === EIGENSKIN_EXTENSION);
  if (!extension) return undefined;
  requireVersion(extension);
  const { fields } = extension.json;
  if (typeof fields !== 'number' || !Number.isInteger(fields) || fields < 1) {
    throw new InputError(`${EIGENSKIN_EXTENSION}: fields must be a whole number above 0`);
  }
  const { poses, amounts } = extension.buffers;
  if (!(poses instanceof Float32Array) || !(amounts instanceof Float32Array)) {
    throw new InputError(`${EIGENSKIN_EXTENSION}: buffers.poses and buffers.amounts must be Float32Arrays`);
  }
  return { fields, poses: Float64Array.from(poses), amounts };
}
