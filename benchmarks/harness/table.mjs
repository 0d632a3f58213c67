/**
 * Rows as a table of plain text.
 */
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
  const widths = HEADINGS.map((heading, k) => Math.max(heading.length, ...lines.map((line) => line[k].length)));
  const format = (cells) =>
    cells
      .map((cell, k) => (RIGHT.has(HEADINGS[k]) ? cell.padStart(widths[k]) : cell.padEnd(widths[k])))
      .join('  ')
      .trimEnd();
  const targets = rows.filter((row) => row.ok !== undefined);
  const met = targets.filter((row) => row.ok).length;
  return [format(HEADINGS), ...lines.map(format), `${met} of ${targets.length} targets met`].join('\n');
}

/** Three significant digits, without an exponent where that is readable. */
export function figure(x) {
  if (x === 0) return '0';
  const size = Math.abs(x);
  if (size >= 1e6 || size < 1e-3) return x.toExponential(2);
  if (size >= 100) return x.toFixed(0);
  return x.toPrecision(3);
}
