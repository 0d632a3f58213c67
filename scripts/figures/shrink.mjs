// @ts-check
/** A screenshot as a file that may enter the repository: losing nothing where that is small enough, else a palette. */
import { decodePng, encodePalette, encodeTrueColour } from './png.mjs';
import { quantise } from './quantise.mjs';

/** No figure is larger. */
export const BUDGET_BYTES = 150_000;

/**
 * @param {Uint8Array} screenshot
 * @returns {Uint8Array}
 */
export function shrink(screenshot) {
  const picture = decodePng(screenshot);
  const whole = encodeTrueColour(picture);
  if (whole.length <= BUDGET_BYTES) return whole;
  const { palette, indices } = quantise(picture);
  return encodePalette(picture.width, picture.height, palette, indices);
}
