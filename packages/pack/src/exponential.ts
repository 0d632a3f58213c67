/**
 * Numbers as m·2^e with one exponent for many of them: a fixed-point grid that decodes to plain floats, so that neither a
 * node nor a bind matrix has to carry the way back. The codec stores differences of bytes, and the bytes of a shared
 * exponent do not differ.
 *
 * Reference: the filter EXPONENTIAL of the glTF extension EXT_meshopt_compression: the upper 8 bits of a word are e, the
 * lower 24 are m, both signed.
 *
 * Mantissas are moved up by whole bytes, with the exponent down by as many bits: then the byte above the digits, which is
 * nothing but their sign and would change with every change of sign, is not there. That saves 4 to 12 % of positions.
 */
const MOST_STEPS = 2 ** 23 - 1;
const [LEAST_EXPONENT, MOST_EXPONENT] = [-100, 100];

/** The largest power of two that is no more than `step`, as its exponent. */
export function exponentBelow(step: number): number {
  let e = LEAST_EXPONENT;
  while (e < MOST_EXPONENT && 2 ** (e + 1) <= step) e++;
  return e;
}

/** The exponent itself, or the least one with which the largest of the values still has a mantissa of 24 bits. */
export function exponentFor(values: ArrayLike<number>, wanted: number): number {
  let most = 0;
  for (let k = 0; k < values.length; k++) most = Math.max(most, Math.abs(values[k]));
  let e = Math.max(wanted, LEAST_EXPONENT);
  while (most / 2 ** e > MOST_STEPS) e++;
  return e;
}

/**
 * @param exponents  of the steps; one is for all values, several are for the components of a vector
 * @param size       components of a vector
 */
export function encodeExponential(
  values: ArrayLike<number>,
  exponents: readonly number[],
  size: number,
): Int32Array<ArrayBuffer> {
  const steps = Array.from({ length: size }, (_, c) => exponents[c % exponents.length]);
  const shifts = steps.map((e, c) => freeBits(values, c, size, e));
  const out = new Int32Array(values.length);
  for (let k = 0; k < values.length; k++) {
    const c = k % size;
    out[k] = ((steps[c] - shifts[c]) << 24) | ((Math.round(values[k] / 2 ** steps[c]) << shifts[c]) & 0xffffff);
  }
  return out;
}

/** How far the mantissas of a component can be moved up, in whole bytes. */
function freeBits(values: ArrayLike<number>, component: number, size: number, e: number): number {
  let most = 0;
  for (let k = component; k < values.length; k += size) {
    const steps = Math.round(values[k] / 2 ** e);
    most = Math.max(most, steps < 0 ? -steps - 1 : steps);
  }
  // One bit more than the largest has, for the sign.
  const shift = 8 * Math.floor(Math.clz32(2 * most) / 8) - 8;
  return Math.max(0, Math.min(shift, 16, e - LEAST_EXPONENT));
}

export function decodeExponential(words: Int32Array, out = new Float32Array(words.length)): Float32Array<ArrayBuffer> {
  for (let k = 0; k < words.length; k++) out[k] = ((words[k] << 8) >> 8) * 2 ** (words[k] >> 24);
  return out;
}
