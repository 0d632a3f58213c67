/**
 * The number of clusters that a spectrum shows: that many eigenvalues of the normalised affinity matrix are near 1, and the
 * next one is farther below them than any two neighbours are apart.
 *
 * Reference: von Luxburg. A tutorial on spectral clustering. 2007, section 8.3.
 */

/** More parts than any body has. */
const MOST = 60;

/**
 * @param values  eigenvalues, ascending
 * @returns       at least 1, and 2 or more where there are as many values
 */
export function largestGap(values: Float64Array): number {
  const q = values.length;
  let [best, widest] = [Math.min(2, q), Number.NEGATIVE_INFINITY];
  for (let k = 2; k < Math.min(q, MOST); k++) {
    const gap = values[q - k] - values[q - k - 1];
    if (gap > widest) [best, widest] = [k, gap];
  }
  return Math.max(best, 1);
}
