/**
 * Secondary motion in a glTF: bones of the palette of `PELT_envelope` that swing travel as `PELT_dynamics`; without it
 * the pose-only skin plays.
 */
import { type Dynamics, InputError } from '@pelt/model';
import { DYNAMICS_EXTENSION, decodeDynamics, encodeDynamics, type GltfExtension } from '@pelt/model/internal';
import { readEnvelope } from './envelope-extension.ts';
import { extensionOf } from './extension-payload.ts';
import type { GltfAsset } from './scene.ts';

export { DYNAMICS_EXTENSION };

/**
 * Secondary motion as the extension `PELT_dynamics` of a GLB, in single precision.
 * @example
 * {@includeCode ../../examples/dynamics.ts}
 */
export function dynamicsExtension(dynamics: Dynamics): GltfExtension {
  return encodeDynamics(dynamics);
}

/**
 * The secondary motion that a file carries, if any. Throws `InputError` where it does not fit the learnt skin of the file.
 * @example
 * {@includeCode ../../examples/dynamics.ts}
 */
export function readDynamics(asset: GltfAsset): Dynamics | undefined {
  const extension = extensionOf(asset, DYNAMICS_EXTENSION);
  if (!extension) return undefined;
  const envelope = readEnvelope(asset);
  if (!envelope) throw new InputError(`${DYNAMICS_EXTENSION} needs the learnt skin of PELT_envelope, which is missing`);
  const m = envelope.rig.bones.length;
  return decodeDynamics(extension, m, envelope.proxies + (envelope.addedJoints ?? 0) + m);
}
