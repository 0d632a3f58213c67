// @ts-check
/**
 * Measured figures in Markdown files, shown by GitHub as well: tables between `<!-- table: NAME -->` and
 * `<!-- /table -->`, single figures between `<!-- figure: TASK; CASE; METRIC -->` and `<!-- /figure -->` (a fourth field,
 * `reference`, is what the row is compared with). Both are written from docs/site/data, so that no figure is typed twice.
 */
import { figure as threeDigits } from '../../../benchmarks/harness/figure.mjs';
import { referenceOf, rowOf, rowsOf } from './measured.mjs';

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

/**
 * @param {string} text  of a Markdown file
 * @param {import('./measured.mjs').Measured} measured
 */
export function fillFigures(text, measured) {
  if (/^<!-- figure:/m.test(text)) {
    throw new Error('docs: a figure may not begin a line: Markdown would take the line for HTML');
  }
  return text.replaceAll(/(<!-- figure: ([^>]+?) -->)[^<]*(<!-- \/figure -->)/g, (_, start, address, end) => {
    const [task = '', place = '', metric = '', field = 'value'] = address.split(/;\s+/);
    const row = rowOf(rowsOf(measured, task), place, metric);
    if (field !== 'value' && field !== 'reference') throw new Error(`docs: '${address}' ends with an unknown field`);
    return `${start}${field === 'value' ? figure(row.value) : printed(row)}${end}`;
  });
}

/** A reference: as it was printed if it was published. @param {import('./measured.mjs').Row} row */
function printed(row) {
  const reference = referenceOf(row);
  return row.referenceName === 'published' ? String(reference) : figure(reference);
}

/**
 * @param {readonly string[]} headings
 * @param {readonly (readonly string[])[]} lines  at least one, each with a cell per heading
 * @param {string} [align]  'lrr'
 */
export function markdownTable(headings, lines, align = '') {
  if (lines.length === 0) throw new Error(`docs: the table '${headings.join(', ')}' has no rows`);
  const rule = headings.map((_, k) => (align[k] === 'r' ? '---:' : '---'));
  for (const cells of lines) {
    if (cells.length !== headings.length) throw new Error(`docs: '${cells.join(', ')}' is not a row of its table`);
  }
  return [headings, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Three significant digits. @param {number} value  must be finite */
export function figure(value) {
  if (!Number.isFinite(value)) throw new Error(`docs: ${value} is not a figure`);
  return threeDigits(value);
}

/** @param {readonly number[]} values  at least one, positive */
export function geometricMean(values) {
  const mean = Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
  if (!Number.isFinite(mean)) throw new Error(`docs: ${values.length} ratios have no geometric mean`);
  return mean;
}
