/** Joints and weights of a primitive as the rows of bytes that the codec takes. */
import { alignSlots } from './align-slots.ts';
import { type Column, rawColumn } from './columns.ts';
import type { PackedWeights } from './pack-plan.ts';
import { setOfRows } from './skin-rows.ts';

/**
 * Whether the weights of rigid parts are floats. Those are 1, 0, 0, 0 for every vertex, so that all of the parts have one
 * array, as long as the largest of them. three.js, which normalises all weights that it loads, takes a third of the time
 * for floats, and Babylon.js copies them no more. Only where that array decodes to no more bytes than quantised weights of
 * all parts.
 *
 * @param all  weights of all primitives of the file
 */
export function sharesRigidWeights(all: readonly (PackedWeights | undefined)[]): boolean {
  const counts = all.flatMap((weights) => (weights && isRigid(weights) ? [weights.values.length / weights.slots] : []));
  const largest = counts.reduce((most, count) => Math.max(most, count), 0);
  const [wide, narrow] = [4 * Float32Array.BYTES_PER_ELEMENT, 4];
  return wide * largest <= narrow * counts.reduce((sum, count) => sum + count, 0);
}

/** Every vertex follows one joint. */
function isRigid({ slots, values, whole }: PackedWeights): boolean {
  return slots === 4 && values.every((value, k) => k % 4 > 0 || value === whole);
}

/** @param sharesRigid  see `sharesRigidWeights` */
export function skinColumns(weights: PackedWeights | undefined, sharesRigid: boolean): Column[] {
  if (!weights) return [];
  const { slots, joints, values, whole } = weights;
  const bound = joints.map((joint, k) => (values[k] > 0 ? joint : 0));
  const most = bound.reduce((largest, joint) => Math.max(largest, joint), 0);
  const floats = sharesRigid && isRigid(weights);
  return Array.from({ length: slots / 4 }, (_, set) => {
    const own = setOfRows(bound, slots, set);
    const shares = setOfRows(values, slots, set);
    const narrow = { values: most <= 255 ? Uint8Array.from(own) : own, size: 4, normalized: false };
    const stored = whole === 255 ? Uint8Array.from(shares) : shares;
    const ones = Float32Array.from(floats ? shares : [], (value) => value / whole);
    return [
      rawColumn(`JOINTS_${set}`, narrow),
      rawColumn(`WEIGHTS_${set}`, { values: floats ? ones : stored, size: 4, normalized: !floats }),
    ];
  }).flat();
}

/**
 * Puts joints into the slots of their neighbours, in place: within each set of four, for the largest weights stay in the
 * first, which is all that some players read. A face of eight weights takes a seventh less for joints and weights.
 */
export function alignSkinColumns(attributes: readonly Column[]): void {
  const find = (semantic: string) => attributes.find((column) => column.semantic === semantic);
  for (let set = 0; ; set++) {
    const [joints, weights] = [find(`JOINTS_${set}`), find(`WEIGHTS_${set}`)];
    if (!joints || !weights?.normalized) return;
    alignSlots(wholes(joints), wholes(weights));
  }
}

function wholes({ bytes, stride }: Column): Uint8Array | Uint16Array {
  return stride === 4 ? bytes : new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
}
