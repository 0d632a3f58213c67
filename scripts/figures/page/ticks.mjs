// @ts-check
/**
 * Round numbers for axes and legends.
 *
 * Reference: Heckbert. Nice numbers for graph labels. Graphics Gems, 1990.
 */

/**
 * Multiples of 1, 2 or 5 times a power of ten, all inside [min, max].
 *
 * @param {number} min
 * @param {number} max
 * @param {number} wanted  about how many
 * @returns {number[]}
 */
export function linearTicks(min, max, wanted) {
  if (!(max > min)) return [min];
  const rough = (max - min) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * /** @type {number} */ ([1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999));
  const first = Math.ceil(min / step - 1e-9);
  const last = Math.floor(max / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step);
}

/**
 * Powers of ten inside [min, max]; with 2 and 5 between them where there would be fewer than three.
 *
 * @param {number} min  above 0
 * @param {number} max
 * @returns {number[]}
 */
export function logTicks(min, max) {
  const first = Math.floor(Math.log10(min) - 1e-9);
  const last = Math.ceil(Math.log10(max) + 1e-9);
  /** @param {number[]} factors */
  const inside = (factors) =>
    Array.from({ length: last - first + 1 }, (_, k) => 10 ** (first + k))
      .flatMap((power) => factors.map((factor) => factor * power))
      .filter((value) => value >= min * (1 - 1e-9) && value <= max * (1 + 1e-9));
  const powers = inside([1]);
  return powers.length >= 3 ? powers : inside([1, 2, 5]);
}

/**
 * A tick as a person writes it, with the minus sign of print.
 *
 * @param {number} value
 */
export function tickText(value) {
  if (value === 0) return '0';
  const size = Math.abs(value);
  const text = size >= 1e5 || size < 1e-3 ? exponentText(value) : String(Number(value.toPrecision(6)));
  return text.replace('-', '−');
}

/** @param {number} value */
function exponentText(value) {
  const [mantissa, exponent] = value.toExponential(2).split('e');
  const digits = String(Number(exponent)).replace(/[-\d]/g, (digit) => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'['-0123456789'.indexOf(digit)]);
  return Number(mantissa) === 1 ? `10${digits}` : `${Number(mantissa)}·10${digits}`;
}
