/**
 * What the arrays of a readable file get wrong, stored again as readers take it: bounds that are not those of the numbers,
 * bind matrices that are not affine, rotations that are not of unit length, weights that do not sum to 1. What is right
 * stays as it is, to the bit.
 */
import type { AccessorSet } from '../accessor-set.ts';
import { isObject, type JsonObject, objectsOf } from '../json-shape.ts';
import type { GltfAsset } from '../scene.ts';
import type { MutableJson } from './raw-document.ts';
import { type AddVertexArray, writeWeights } from './write-weights.ts';

/** Stores an array and gives the number of its accessor. */
export type AddArray = (
  values: Float32Array | Uint8Array | Uint16Array,
  type: string,
  size: number,
  bounds?: JsonObject,
) => number;

/** As far from 1 as the sum of stored weights and the length of stored rotations may be. */
const [WEIGHT_SLACK, LENGTH_SLACK] = [2e-3, 5e-4];
/** Between keys that do not rise, in seconds. */
const STEP = 1e-6;
/** The same of rotations in whole numbers, the coarsest of which are bytes. */
const ROUNDED_SLACK = 0.01;

export function mendArrays(
  json: MutableJson,
  accessors: AccessorSet,
  asset: GltfAsset,
  add: AddArray,
  addRows: AddVertexArray,
): void {
  mendOffsets(json, accessors, add);
  mendBounds(json, accessors);
  const drawn = viewsOfMeshes(json);
  for (const skin of objectsOf(json, 'skins') as MutableJson[]) {
    const at = skin.inverseBindMatrices;
    if (typeof at !== 'number' || accessors.size(at) !== 16) continue;
    const affine = affineOf(accessors.raw(at));
    if (affine) skin.inverseBindMatrices = add(affine, 'MAT4', 16);
  }
  for (const animation of objectsOf(json, 'animations')) {
    separateKeys(animation, json, accessors, drawn, add);
    mendRotations(animation, accessors, add);
  }
  if (hasWrongWeights(json, accessors, asset)) writeWeights(json, asset, asset.scene.weights, addRows);
}

/** Numbers begin at a multiple of their size. */
function mendOffsets(json: MutableJson, accessors: AccessorSet, add: AddArray): void {
  objectsOf(json, 'accessors').forEach((accessor, k) => {
    const own = accessor as MutableJson;
    const values = accessors.raw(k);
    if (own.bufferView === undefined || Number(own.byteOffset ?? 0) % values.BYTES_PER_ELEMENT === 0) return;
    if (!(values instanceof Float32Array || values instanceof Uint8Array || values instanceof Uint16Array)) return;
    const made = add(values, own.type as string, accessors.size(k));
    own.bufferView = objectsOf(json, 'accessors')[made].bufferView;
    delete own.byteOffset;
  });
}

function mendBounds(json: MutableJson, accessors: AccessorSet): void {
  const needed = new Set<unknown>();
  for (const mesh of objectsOf(json, 'meshes')) {
    for (const primitive of objectsOf(mesh, 'primitives')) {
      const targets = Array.isArray(primitive.targets) ? primitive.targets : [];
      for (const attributes of [primitive.attributes, ...targets])
        if (isObject(attributes)) needed.add(attributes.POSITION);
    }
  }
  for (const animation of objectsOf(json, 'animations')) {
    for (const { input } of objectsOf(animation, 'samplers')) needed.add(input);
  }
  objectsOf(json, 'accessors').forEach((accessor, k) => {
    const own = accessor as MutableJson;
    const stored = own.bufferView !== undefined || own.sparse !== undefined;
    if (!stored || k >= accessors.length || accessors.count(k) === 0) return;
    for (const [key, value] of Object.entries(boundsOf(accessors.raw(k), accessors.size(k)))) {
      const given = own[key];
      if (given === undefined ? !needed.has(k) : sameNumbers(given, value)) continue;
      own[key] = value;
    }
  });
}

function boundsOf(values: ArrayLike<number>, size: number): { readonly min: number[]; readonly max: number[] } {
  const min = new Array<number>(size).fill(Number.POSITIVE_INFINITY);
  const max = new Array<number>(size).fill(Number.NEGATIVE_INFINITY);
  for (let k = 0; k < values.length; k++) {
    if (values[k] < min[k % size]) min[k % size] = values[k];
    if (values[k] > max[k % size]) max[k % size] = values[k];
  }
  return { min, max };
}

function sameNumbers(given: unknown, values: readonly number[]): boolean {
  if (!Array.isArray(given) || given.length !== values.length) return false;
  return given.every((value, k) => typeof value === 'number' && Math.fround(value) === Math.fround(values[k]));
}

/** Column by column with a last row of 0, 0, 0, 1; undefined where they have it. */
function affineOf(values: ArrayLike<number>): Float32Array | undefined {
  const rest = (k: number) => (k % 16 === 15 ? 1 : 0);
  let right = true;
  for (let k = 3; k < values.length; k += 4) right &&= values[k] === rest(k);
  return right ? undefined : Float32Array.from(values, (value, k) => (k % 4 === 3 ? rest(k) : value));
}

/** Views that hold vertices or triangles. */
function viewsOfMeshes(json: JsonObject): ReadonlySet<unknown> {
  const views = objectsOf(json, 'accessors').map(({ bufferView }) => bufferView);
  const used = objectsOf(json, 'meshes').flatMap((mesh) =>
    objectsOf(mesh, 'primitives').flatMap(({ indices, attributes }) => [
      indices,
      ...(isObject(attributes) ? Object.values(attributes) : []),
    ]),
  );
  return new Set(used.map((index) => views[index as number]).filter((view) => view !== undefined));
}

/** The times themselves, or such that each is a little later than the one before. */
function rising(times: Float32Array): Float32Array {
  if (times.every((time, k) => k === 0 || time > times[k - 1])) return times;
  const out = times.slice();
  for (let k = 1; k < out.length; k++) out[k] = Math.max(out[k], out[k - 1] + STEP * Math.max(1, Math.abs(out[k - 1])));
  return out;
}

/** Keys rise, and are not among vertices. */
function separateKeys(
  animation: JsonObject,
  json: MutableJson,
  accessors: AccessorSet,
  drawn: ReadonlySet<unknown>,
  add: AddArray,
): void {
  const samplers = objectsOf(animation, 'samplers') as MutableJson[];
  const played = new Set(objectsOf(animation, 'channels').map(({ sampler }) => sampler as number));
  for (const [s, sampler] of samplers.entries()) {
    // One that nothing plays may hold anything.
    const [first] = played;
    if (!played.has(s) && first !== undefined) Object.assign(sampler, samplers[first]);
    for (const key of ['input', 'output']) {
      const at = sampler[key];
      const own = typeof at === 'number' ? objectsOf(json, 'accessors')[at] : undefined;
      if (!own || typeof at !== 'number' || at >= accessors.length) continue;
      const size = accessors.size(at);
      const stored = accessors.floats(at, 'a curve', [size]);
      const values = key === 'input' ? rising(stored) : stored;
      if (values === stored && !drawn.has(own.bufferView)) continue;
      sampler[key] = add(values, own.type as string, size, key === 'input' ? boundsOf(values, size) : {});
    }
  }
}

function mendRotations(animation: JsonObject, accessors: AccessorSet, add: AddArray): void {
  const samplers = objectsOf(animation, 'samplers') as MutableJson[];
  const mended = new Set<unknown>();
  for (const { sampler: at, target } of objectsOf(animation, 'channels')) {
    const sampler = samplers[at as number];
    if (!isObject(target) || target.path !== 'rotation' || !sampler || mended.has(at)) continue;
    mended.add(at);
    const output = sampler.output as number;
    if (output >= accessors.length) continue;
    if (sampler.interpolation === 'CUBICSPLINE' || accessors.size(output) !== 4) continue;
    const values = accessors.floats(output, 'a rotation', [4]);
    const unit = unitLength(values, accessors.raw(output) === values ? LENGTH_SLACK : ROUNDED_SLACK);
    if (unit) sampler.output = add(unit, 'VEC4', 4);
  }
}

/** undefined where all of them are of unit length */
function unitLength(values: Float32Array, slack: number): Float32Array | undefined {
  let out: Float32Array | undefined;
  for (let k = 0; k < values.length; k += 4) {
    const length = Math.hypot(values[k], values[k + 1], values[k + 2], values[k + 3]);
    if (Math.abs(length - 1) <= slack) continue;
    out ??= values.slice();
    for (let c = 0; c < 4; c++) out[k + c] = length > 0 ? values[k + c] / length : c === 3 ? 1 : 0;
  }
  return out;
}

function hasWrongWeights(json: JsonObject, accessors: AccessorSet, { scene }: GltfAsset): boolean {
  const meshes = objectsOf(json, 'meshes');
  return scene.ranges.some(({ skin, mesh, primitive, bones }) => {
    if (skin < 0) return false;
    const { attributes } = objectsOf(meshes[mesh], 'primitives')[primitive];
    return isObject(attributes) && isWrong(attributes, accessors, bones.length);
  });
}

function isWrong(attributes: JsonObject, accessors: AccessorSet, joints: number): boolean {
  const sets = [];
  for (let set = 0; typeof attributes[`JOINTS_${set}`] === 'number'; set++) {
    const [named, shares] = [attributes[`JOINTS_${set}`], attributes[`WEIGHTS_${set}`]] as number[];
    if (typeof shares !== 'number') return true;
    sets.push({ joints: accessors.raw(named), weights: accessors.floats(shares, 'weights', [4]) });
  }
  const n = sets.length > 0 ? sets[0].weights.length / 4 : 0;
  for (let i = 0; i < n; i++) {
    let sum = 0;
    const seen: number[] = [];
    for (const set of sets) {
      for (let s = 4 * i; s < 4 * (i + 1); s++) {
        const [joint, weight] = [set.joints[s], set.weights[s]];
        if (weight < 0 || joint >= joints || (weight === 0 && joint !== 0)) return true;
        if (weight > 0 && seen.includes(joint)) return true;
        if (weight > 0) seen.push(joint);
        sum += weight;
      }
    }
    if (Math.abs(sum - 1) > WEIGHT_SLACK) return true;
  }
  return false;
}
