/** Three significant digits, without an exponent where that is readable. */
export function figure(x) {
  if (x === 0) return '0';
  const size = Math.abs(x);
  if (size >= 1e6 || size < 1e-3) return x.toExponential(2);
  if (size >= 100) return x.toFixed(0);
  return x.toPrecision(3);
}
