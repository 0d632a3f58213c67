/** The solid of `PELT_body`; docs/extensions describes its arrays. */
import { type BodySettings, type SavedBody, validateSavedBody } from '../body.ts';
import { InputError } from '../errors.ts';
import { BODY_EXTENSION } from './names.ts';
import { EXTENSION_VERSION, ExtensionFields, type GltfExtension } from './payload.ts';

const NUMBERS = ['volumeWeight', 'bending', 'rotationWeight', 'constraintStiffness', 'tolerance'] as const;

/** @param vertexMap  the surface's vertex of each vertex of the file, where their order is another */
export function encodeBody(saved: SavedBody, vertexMap?: Uint32Array): GltfExtension {
  const { body, skin, fixed, yielding, settings } = saved;
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return {
    name: BODY_EXTENSION,
    json: { version: EXTENSION_VERSION, slots: skin.slots, yielding, settings: Object.fromEntries(given) },
    buffers: {
      // Copies: a payload is memory of its own, never shared with threads.
      positions: body.positions.slice(),
      tetrahedra: body.tetrahedra.slice(),
      surface: vertexMap ? vertexMap.map((i) => body.surface[i]) : body.surface.slice(),
      fixed: fixed.slice(),
      bones: Uint16Array.from(skin.bones),
      weights: Float32Array.from(skin.weights),
    },
  };
}

/**
 * @param name      of the mesh
 * @param vertices  n, of the surface
 * @param joints    m
 */
export function decodeBody(extension: GltfExtension, name: string, vertices: number, joints: number): SavedBody {
  const fields = new ExtensionFields(extension);
  const { yielding, settings = {} } = fields.json;
  if (typeof yielding !== 'boolean') throw new InputError(`${BODY_EXTENSION}: yielding must be true or false`);
  const saved: SavedBody = {
    body: {
      name,
      positions: fields.array('positions', Float32Array),
      tetrahedra: fields.array('tetrahedra', Uint32Array),
      surface: fields.array('surface', Uint32Array),
    },
    skin: {
      slots: fields.count('slots', 1),
      bones: fields.array('bones', Uint16Array),
      weights: fields.array('weights', Float32Array),
    },
    fixed: fields.array('fixed', Uint32Array),
    yielding,
    settings: settingsOf(settings),
  };
  validateSavedBody(saved, vertices, joints);
  return saved;
}

/** Settings that are not known belong to a later reader. */
function settingsOf(given: unknown): BodySettings {
  if (typeof given !== 'object' || given === null)
    throw new InputError(`${BODY_EXTENSION}: settings must be an object`);
  const { method, ...others } = given as Record<string, unknown>;
  if (method !== undefined && method !== 'smooth' && method !== 'budd-hilton') {
    throw new InputError(`${BODY_EXTENSION}: settings.method is ${String(method)}; it must be smooth or budd-hilton`);
  }
  const numbers = NUMBERS.filter((key) => others[key] !== undefined);
  for (const key of numbers) {
    if (typeof others[key] === 'number' && others[key] >= 0) continue;
    throw new InputError(`${BODY_EXTENSION}: settings.${key} is ${String(others[key])}; it must be a number from 0`);
  }
  return { ...(method && { method }), ...Object.fromEntries(numbers.map((key) => [key, others[key]])) };
}
