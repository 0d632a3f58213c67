/**
 * Mean structural similarity of two images over windows of 8 × 8 texels, for each channel; the least of the channels.
 *
 * Reference: Wang, Bovik, Sheikh, Simoncelli. Image quality assessment: from error visibility to structural similarity.
 * 2004, eq. 13.
 */

/** Windows overlap by half. */
const [WINDOW, STEP] = [8, 4];
/** (0.01 · 255)² and (0.03 · 255)², which keep the quotient steady in the dark. */
const [C1, C2] = [6.5025, 58.5225];
const CHANNELS = 4;

/**
 * @param a  width × height × 4
 * @param b  the same
 */
export function meanSimilarity(a: Uint8Array, b: Uint8Array, width: number, height: number): number {
  let least = 1;
  for (let channel = 0; channel < CHANNELS; channel++) {
    let [sum, windows] = [0, 0];
    for (let y = 0; y < Math.max(height - WINDOW, 0) + 1; y += STEP) {
      for (let x = 0; x < Math.max(width - WINDOW, 0) + 1; x += STEP) {
        sum += windowSimilarity(a, b, width, x, y, Math.min(x + WINDOW, width), Math.min(y + WINDOW, height), channel);
        windows++;
      }
    }
    least = Math.min(least, sum / Math.max(windows, 1));
  }
  return least;
}

function windowSimilarity(
  a: Uint8Array,
  b: Uint8Array,
  width: number,
  left: number,
  top: number,
  right: number,
  bottom: number,
  channel: number,
): number {
  let [sa, sb, aa, bb, ab] = [0, 0, 0, 0, 0];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const at = CHANNELS * (y * width + x) + channel;
      const [p, q] = [a[at], b[at]];
      sa += p;
      sb += q;
      aa += p * p;
      bb += q * q;
      ab += p * q;
    }
  }
  const n = (right - left) * (bottom - top);
  const [ma, mb] = [sa / n, sb / n];
  const [va, vb, cov] = [aa / n - ma * ma, bb / n - mb * mb, ab / n - ma * mb];
  return ((2 * ma * mb + C1) * (2 * cov + C2)) / ((ma * ma + mb * mb + C1) * (va + vb + C2));
}
