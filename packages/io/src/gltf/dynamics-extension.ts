/**
 * Secondary motion in a glTF: bones of the palette of `PELT_envelope` that swing travel as `PELT_dynamics`; without it
 * the pose-only skin plays.
 */
import { type Dynamics, InputError, validateDynamics } from '@pelt/model';
import { readEnvelope } from './envelope-extension.ts';
import type { GltfExtension, PayloadArray } from './extension-payload.ts';
import { EXTENSION_VERSION, requireVersion } from './extension-version.ts';
import type { GltfAsset } from './scene.ts';

export const DYNAMICS_EXTENSION = 'PELT_dynamics';

const INDICES = ['drivers', 'posed', 'bones'] as const;
const NUMBERS = [
  'gravity',
  'speeds',
  'centres',
  'rest',
  'modes',
  'limits',
  'offsets',
  'poseMap',
  'motionMap',
  'poles',
  'channels',
  'readOut',
] as const;

/**
 * Secondary motion as the extension `PELT_dynamics` of a GLB, in single precision.
 * @example
 * {@includeCode ../../examples/dynamics.ts}
 */
export function dynamicsExtension(dynamics: Dynamics): GltfExtension {
  const buffers: Record<string, PayloadArray> = {};
  // Copies: a payload is memory of its own, never shared with threads.
  for (const key of INDICES) buffers[key] = dynamics[key].slice() as PayloadArray;
  for (const key of NUMBERS) buffers[key] = Float32Array.from(dynamics[key]);
  return { name: DYNAMICS_EXTENSION, json: { version: EXTENSION_VERSION }, buffers };
}

/**
 * The secondary motion that a file carries, if any. Throws `InputError` where it does not fit the learnt skin of the file.
 * @example
 * {@includeCode ../../examples/dynamics.ts}
 */
export function readDynamics(asset: GltfAsset): Dynamics | undefined {
  const extension = asset.extensions.find(({ name }) => name === DYNAMICS_EXTENSION);
  if (!extension) return undefined;
  requireVersion(extension);
  const envelope = readEnvelope(asset);
  if (!envelope) throw new InputError(`${DYNAMICS_EXTENSION} needs the learnt skin of PELT_envelope, which is missing`);
  const array = <T extends PayloadArray>(name: string, Type: new (length: number) => T): T => {
    const found = extension.buffers[name];
    if (!(found instanceof Type)) throw new InputError(`${DYNAMICS_EXTENSION}: buffers.${name} must be a ${Type.name}`);
    return found;
  };
  const read = {
    ...Object.fromEntries(INDICES.map((key) => [key, array(key, Uint16Array)])),
    ...Object.fromEntries(NUMBERS.map((key) => [key, Float64Array.from(array(key, Float32Array))])),
  } as unknown as Dynamics;
  const m = envelope.rig.bones.length;
  validateDynamics(read, m, envelope.proxies + (envelope.addedJoints ?? 0) + m);
  return read;
}
