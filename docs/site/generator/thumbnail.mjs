// @ts-check
/** Pictures in cells of tables, which are shown small: half as wide, a third of the bytes; the whole is a click away. */
import { decodePng, encodeTrueColour } from '../../../scripts/figures/png.mjs';

/** Where a PNG says how its colours are stored, and what says that they are in a palette. */
const COLOUR_TYPE = { at: 25, palette: 3 };

/**
 * @param {Uint8Array} png
 * @returns {Uint8Array} of half the width and height, each pixel the mean of four; one with a palette, which is small and
 *   whose colours have no mean, as it is
 */
export function thumbnail(png) {
  if (png[COLOUR_TYPE.at] === COLOUR_TYPE.palette) return png;
  const { width, height, rgb } = decodePng(png);
  const [columns, rows] = [width >> 1, height >> 1];
  const small = new Uint8Array(3 * columns * rows);
  for (let y = 0; y < rows; y++) {
    for (let k = 0; k < 3 * columns; k++) {
      const at = 3 * (2 * y * width + 2 * Math.floor(k / 3)) + (k % 3);
      small[3 * columns * y + k] = (rgb[at] + rgb[at + 3] + rgb[at + 3 * width] + rgb[at + 3 * width + 3] + 2) >> 2;
    }
  }
  return encodeTrueColour({ width: columns, height: rows, rgb: small });
}
