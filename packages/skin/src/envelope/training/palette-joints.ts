/** The joints that a transform of a palette follows: those of the linear blend of the vertices that it moves. */
import type { PaletteCorrections, ReducedEnvelope } from '@pelt/model';

export type PaletteJoints = Pick<PaletteCorrections, 'slots' | 'joints' | 'weights'>;

/** Most joints of a transform. */
const SLOTS = 4;

/**
 * @param entries  B transforms of the palette
 * @returns        B × slots joints by their shares, the largest first; shares sum to 1
 */
export function jointsOfPalette(
  { rig, skin }: Pick<ReducedEnvelope, 'rig' | 'skin'>,
  entries: Uint16Array,
): PaletteJoints {
  const m = rig.bones.length;
  const numbers = new Map(Array.from(entries, (entry, b) => [entry, b]));
  const shares = new Float64Array(entries.length * m);
  const blend = rig.weights;
  skin.weights.forEach((weight, s) => {
    const b = numbers.get(skin.bones[s]);
    if (weight === 0 || b === undefined) return;
    const i = Math.floor(s / skin.slots);
    for (let u = i * blend.slots; u < (i + 1) * blend.slots; u++) {
      shares[b * m + blend.bones[u]] += weight * weight * blend.weights[u];
    }
  });
  const slots = Math.max(1, Math.min(SLOTS, m));
  const joints = new Uint16Array(entries.length * slots);
  const weights = new Float32Array(entries.length * slots);
  entries.forEach((_, b) => {
    const row = shares.subarray(b * m, (b + 1) * m);
    const largest = Array.from(row.keys())
      .sort((a, c) => row[c] - row[a] || a - c)
      .slice(0, slots);
    const total = largest.reduce((sum, j) => sum + row[j], 0);
    largest.forEach((j, s) => {
      joints[b * slots + s] = row[j] > 0 || s === 0 ? j : largest[0];
      weights[b * slots + s] = total > 0 ? row[j] / total : s === 0 ? 1 : 0;
    });
  });
  return { slots, joints, weights };
}
