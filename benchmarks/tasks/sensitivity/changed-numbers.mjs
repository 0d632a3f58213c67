/** Half and double of a number of a search: whole numbers stay whole, and of a factor just above 1 the excess changes. */

export const halved = (value) => changed(value, 0.5);
export const doubled = (value) => changed(value, 2);

/** As a case names it. */
export function shown(value) {
  return Array.isArray(value) ? value.join('+') : String(Number(value.toPrecision(4)));
}

function changed(value, factor) {
  if (Array.isArray(value)) return value.map((one) => changed(one, factor));
  if (Number.isInteger(value)) return factor < 1 ? Math.floor(value * factor) : value * factor;
  return value > 1 && value < 2 ? 1 + (value - 1) * factor : value * factor;
}
