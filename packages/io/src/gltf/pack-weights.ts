import { type SkinWeights, WEIGHT_SUM_TOLERANCE } from '@pelt/model';

/**
 * Skin weights as glTF wants them: sets of four, the four largest in the first (a client may read no other), unused
 * slots with joint 0 and weight 0, and a sum of exactly 1 in integers or to rounding in floats.
 */
export type WeightFormat = 'float' | 'u16' | 'u8';

export interface PackedWeights {
  /** Up to four sets, n × 4 each */
  readonly sets: readonly {
    readonly joints: Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;
    readonly weights: Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;
  }[];
  /** The most weight that any vertex lost by having more bones than fit. */
  readonly dropped: number;
}

const SLOTS_PER_SET = 4;
/** Engines read one set or two; more is for the exact recovery of a rig, and pelt reads them all. */
const MAX_SETS = 4;
const WHOLE: Readonly<Record<WeightFormat, number>> = { float: 1, u16: 65535, u8: 255 };
const ARRAYS = { float: Float32Array, u16: Uint16Array, u8: Uint8Array };

/**
 * @param joints     number of joints, which decides the size of an index
 * @param vertexMap  model vertex of each file vertex
 */
export function packWeights(
  skin: SkinWeights,
  joints: number,
  vertexMap: Uint32Array,
  format: WeightFormat,
): PackedWeights {
  const vertices = skin.bones.length / skin.slots;
  const rows: Row[] = [];
  let dropped = 0;
  let widest = 1;
  for (let i = 0; i < vertices; i++) {
    const { row, lost } = packRow(skin, i, format);
    rows.push(row);
    dropped = Math.max(dropped, lost);
    widest = Math.max(widest, row.length);
  }
  const Joints = joints <= 256 ? Uint8Array : Uint16Array;
  const sets = Array.from({ length: Math.ceil(widest / SLOTS_PER_SET) }, (_, set) => {
    const packed = {
      joints: new Joints(SLOTS_PER_SET * vertexMap.length),
      weights: new ARRAYS[format](SLOTS_PER_SET * vertexMap.length),
    };
    vertexMap.forEach((i, v) => {
      rows[i].slice(SLOTS_PER_SET * set, SLOTS_PER_SET * (set + 1)).forEach(({ bone, weight }, s) => {
        packed.joints[SLOTS_PER_SET * v + s] = bone;
        packed.weights[SLOTS_PER_SET * v + s] = weight;
      });
    });
    return packed;
  });
  return { sets, dropped };
}

/** Largest weight first; none is 0. */
type Row = readonly { readonly bone: number; readonly weight: number }[];

function packRow({ slots, bones, weights }: SkinWeights, i: number, format: WeightFormat): { row: Row; lost: number } {
  const used: { bone: number; weight: number }[] = [];
  for (let s = i * slots; s < (i + 1) * slots; s++) {
    if (weights[s] > 0) used.push({ bone: bones[s], weight: weights[s] });
  }
  used.sort((a, b) => b.weight - a.weight);
  const kept = used.slice(0, MAX_SETS * SLOTS_PER_SET);
  const lost = used.slice(kept.length).reduce((sum, { weight }) => sum + weight, 0);
  const values = kept.map(({ weight }) => weight);
  const fitted = format === 'float' ? floatsOfSumOne(values) : wholesOfSum(values, WHOLE[format]);
  return { row: kept.map(({ bone }, s) => ({ bone, weight: fitted[s] })).filter(({ weight }) => weight > 0), lost };
}

/** The same weights, if they already sum to 1 when added in 32 bits; else scaled, the largest taking up the rounding. */
function floatsOfSumOne(weights: readonly number[]): number[] {
  if (Math.abs(floatSum(weights) - 1) <= WEIGHT_SUM_TOLERANCE * weights.length) return [...weights];
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const rest = weights.slice(1).map((weight) => Math.fround(weight / sum));
  return [Math.fround(1 - rest.reduce((total, weight) => total + weight, 0)), ...rest];
}

function floatSum(weights: readonly number[]): number {
  return weights.reduce((sum, weight) => Math.fround(sum + weight), 0);
}

/** Whole numbers in proportion, by largest remainders, so that their sum is exact. */
function wholesOfSum(weights: readonly number[], whole: number): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const exact = weights.map((weight) => (weight / sum) * whole);
  const floors = exact.map(Math.floor);
  const missing = whole - floors.reduce((total, value) => total + value, 0);
  const byRemainder = [...exact.keys()].sort((a, b) => exact[b] - floors[b] - (exact[a] - floors[a]) || a - b);
  for (const s of byRemainder.slice(0, missing)) floors[s]++;
  return floors;
}
