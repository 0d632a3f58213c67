/**
 * The first layer of a two-layer skin as it stands in a file: `extras.peltTwoLayer` of the mesh's node. Joint r below
 * `virtual` is the blend of `slots` joints behind the virtual ones, row by row; the second layer is the file's own joints
 * and weights, which every player knows.
 */
import { InputError, type Rig, type TwoLayerSkin, virtualCount } from '@pelt/model';
import { isObject } from './json-shape.ts';

/** Of the numbers written: what a weight needs. */
const DIGITS = 6;

export function layerExtras(skin: TwoLayerSkin): { readonly peltTwoLayer: Readonly<Record<string, unknown>> } {
  const q = virtualCount(skin);
  const { slots, bones, weights } = skin.masters;
  const joints = Array.from(bones, (j, k) => (weights[k] > 0 ? q + j : 0));
  const written = Array.from(weights, (w) => Number(w.toPrecision(DIGITS)));
  return { peltTwoLayer: { virtual: q, slots, joints, weights: written } };
}

/**
 * Both layers of a rig that was read, over all of its bones: `deformTwoLayer` takes whole poses of it. Nothing where the
 * extras say nothing of layers.
 */
export function layersFromExtras(rig: Rig, extras: unknown): TwoLayerSkin | undefined {
  const found = fieldOf(extras, 'peltTwoLayer');
  if (found === undefined) return undefined;
  const what = `'${rig.name}': peltTwoLayer`;
  const virtual = fieldOf(found, 'virtual');
  const slots = fieldOf(found, 'slots');
  if (!isCount(virtual) || !isCount(slots)) throw new InputError(`${what} must have whole numbers virtual and slots`);
  const joints = numbersOf(fieldOf(found, 'joints'), virtual * slots, `${what}.joints`);
  const weights = numbersOf(fieldOf(found, 'weights'), virtual * slots, `${what}.weights`);
  const wrong = joints.find((j, k) => weights[k] > 0 && !(Number.isInteger(j) && j >= 0 && j < rig.bones.length));
  if (wrong !== undefined) throw new InputError(`${what}.joints: there is no joint ${wrong}`);
  const used = rig.weights.bones.find((bone, k) => rig.weights.weights[k] > 0 && bone >= virtual);
  if (used !== undefined) throw new InputError(`${what}: a vertex goes with joint ${used}, which is not virtual`);
  const bones = Uint16Array.from(joints, (j, k) => (weights[k] > 0 ? j : 0));
  return { masters: { slots, bones, weights: Float32Array.from(weights) }, vertices: rig.weights };
}

function fieldOf(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}

function numbersOf(value: unknown, count: number, what: string): readonly number[] {
  const right = Array.isArray(value) && value.length === count && value.every((v) => Number.isFinite(v) && v >= 0);
  if (!right) throw new InputError(`${what} must be ${count} numbers of 0 or more`);
  return value as number[];
}
