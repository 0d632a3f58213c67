// @ts-check
/**
 * Tables of measured figures in Markdown files, between `<!-- table: NAME -->` and `<!-- /table -->`: written from the
 * results in docs/site/data, so that no figure is typed twice, and shown by GitHub as well.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { figure as threeDigits } from '../../../benchmarks/harness/figure.mjs';

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

/**
 * @param {string} text  of a Markdown file
 * @param {(name: string) => string} tableOf
 */
export function fillTables(text, tableOf) {
  return text.replaceAll(
    /(<!-- table: ([\w-]+) -->\n)[\s\S]*?(<!-- \/table -->)/g,
    (_, start, name, end) => `${start}\n${tableOf(name)}\n\n${end}`,
  );
}

/** @param {readonly string[]} headings @param {readonly (readonly string[])[]} lines @param {string} [align]  'lrr' */
export function markdownTable(headings, lines, align = '') {
  const rule = headings.map((_, k) => (align[k] === 'r' ? '---:' : '---'));
  return [headings, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Three digits; nothing for nothing. @param {number | undefined} value */
export function figure(value) {
  return value === undefined ? '' : threeDigits(value);
}

/** @param {readonly number[]} values */
export function geometricMean(values) {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

const TIME_UNIT = /^(?:s|ms|µs|ns|min|s\/frame)$/;

/** Whether a row depends on the machine and its load. @param {Row} row */
export function isTime({ unit = '', metric }) {
  return TIME_UNIT.test(unit) || /\btime\b|per second|frames\/s/i.test(metric);
}
