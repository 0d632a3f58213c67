// @ts-check
/**
 * `npm run docs:tables -- [TASK...] [--without-times]`: takes the results that `npm run bench` has left for these tasks into
 * docs/site/data, then writes the measured tables and figures of all pages that have some. Without a task it only writes the pages.
 * `--without-times` leaves out what depends on the load of the machine.
 */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readResults } from '../../benchmarks/harness/results.mjs';
import { ROOT } from '../../scripts/packages/public-packages.mjs';
import { PAGES, tableOf } from './generator/benchmark-tables.mjs';
import { isTime, readMeasured } from './generator/measured.mjs';
import { fillFigures, fillTables } from './generator/tables.mjs';

const DATA = join(ROOT, 'docs/site/data');
const RESULTS = join(ROOT, 'benchmarks/results');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'without-times': { type: 'boolean', default: false } },
});
const times = !values['without-times'];

for (const task of positionals) {
  /** @type {(import('./generator/measured.mjs').Row & { task: string, ratio?: number })[]} */
  const found = /** @type {any[]} */ (readResults(RESULTS, [task]));
  const rows = found
    .filter((row) => row.task === task && (times || !isTime(row)))
    .map(({ task: _, ratio: __, ...row }) => row);
  if (rows.length === 0) throw new Error(`docs: no results of '${task}'; run npm run bench -- ${task}`);
  const measured = statSync(join(RESULTS, `${task}.csv`))
    .mtime.toISOString()
    .slice(0, 10);
  const results = { task, measured, command: `npm run bench -- ${task}`, times, rows };
  writeFileSync(join(DATA, `${task}.json`), `${JSON.stringify(results, undefined, 2)}\n`);
}
const measured = readMeasured(DATA);
for (const page of PAGES) {
  const file = join(ROOT, page);
  const text = fillTables(readFileSync(file, 'utf8'), (name) => tableOf(measured, name));
  writeFileSync(file, fillFigures(text, measured));
}
