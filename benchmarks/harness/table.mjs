/**
 * Rows as a table of plain text.
 */
import { figure } from './figure.mjs';

const HEADINGS = ['task', 'case', 'metric', 'value', 'reference', 'ratio', 'target', ''];
const RIGHT = new Set(['value', 'reference', 'ratio']);

export function formatTable(rows) {
  if (rows.length === 0) return 'nothing measured';
  const lines = rows.map((row) => [
    row.task,
    row.case,
    row.metric,
    `${figure(row.value)} ${row.unit}`,
    row.reference === undefined ? '' : `${figure(row.reference)} (${row.referenceName})`,
    row.ratio === undefined ? '' : figure(row.ratio),
    row.target ?? '',
    row.ok === undefined ? '' : row.ok ? 'ok' : 'MISSED',
  ]);
  const targets = rows.filter((row) => row.ok !== undefined);
  const met = targets.filter((row) => row.ok).length;
  return `${alignColumns(HEADINGS, lines, RIGHT)}\n${met} of ${targets.length} targets met`;
}

/**
 * @param lines  cells of each line, as many as headings
 * @param right  headings of the columns that are aligned to the right
 */
export function alignColumns(headings, lines, right) {
  const widths = headings.map((heading, k) => Math.max(heading.length, ...lines.map((line) => line[k].length)));
  const format = (cells) =>
    cells
      .map((cell, k) => (right.has(headings[k]) ? cell.padStart(widths[k]) : cell.padEnd(widths[k])))
      .join('  ')
      .trimEnd();
  return [headings, ...lines].map(format).join('\n');
}
