/**
 * The skin weights of a geometry as pelt keeps them, and back.
 *
 * GLTFLoader scales the first four weights of every vertex to sum 1, whatever other sets there are; here they get back
 * the share that the other sets leave. three.js calls the first set `skinIndex` and `skinWeight`, the others by glTF's
 * own names in lower case.
 */
import { InputError, type SkinWeights } from '@pelt/model';
import { BufferAttribute, type BufferGeometry, type InterleavedBufferAttribute } from 'three';

export const SLOTS_PER_SET = 4;
/** glTF files of pelt hold up to sixteen weights. */
const MOST_SETS = 4;

type Attribute = BufferAttribute | InterleavedBufferAttribute;

/**
 * All sets of a geometry; throws `InputError` where it has none.
 * @example
 * {@includeCode ../../examples/meshes.ts}
 */
export function skinOf(geometry: BufferGeometry): SkinWeights {
  const sets: { joints: Attribute; weights: Attribute }[] = [];
  for (let set = 0; set < MOST_SETS; set++) {
    const joints = geometry.getAttribute(set === 0 ? 'skinIndex' : `joints_${set}`);
    const weights = geometry.getAttribute(set === 0 ? 'skinWeight' : `weights_${set}`);
    if (!joints || !weights) break;
    sets.push({ joints, weights });
  }
  if (sets.length === 0) throw new InputError(`geometry '${geometry.name}' has no skinIndex and skinWeight`);
  const n = sets[0].joints.count;
  const slots = SLOTS_PER_SET * sets.length;
  const bones = new Uint16Array(n * slots);
  const weights = new Float32Array(n * slots);
  for (let i = 0; i < n; i++) {
    let first = 0;
    let others = 0;
    for (let s = 0; s < slots; s++) {
      const { joints, weights: values } = sets[s >> 2];
      const weight = values.getComponent(i, s & 3);
      bones[i * slots + s] = weight > 0 ? joints.getComponent(i, s & 3) : 0;
      weights[i * slots + s] = weight;
      if (s < SLOTS_PER_SET) first += weight;
      else others += weight;
    }
    const scale = first > 0 ? (1 - others) / first : 1;
    for (let s = i * slots; s < i * slots + SLOTS_PER_SET; s++) weights[s] *= scale;
  }
  return { slots, bones, weights };
}

/**
 * Makes three's own skinning play the first four slots of a skin, scaled to sum 1 as GLTFLoader scales them. The next four
 * are kept as they are, for `useEightWeights`; more sets go.
 *
 * @example
 * {@includeCode ../../examples/meshes.ts}
 */
export function setStockSkin(geometry: BufferGeometry, skin: SkinWeights): void {
  const { slots } = skin;
  geometry.setAttribute('skinIndex', new BufferAttribute(setOf(skin.bones, slots, 0), SLOTS_PER_SET));
  geometry.setAttribute('skinWeight', new BufferAttribute(scaledToOne(setOf(skin.weights, slots, 0)), SLOTS_PER_SET));
  for (let set = 1; set < MOST_SETS; set++) {
    geometry.deleteAttribute(`joints_${set}`);
    geometry.deleteAttribute(`weights_${set}`);
  }
  if (slots <= SLOTS_PER_SET) return;
  geometry.setAttribute('joints_1', new BufferAttribute(setOf(skin.bones, slots, 1), SLOTS_PER_SET));
  geometry.setAttribute('weights_1', new BufferAttribute(setOf(skin.weights, slots, 1), SLOTS_PER_SET));
}

/** Four slots of every vertex, from n × K; 0 where there are fewer. */
function setOf<T extends Uint16Array | Float32Array>(values: T, slots: number, set: number): T {
  const n = values.length / slots;
  const out = new (values.constructor as new (length: number) => T)(SLOTS_PER_SET * n);
  const first = SLOTS_PER_SET * set;
  const kept = Math.min(slots - first, SLOTS_PER_SET);
  for (let i = 0; i < n; i++) {
    out.set(values.subarray(i * slots + first, i * slots + first + kept), SLOTS_PER_SET * i);
  }
  return out;
}

function scaledToOne(weights: Float32Array): Float32Array {
  for (let row = 0; row < weights.length; row += SLOTS_PER_SET) {
    let sum = 0;
    for (let s = row; s < row + SLOTS_PER_SET; s++) sum += weights[s];
    for (let s = row; s < row + SLOTS_PER_SET; s++) weights[s] = sum > 0 ? weights[s] / sum : s === row ? 1 : 0;
  }
  return weights;
}
