/**
 * The ratio of two rivals whose times come in pairs, one right after the other: the median of the pairs' ratios. A machine
 * that is slower for a while is slower for both of a pair, and pairs in which only one was interrupted are outliers on
 * both sides, which a median does not see.
 *
 * The interval that contains the true median with 95 % follows from ranks alone (the sign test): as many ratios are below
 * it as a fair coin falls on one side, whatever their distribution.
 */
import { median } from './measure.mjs';

/** Standard deviations of 95 %. */
const CONFIDENCE = 1.96;

/**
 * @param pairs  [value, reference] each
 * @returns { ratio, low, high }; below six pairs the interval has no bounds
 */
export function pairedRatio(pairs) {
  const ratios = pairs.map(([value, reference]) => value / reference).sort((a, b) => a - b);
  const n = ratios.length;
  const rank = Math.floor((n - CONFIDENCE * Math.sqrt(n)) / 2);
  const [low, high] = rank >= 1 && n >= 6 ? [ratios[rank - 1], ratios[n - rank]] : [0, Number.POSITIVE_INFINITY];
  return { ratio: median(ratios), low, high };
}

/**
 * Measures pairs until the interval is as narrow as asked for, or there are too many. The width alone decides, never the
 * side of a target that the ratio is on: that would prefer lucky ends.
 *
 * @param measure  of a number of pairs gives those pairs
 * @param options  { width, fewest, most, batch }: width of the interval as a share of the ratio; numbers of pairs
 * @returns { value, reference, ratio, low, high, pairs }: the reference is a median, the value is the ratio times that
 */
export async function measurePairs(measure, { width, fewest, most, batch }) {
  const pairs = [];
  let found = pairedRatio([[1, 1]]);
  while (pairs.length < fewest || (pairs.length < most && found.high - found.low > width * found.ratio)) {
    pairs.push(...(await measure(batch)));
    found = pairedRatio(pairs);
  }
  const reference = median(pairs.map(([, own]) => own));
  return { value: found.ratio * reference, reference, ...found, pairs: pairs.length };
}
