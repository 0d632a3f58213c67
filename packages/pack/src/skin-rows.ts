/** The joints and weights of a primitive as rows, largest weight first, over as many sets as the widest vertex needs. */
import type { FilePrimitive } from './file-primitives.ts';

export interface SkinRows {
  /** Slots of a row: four for each set. */
  readonly slots: number;
  /** n × slots, joints of the skin */
  readonly joints: Uint16Array;
  /** n × slots, each row sums to 1 */
  readonly weights: Float32Array;
}

const SLOTS_PER_SET = 4;

export function skinRows({ attributes, source }: FilePrimitive): SkinRows | undefined {
  const sets = [];
  for (let set = 0; attributes.has(`JOINTS_${set}`); set++) {
    const [joints, weights] = [attributes.get(`JOINTS_${set}`), attributes.get(`WEIGHTS_${set}`)];
    if (joints && weights) sets.push({ joints: joints.values, weights: weights.values });
  }
  if (sets.length === 0) return undefined;
  const n = source.length;
  const slots = SLOTS_PER_SET * sets.length;
  const joints = new Uint16Array(n * slots);
  const weights = new Float32Array(n * slots);
  let widest = 1;
  for (let i = 0; i < n; i++) {
    const row = new Map<number, number>();
    for (const set of sets) {
      for (let s = SLOTS_PER_SET * i; s < SLOTS_PER_SET * (i + 1); s++) {
        if (set.weights[s] > 0) row.set(set.joints[s], (row.get(set.joints[s]) ?? 0) + set.weights[s]);
      }
    }
    // A vertex without weights follows the first of its joints, as readers take it.
    if (row.size === 0) row.set(sets[0].joints[SLOTS_PER_SET * i], 1);
    const sorted = [...row].sort(([a, u], [b, v]) => v - u || a - b);
    const sum = sorted.reduce((total, [, weight]) => total + weight, 0);
    sorted.forEach(([joint, weight], s) => {
      joints[i * slots + s] = joint;
      weights[i * slots + s] = weight / sum;
    });
    widest = Math.max(widest, sorted.length);
  }
  const needed = SLOTS_PER_SET * Math.ceil(widest / SLOTS_PER_SET);
  return { slots: needed, joints: narrowed(joints, slots, needed), weights: narrowed(weights, slots, needed) };
}

function narrowed<T extends Uint16Array | Float32Array>(rows: T, from: number, to: number): T {
  return from === to ? rows : slotsOf(rows, from, 0, to);
}

/** One set of a row's slots. */
export function setOfRows<T extends Uint8Array | Uint16Array>(rows: T, slots: number, set: number): T {
  return slots === SLOTS_PER_SET ? (rows.slice() as T) : slotsOf(rows, slots, SLOTS_PER_SET * set, SLOTS_PER_SET);
}

function slotsOf<T extends Uint8Array | Uint16Array | Float32Array>(
  rows: T,
  slots: number,
  from: number,
  count: number,
): T {
  const n = rows.length / slots;
  const out = new (rows.constructor as new (length: number) => T)(n * count);
  for (let i = 0; i < n; i++) for (let s = 0; s < count; s++) out[i * count + s] = rows[i * slots + from + s];
  return out;
}
