/**
 * Which joints of an arm or a leg are which, where some may be missing: minimise the squared differences of the logarithms of
 * segment lengths from those of a body, over all ways to leave out words of the sequence. Lengths are compared up to a
 * common factor, so that it does not matter how large the body is, nor where the trunk begins: a collar bone that merged
 * with the chest is left out where upper and lower arm are then as long as each other.
 */
import { exp, log } from '@pelt/math';

/** A joint of a limb, and how far out it is, in any unit. */
export interface LimbWord {
  readonly word: string;
  readonly at: number;
  /** Whether every limb has it. */
  readonly needed?: boolean;
}

/** Adults: a collar is half of an upper arm, a hand with fingers three quarters of it. */
export const ARM: readonly LimbWord[] = [
  { word: 'Shoulder', at: 0 },
  { word: 'UpperArm', at: 0.5, needed: true },
  { word: 'LowerArm', at: 1.5, needed: true },
  { word: 'Hand', at: 2.4 },
  // Fingers that move as one.
  { word: 'Hand', at: 2.8 },
  { word: '', at: 3.1 },
];
export const LEG: readonly LimbWord[] = [
  { word: 'UpperLeg', at: 0, needed: true },
  { word: 'LowerLeg', at: 1, needed: true },
  { word: 'Foot', at: 2 },
  { word: 'Toes', at: 2.4 },
  { word: '', at: 2.6 },
];

/**
 * A word for each joint; undefined where there are more joints than words.
 *
 * @param lengths  from each joint to the next, and from the last to the tip
 */
export function limbWords(lengths: readonly number[], words: readonly LimbWord[]): readonly string[] | undefined {
  const joints = words.slice(0, -1);
  const tip = words[words.length - 1];
  const whole = lengths.reduce((sum, length) => sum + length, 0);
  if (lengths.length > joints.length || !(whole > 0)) return undefined;
  // A joint on another has a length that is small, not none.
  const own = lengths.map((length) => log(Math.max(length / whole, LEAST_LENGTH)));
  let best: { readonly cost: number; readonly chosen: readonly LimbWord[] } | undefined;
  for (const chosen of subsequences(joints, lengths.length)) {
    if (joints.some((word) => word.needed && !chosen.includes(word))) continue;
    const expected = chosen.map(({ at }, k) => log((chosen[k + 1] ?? tip).at - at));
    const differences = own.map((length, k) => length - expected[k]);
    const mean = differences.reduce((sum, value) => sum + value, 0) / differences.length;
    const cost = differences.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    if (!best || cost < best.cost - TIE) best = { cost, chosen };
  }
  return best?.chosen.map(({ word }) => word);
}

const LEAST_LENGTH = exp(-6);
/** Costs that are equal but for rounding: the first sequence is taken. */
const TIE = 1e-12;

function* subsequences<T>(items: readonly T[], count: number): Generator<readonly T[]> {
  if (count === 0) yield [];
  else {
    for (let k = 0; k + count <= items.length; k++) {
      for (const rest of subsequences(items.slice(k + 1), count - 1)) yield [items[k], ...rest];
    }
  }
}
