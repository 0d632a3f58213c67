/**
 * Colours in OBJ and PLY files are meant for a screen (sRGB); the model's are linear.
 *
 * Reference: IEC 61966-2-1:1999, the sRGB transfer function.
 */
export function srgbToLinear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

export function linearToSrgb(value: number): number {
  return value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
}

/**
 * Colours of a file as the model keeps them: red, green and blue made linear, alpha as it is, all within 0 and 1.
 *
 * @param values  count × size, as the file has them
 * @param full    the value that stands for 1: 255 for bytes
 */
export function linearColors(values: Float32Array, size: 3 | 4, full: number): Float32Array {
  return values.map((value, k) => {
    const share = Math.min(Math.max(value / full, 0), 1);
    return k % size < 3 ? srgbToLinear(share) : share;
  });
}
