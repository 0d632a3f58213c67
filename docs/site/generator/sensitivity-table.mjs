// @ts-check
/** What half and double of each number of the searches do to errors and times, a line per number. */
import { origin, referenceOf, rowsOf } from './measured.mjs';
import { figure, geometricMean, markdownTable } from './tables.mjs';

/** @typedef {import('./measured.mjs').Measured} Measured @typedef {import('./measured.mjs').Row} Row */

/** Cases of the task: `fit, samba, bones 20: seed 20 to 10`. */
const CASE = /^(?<plan>\w+), .*: (?<number>\w+) (?<from>\S+) to (?<to>\S+)$/;

/** @param {Measured} measured */
export function sensitivity(measured) {
  /** @type {Map<string, { from: string, half: Row[], double: Row[] }>} */
  const numbers = new Map();
  for (const row of rowsOf(measured, 'sensitivity')) {
    const { plan, number, from, to } = CASE.exec(row.case)?.groups ?? {};
    if (plan === undefined) continue;
    const key = `${plan}: \`${number}\``;
    const entry = numbers.get(key) ?? { from, half: [], double: [] };
    numbers.set(key, entry);
    entry[parseFloat(to) < parseFloat(from) ? 'half' : 'double'].push(row);
  }
  const lines = Array.from(numbers, ([name, { from, half, double }]) => [
    name,
    from,
    ...[half, double].flatMap((rows) => [ratios(rows, 'E_RMS'), ratios(rows, 'time')]),
  ]);
  const headings = ['number', 'value', 'half: error', 'time', 'double: error', 'time'];
  return `${markdownTable(headings, lines, 'lrrrrr')}\n\n${origin(measured, 'sensitivity')}`;
}

/**
 * Geometric mean over the subjects, and the range if there are several.
 * @param {readonly Row[]} rows
 * @param {string} metric
 */
function ratios(rows, metric) {
  if (rows.some((row) => row.metric === 'failed')) return 'fails';
  const found = rows.filter((row) => row.metric === metric).map((row) => row.value / referenceOf(row));
  if (found.length === 0) return '';
  const mean = figure(geometricMean(found));
  return found.length === 1 ? mean : `${mean} (${figure(Math.min(...found))}–${figure(Math.max(...found))})`;
}
