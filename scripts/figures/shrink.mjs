// @ts-check
/** A screenshot as a file that may enter the repository: losing nothing where that is small enough, else a palette. */
import { decodePng, encodePalette, encodeTrueColour } from './png.mjs';
import { quantise } from './quantise.mjs';

/** No figure is larger. */
export const BUDGET_BYTES = 150_000;
/** Numbers of colours that are tried. */
const PALETTES = [256, 192, 128];

/**
 * @param {Uint8Array} screenshot
 * @returns {Uint8Array}
 */
export function shrink(screenshot) {
  const picture = decodePng(screenshot);
  const whole = encodeTrueColour(picture);
  if (whole.length <= BUDGET_BYTES) return whole;
  for (const colours of PALETTES) {
    const { palette, indices } = quantise(picture, colours);
    const bytes = encodePalette(picture.width, picture.height, palette, indices);
    if (bytes.length <= BUDGET_BYTES) return bytes;
  }
  throw new Error(`shrink: no palette makes this picture smaller than ${BUDGET_BYTES} bytes; draw less`);
}
