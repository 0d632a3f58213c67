/** The secondary motion of `PELT_dynamics`; docs/extensions describes its arrays. */
import { type Dynamics, validateDynamics } from '../dynamics.ts';
import { EXTENSION_VERSION, ExtensionFields, type GltfExtension, type PayloadArray } from './payload.ts';

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

export function encodeDynamics(dynamics: Dynamics): GltfExtension {
  const buffers: Record<string, PayloadArray> = {};
  // Copies: a payload is memory of its own, never shared with threads.
  for (const key of INDICES) buffers[key] = dynamics[key].slice() as PayloadArray;
  for (const key of NUMBERS) buffers[key] = Float32Array.from(dynamics[key]);
  if (dynamics.contact) {
    const { bones, shapes, clearances } = dynamics.contact;
    buffers.capsuleBones = bones.slice() as PayloadArray;
    buffers.capsules = Float32Array.from(shapes);
    buffers.clearances = Float32Array.from(clearances);
  }
  return { name: DYNAMICS_EXTENSION, json: { version: EXTENSION_VERSION }, buffers };
}

/**
 * @param joints   m
 * @param palette  bones of the learnt skin, in front of which its proxies and added joints stand
 */
export function decodeDynamics(extension: GltfExtension, joints: number, palette: number): Dynamics {
  const fields = new ExtensionFields(extension);
  const dynamics = {
    ...Object.fromEntries(INDICES.map((key) => [key, fields.array(key, Uint16Array)])),
    ...Object.fromEntries(NUMBERS.map((key) => [key, Float64Array.from(fields.array(key, Float32Array))])),
    ...(extension.buffers.capsules && {
      contact: {
        bones: fields.array('capsuleBones', Uint16Array),
        shapes: Float64Array.from(fields.array('capsules', Float32Array)),
        clearances: Float64Array.from(fields.array('clearances', Float32Array)),
      },
    }),
  } as unknown as Dynamics;
  validateDynamics(dynamics, joints, palette);
  return dynamics;
}
