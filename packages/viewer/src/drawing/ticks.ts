/**
 * Round numbers for axes and legends.
 *
 * Reference: Heckbert. Nice numbers for graph labels. Graphics Gems, 1990.
 */

/**
 * Multiples of 1, 2 or 5 times a power of ten, all inside [min, max].
 *
 * @param wanted  about how many
 */
export function linearTicks(min: number, max: number, wanted: number): number[] {
  if (!(max > min)) return [min];
  const rough = (max - min) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999) ?? 10);
  const first = Math.ceil(min / step - 1e-9);
  const last = Math.floor(max / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step);
}

/**
 * Powers of ten inside [min, max]; with 2 and 5 between them where there would be fewer than three.
 *
 * @param min  above 0
 */
export function logTicks(min: number, max: number): number[] {
  const first = Math.floor(Math.log10(min) - 1e-9);
  const last = Math.ceil(Math.log10(max) + 1e-9);
  const inside = (factors: readonly number[]) =>
    Array.from({ length: last - first + 1 }, (_, k) => 10 ** (first + k))
      .flatMap((power) => factors.map((factor) => factor * power))
      .filter((value) => value >= min * (1 - 1e-9) && value <= max * (1 + 1e-9));
  const powers = inside([1]);
  return powers.length >= 3 ? powers : inside([1, 2, 5]);
}

/** A tick as a person writes it, with the minus sign of print. */
export function tickText(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  const text = size >= 1e5 || size < 1e-3 ? exponentText(value) : String(Number(value.toPrecision(6)));
  return text.replace('-', '−');
}

function exponentText(value: number): string {
  const [mantissa, exponent] = value.toExponential(2).split('e');
  const digits = String(Number(exponent)).replace(/[-\d]/g, (digit) => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'['-0123456789'.indexOf(digit)]);
  return Number(mantissa) === 1 ? `10${digits}` : `${Number(mantissa)}·10${digits}`;
}
