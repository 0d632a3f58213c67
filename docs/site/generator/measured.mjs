// @ts-check
/**
 * Measured rows by task, case and metric. What a page asks for and the results do not have is an error, never an empty
 * cell: a metric that was renamed must not leave a page without figures.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {object} Row  of benchmarks/harness/rows.mjs
 * @property {string} case
 * @property {string} metric
 * @property {number} value
 * @property {string} [unit]
 * @property {number} [reference]
 * @property {string} [referenceName]
 * @property {string} [target]
 * @property {boolean} [ok]
 *
 * @typedef {object} Results  of one task
 * @property {string} task
 * @property {string} measured  day
 * @property {string} command
 * @property {boolean} times  whether they were measured on a quiet machine; else they are left out
 * @property {Row[]} rows
 *
 * @typedef {ReadonlyMap<string, Results>} Measured  by task
 */

/** @param {string} folder @returns {Map<string, Results>} */
export function readMeasured(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return new Map(
    files.map((name) => {
      /** @type {Results} */
      const results = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      return [results.task, results];
    }),
  );
}

/** @param {Measured} measured @param {string} task */
export function rowsOf(measured, task) {
  const results = measured.get(task);
  if (!results) throw new Error(`docs: no results of '${task}' in docs/site/data; run npm run docs:tables -- ${task}`);
  if (results.rows.length === 0) throw new Error(`docs: the results of '${task}' in docs/site/data are empty`);
  return results.rows;
}

/** @param {readonly Row[]} rows @param {string} place @param {string} metric @returns {Row} */
export function rowOf(rows, place, metric) {
  const found = rows.find((row) => row.case === place && row.metric === metric);
  if (found) return found;
  const others = rows.filter((row) => row.case === place).map((row) => `'${row.metric}'`);
  const known = others.length > 0 ? `its metrics are ${others.join(', ')}` : 'no row has that case';
  throw new Error(`docs: no '${metric}' of '${place}' was measured; ${known}`);
}

/** The figure that a row is compared with. @param {Row} row */
export function referenceOf(row) {
  if (row.reference === undefined) throw new Error(`docs: '${row.metric}' of '${row.case}' has no reference`);
  return row.reference;
}

/** Day and command of a task's results, as a line below a table. @param {Measured} measured @param {string} task */
export function origin(measured, task) {
  rowsOf(measured, task);
  const { measured: day, command, times } = /** @type {Results} */ (measured.get(task));
  const without = times ? '' : ' Times are left out: the machine was busy.';
  return `*Measured on ${day} by \`${command}\`.${without}*`;
}

const TIME_UNIT = /^(?:s|ms|µs|ns|min|s\/frame)$/;

/** Whether a row depends on the machine and its load. @param {Row} row */
export function isTime({ unit = '', metric }) {
  return TIME_UNIT.test(unit) || /\btimes?\b|growth exponent|per second|frames\/s/i.test(metric);
}
