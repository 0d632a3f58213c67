/**
 * One CSV file a task in the results folder (RFC 4180, first line the names of the columns), and all of them back.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COLUMNS } from './rows.mjs';

const NUMBERS = new Set(['value', 'reference', 'ratio']);

export function writeResults(folder, task, rows) {
  mkdirSync(folder, { recursive: true });
  const lines = rows.map((row) => COLUMNS.map((key) => quoted(row[key])).join(','));
  writeFileSync(join(folder, `${task}.csv`), `${[COLUMNS.join(','), ...lines].join('\r\n')}\r\n`);
}

/** The same for some of the cases: their rows take the place of earlier ones, and the others stay. */
export function mergeResults(folder, task, rows) {
  const earlier = readResults(folder, [task]).filter((row) => row.task === task);
  const keyOf = (row) => `${row.case}, ${row.metric}`;
  const latest = new Map(rows.map((row) => [keyOf(row), row]));
  const known = new Set(earlier.map(keyOf));
  const kept = earlier.map((row) => latest.get(keyOf(row)) ?? row);
  writeResults(folder, task, [...kept, ...rows.filter((row) => !known.has(keyOf(row)))]);
}

/** All rows of the folder, of this run and of earlier ones, tasks in the given order and then by name. */
export function readResults(folder, order) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.csv'))
    .map((file) => file.slice(0, -4));
  const place = (name) => (order.includes(name) ? order.indexOf(name) : order.length);
  names.sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
  return names.flatMap((name) => parse(readFileSync(join(folder, `${name}.csv`), 'utf8')));
}

function parse(text) {
  const [names, ...records] = recordsOf(text);
  return records.map((record) => {
    const row = {};
    names.forEach((key, k) => {
      if (record[k] === '') return;
      row[key] = NUMBERS.has(key) ? Number(record[k]) : key === 'ok' ? record[k] === 'true' : record[k];
    });
    return row;
  });
}

function recordsOf(text) {
  const records = [];
  for (const line of text.split('\r\n')) {
    if (line === '') continue;
    records.push([...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(unquoted));
  }
  return records;
}

function unquoted([, inQuotes, plain]) {
  return inQuotes === undefined ? plain : inQuotes.replaceAll('""', '"');
}

function quoted(value) {
  if (value === undefined) return '';
  const text = String(value).replaceAll(/[\r\n]+/g, ' ');
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
