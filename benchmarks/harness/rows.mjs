/**
 * Rows of results: { task, case, metric, value, unit, reference, referenceName, ratio, target, ok }.
 *
 * A task gives `target` as a condition on its own figure or on the ratio to the reference, 'value <= 25' or 'ratio < 1';
 * whether it is met is decided here and nowhere else. `ratio`, `target` and `ok` are absent where
 * there is no reference or no target.
 */
import { figure } from './figure.mjs';

export const COLUMNS = [
  'task',
  'case',
  'metric',
  'value',
  'unit',
  'reference',
  'referenceName',
  'ratio',
  'target',
  'ok',
];

const HOLDS = {
  '<=': (measured, limit) => measured <= limit,
  '>=': (measured, limit) => measured >= limit,
  '<': (measured, limit) => measured < limit,
  '>': (measured, limit) => measured > limit,
};

const REQUIRED = ['case', 'metric', 'value', 'unit'];

export function finishRow(task, row) {
  const name = `${row.case}, ${row.metric}`;
  for (const key of REQUIRED) if (row[key] === undefined) throw new Error(`row '${name}' has no ${key}`);
  for (const key of Object.keys(row))
    if (!COLUMNS.includes(key)) throw new Error(`row '${name}' has an unknown ${key}`);
  if (!Number.isFinite(row.value)) throw new Error(`row '${name}': ${row.value} is not a figure`);
  const finished = { task, case: row.case, metric: row.metric, value: row.value, unit: row.unit };
  if (row.reference !== undefined) {
    if (!row.referenceName) throw new Error(`row '${name}' does not say whose its reference is`);
    finished.reference = row.reference;
    finished.referenceName = row.referenceName;
    finished.ratio = row.value / row.reference;
  }
  if (row.target !== undefined) {
    finished.target = row.target;
    finished.ok = isMet(finished, row.target);
  }
  return finished;
}

function isMet(row, target) {
  const match = /^(value|ratio) (<=|>=|<|>) (-?[\d.]+(?:e[+-]?\d+)?)$/.exec(target);
  if (!match) throw new Error(`target '${target}' is not like 'value <= 25' or 'ratio > 3.5'`);
  const measured = row[match[1]];
  if (measured === undefined) throw new Error(`target '${target}' of '${row.case}' needs a reference`);
  return HOLDS[match[2]](measured, Number(match[3]));
}

/** Rows whose target is missed, as one line; undefined where all are met. */
export function missedLine(rows) {
  const judged = rows.filter((row) => row.ok !== undefined);
  const missed = judged.filter((row) => !row.ok);
  if (missed.length === 0) return undefined;
  const name = (row) => {
    const shown = row.target.startsWith('ratio') ? row.ratio : row.value;
    return `${row.task}: ${row.case}, ${row.metric} ${figure(shown)} (${row.target})`;
  };
  return `missed ${missed.length} of ${judged.length} targets: ${missed.map(name).join('; ')}`;
}
