/**
 * All results as one HTML page that needs nothing but itself: for each task a plot of the ratios to the references
 * (logarithmic, 1 is the reference, a notch marks the target) and the table.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { figure } from './figure.mjs';

const BAR = 18;
const LABEL = 330;
const PLOT = 520;
const NOTE = 190;

export function writePage(folder, rows) {
  const tasks = Map.groupBy ? Map.groupBy(rows, (row) => row.task) : groupByTask(rows);
  const sections = [...tasks].map(([task, group]) => `<h2>${escaped(task)}</h2>\n${plot(group)}\n${table(group)}`);
  const machine = `${cpus()[0]?.model ?? 'unknown processor'} × ${cpus().length}, Node ${process.version}`;
  const load = loadavg()[0].toFixed(1);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>pelt: benchmarks</title>
<style>
body { font: 14px/1.4 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; margin: 1rem 0; }
td, th { padding: .15rem .6rem; text-align: left; border-bottom: 1px solid #ddd; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
.missed { color: #b3261e; font-weight: 600; }
svg text { font: 12px system-ui, sans-serif; fill: #222; }
</style>
<h1>pelt: benchmarks</h1>
<p>${escaped(machine)}; load at the end of the last run ${load}. A ratio is pelt's figure divided by the reference's.</p>
${sections.join('\n')}
</html>
`,
  );
}

function groupByTask(rows) {
  const groups = new Map();
  for (const row of rows) groups.set(row.task, [...(groups.get(row.task) ?? []), row]);
  return groups;
}

function plot(rows) {
  const bars = rows.filter((row) => row.ratio > 0 && Number.isFinite(row.ratio));
  if (bars.length === 0) return '';
  const values = bars.flatMap((row) => [row.ratio, targetRatio(row) ?? 1]);
  const low = Math.floor(Math.min(0, ...values.map(Math.log10)));
  const high = Math.max(Math.ceil(Math.max(0, ...values.map(Math.log10))), low + 1);
  const x = (ratio) => LABEL + ((Math.log10(ratio) - low) / (high - low)) * PLOT;
  const height = bars.length * BAR + 30;
  const parts = [];
  for (let decade = low; decade <= high; decade++) {
    const at = x(10 ** decade).toFixed(1);
    const colour = decade === 0 ? '#444' : '#ddd';
    parts.push(`<line x1="${at}" y1="0" x2="${at}" y2="${height - 22}" stroke="${colour}"/>`);
    parts.push(`<text x="${at}" y="${height - 6}" text-anchor="middle">${figure(10 ** decade)}</text>`);
  }
  bars.forEach((row, k) => {
    const y = k * BAR + 2;
    const [from, to] = [x(1), x(row.ratio)].sort((a, b) => a - b);
    const colour = row.ok === undefined ? '#6b7fa3' : row.ok ? '#2e7d4f' : '#b3261e';
    const width = Math.max(to - from, 1).toFixed(1);
    parts.push(
      `<text x="${LABEL - 8}" y="${y + 12}" text-anchor="end">${escaped(`${row.case}, ${row.metric}`)}</text>`,
    );
    parts.push(`<rect x="${from.toFixed(1)}" y="${y}" width="${width}" height="${BAR - 5}" fill="${colour}"/>`);
    const target = targetRatio(row);
    if (target !== undefined) {
      const at = x(target).toFixed(1);
      parts.push(`<line x1="${at}" y1="${y - 2}" x2="${at}" y2="${y + BAR - 3}" stroke="#222" stroke-width="2"/>`);
    }
    const note = `${figure(row.ratio)} of ${row.referenceName}`;
    parts.push(`<text x="${LABEL + PLOT + 8}" y="${y + 12}">${escaped(note)}</text>`);
  });
  return `<svg width="${LABEL + PLOT + NOTE}" height="${height}" role="img">${parts.join('')}</svg>`;
}

function targetRatio(row) {
  const match = /^ratio [<>]=? ([\d.e+-]+)$/.exec(row.target ?? '');
  return match ? Number(match[1]) : undefined;
}

function table(rows) {
  const cell = (text) => `<td>${escaped(text ?? '')}</td>`;
  const number = (value) => `<td class="n">${value === undefined ? '' : figure(value)}</td>`;
  const verdict = (ok) => (ok === undefined ? '<td>' : ok ? '<td>ok' : '<td class="missed">missed');
  const lines = rows.map((row) =>
    [
      `<tr>${cell(row.case)}${cell(row.metric)}${number(row.value)}${cell(row.unit)}`,
      `${number(row.reference)}${cell(row.referenceName)}${number(row.ratio)}${cell(row.target)}${verdict(row.ok)}</tr>`,
    ].join(''),
  );
  const headings = ['case', 'metric', 'value', 'unit', 'reference', 'of', 'ratio', 'target', ''];
  return `<table><tr>${headings.map((heading) => `<th>${heading}`).join('')}</tr>\n${lines.join('\n')}\n</table>`;
}

function escaped(text) {
  return String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
