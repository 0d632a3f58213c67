// @ts-check
/**
 * At most 256 colours that stand for all colours of a picture: minimise the sum of squared distances from the pixels to
 * their palette entry. Median cut (Heckbert 1982) starts it, on the axis of largest variance, always splitting the box
 * with the largest error; a few rounds of k-means (Lloyd 1982) improve it. What is left as steps in soft shading is
 * broken up by ordered dithering (Bayer 1973); flat areas stay flat.
 */
const PALETTE_SIZE = 256;
const ROUNDS = 6;
/** The thresholds of a 4 × 4 tile, from −½ to ½. */
const BAYER = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5].map((rank) => (rank + 0.5) / 16 - 0.5);

/**
 * Pixels of nearly the same colour, gathered: their count and the sums of their channels.
 *
 * @typedef {{ count: number, r: number, g: number, b: number }} Bin
 */

/**
 * @param {import('./png.mjs').Picture} picture
 * @param {number} [colours]  at most 256
 * @returns {{ palette: Uint8Array, indices: Uint8Array }} at most `colours` × 3, and one index a pixel
 */
export function quantise({ width, rgb }, colours = PALETTE_SIZE) {
  const bins = gather(rgb);
  let centres = cut(bins, colours);
  for (let round = 0; round < ROUNDS; round++) centres = means(bins, centres);
  const palette = new Uint8Array(centres.flatMap((centre) => centre.map(Math.round)));
  // The first pixel is of the ground, which must look the same in every picture.
  if (rgb.length > 0) palette.set(rgb.subarray(0, 3), 3 * nearest(palette, rgb[0], rgb[1], rgb[2]));
  return { palette, indices: dither(rgb, width, palette) };
}

/**
 * @param {Uint8Array} rgb
 * @param {number} width
 * @param {Uint8Array} palette
 */
function dither(rgb, width, palette) {
  const indices = new Uint8Array(rgb.length / 3);
  const gap = meanGap(palette);
  const offsets = BAYER.map((threshold) => Math.round(gap * threshold));
  /** @type {Map<number, number>} */
  const known = new Map();
  /** @type {(r: number, g: number, b: number) => number} */
  const lookUp = (r, g, b) => {
    const key = ((r + 256) << 20) | ((g + 256) << 10) | (b + 256);
    const found = known.get(key) ?? nearest(palette, r, g, b);
    known.set(key, found);
    return found;
  };
  for (let k = 0; k < indices.length; k++) {
    const [r, g, b] = [rgb[3 * k], rgb[3 * k + 1], rgb[3 * k + 2]];
    const plain = lookUp(r, g, b);
    const exact = palette[3 * plain] === r && palette[3 * plain + 1] === g && palette[3 * plain + 2] === b;
    const offset = offsets[(Math.floor(k / width) % 4) * 4 + ((k % width) % 4)];
    indices[k] = exact ? plain : lookUp(r + offset, g + offset, b + offset);
  }
  return indices;
}

/**
 * How far a palette entry is from the next one along the greys, on average: what dithering has to bridge.
 *
 * @param {Uint8Array} palette
 */
function meanGap(palette) {
  let sum = 0;
  for (let k = 0; k < palette.length; k += 3) {
    let least = 256;
    for (let other = 0; other < palette.length; other += 3) {
      const distance = Math.hypot(...[0, 1, 2].map((c) => palette[k + c] - palette[other + c]));
      if (other !== k) least = Math.min(least, distance / Math.sqrt(3));
    }
    sum += least;
  }
  return (3 * sum) / palette.length;
}

/**
 * @param {ArrayLike<number>} palette
 * @param {number} r
 * @param {number} g
 * @param {number} b
 */
function nearest(palette, r, g, b) {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (let k = 0; k < palette.length; k += 3) {
    const distance = (palette[k] - r) ** 2 + (palette[k + 1] - g) ** 2 + (palette[k + 2] - b) ** 2;
    if (distance < least) [best, least] = [k / 3, distance];
  }
  return best;
}

/** @param {Uint8Array} rgb */
function gather(rgb) {
  const binAt = new Int32Array(1 << 21).fill(-1);
  /** @type {Bin[]} */
  const bins = [];
  for (let k = 0; k < rgb.length; k += 3) {
    const [r, g, b] = [rgb[k], rgb[k + 1], rgb[k + 2]];
    const key = ((r >> 1) << 14) | ((g >> 1) << 7) | (b >> 1);
    if (binAt[key] < 0) binAt[key] = bins.push({ count: 0, r: 0, g: 0, b: 0 }) - 1;
    const bin = bins[binAt[key]];
    bin.count++;
    bin.r += r;
    bin.g += g;
    bin.b += b;
  }
  return bins;
}

/**
 * @param {Bin[]} bins
 * @param {number} colours
 * @returns {number[][]} colours
 */
function cut(bins, colours) {
  const boxes = [measure(bins)];
  while (boxes.length < colours) {
    boxes.sort((a, b) => b.error - a.error);
    const [{ bins: whole, axis, mean }] = boxes;
    const below = whole.filter((bin) => bin[axis] / bin.count <= mean[axis]);
    const above = whole.filter((bin) => bin[axis] / bin.count > mean[axis]);
    if (below.length === 0 || above.length === 0) break;
    boxes.splice(0, 1, measure(below), measure(above));
  }
  return boxes.map(({ mean }) => [mean.r, mean.g, mean.b]);
}

/**
 * Mean, axis of largest variance, and squared error of a box. Flat regions cover most pixels and would take the whole
 * palette; with the root of the count each shade on the subject gets its share.
 *
 * @param {Bin[]} bins
 */
function measure(bins) {
  const channels = /** @type {const} */ (['r', 'g', 'b']);
  const mean = { r: 0, g: 0, b: 0 };
  const spread = { r: 0, g: 0, b: 0 };
  const total = bins.reduce((sum, bin) => sum + Math.sqrt(bin.count), 0);
  for (const c of channels) {
    for (const bin of bins) mean[c] += (Math.sqrt(bin.count) * bin[c]) / bin.count / total;
    for (const bin of bins) spread[c] += Math.sqrt(bin.count) * (bin[c] / bin.count - mean[c]) ** 2;
  }
  const axis = channels.reduce((best, c) => (spread[c] > spread[best] ? c : best));
  return { bins, mean, axis, error: spread.r + spread.g + spread.b };
}

/**
 * One round of k-means, weighted like the boxes.
 *
 * @param {Bin[]} bins
 * @param {number[][]} centres  kept where nothing is near
 */
function means(bins, centres) {
  const flat = centres.flat();
  const sums = centres.map(() => [0, 0, 0, 0]);
  for (const { count, r, g, b } of bins) {
    const sum = sums[nearest(flat, r / count, g / count, b / count)];
    const weight = 1 / Math.sqrt(count);
    sum[0] += r * weight;
    sum[1] += g * weight;
    sum[2] += b * weight;
    sum[3] += count * weight;
  }
  return sums.map((sum, k) => (sum[3] > 0 ? [sum[0] / sum[3], sum[1] / sum[3], sum[2] / sum[3]] : centres[k]));
}
