/**
 * Measurements of two checkouts, round by round, and what they come to.
 */
import { figure } from './figure.mjs';
import { median } from './measure.mjs';
import { alignColumns } from './table.mjs';

const TIMES = new Set(['ns', 'µs', 'ms', 's']);
/** Rates: more is better. */
const RATES = new Set(['a second']);
/** Other figures are the same where they differ by less. */
const SAME = 1e-9;

const HEADINGS = ['what', 'metric', 'this', 'other', 'ratio', 'of a round', ''];
const RIGHT = new Set(['this', 'other', 'ratio']);

export class SideBySide {
  #measured = new Map();

  /** @param side  0 for this checkout, 1 for the other */
  add(side, name, metric, unit, value) {
    const key = `${name}\n${metric}\n${unit}`;
    const entry = this.#measured.get(key) ?? { name, metric, unit, values: [[], []] };
    entry.values[side].push(value);
    this.#measured.set(key, entry);
  }

  /** The processor time and the wall time of one run. */
  addRun(side, name, { processor, wall }) {
    this.add(side, name, 'processor time', 's', processor);
    this.add(side, name, 'wall time', 's', wall);
  }

  /**
   * Medians of what both have. Times and rates are judged (`ok`): the ratio is of times, of this to the other, so that
   * above 1 is slower. Other figures are listed where they differ. What one side alone has is left out.
   */
  results(limit) {
    const found = [];
    for (const { name, metric, unit, values } of this.#measured.values()) {
      if (values.some((list) => list.length === 0)) continue;
      const [value, reference] = values.map(median);
      const row = { name, metric, unit, value, reference };
      if (TIMES.has(unit) || RATES.has(unit)) {
        const quotient = (ours, theirs) => (RATES.has(unit) ? theirs / ours : ours / theirs);
        const rounds = values[0].map((ours, k) => quotient(ours, values[1][k]));
        const ratio = quotient(value, reference);
        found.push({ ...row, ratio, low: Math.min(...rounds), high: Math.max(...rounds), ok: ratio <= limit });
      } else if (Math.abs(value - reference) > SAME * Math.abs(reference)) {
        found.push({ ...row, ratio: value / reference });
      }
    }
    return found;
  }
}

export function formatSideBySide(results) {
  if (results.length === 0) return 'nothing that both checkouts measure';
  const lines = results.map(({ name, metric, unit, value, reference, ratio, low, high, ok }) => [
    name,
    metric,
    `${figure(value)} ${unit}`,
    `${figure(reference)} ${unit}`,
    figure(ratio),
    ok === undefined ? '' : `${figure(low)} to ${figure(high)}`,
    ok === undefined ? 'differs' : ok ? 'ok' : 'SLOWER',
  ]);
  return alignColumns(HEADINGS, lines, RIGHT);
}

/** Times that exceed the limit, as one line; undefined where none does. */
export function slowerLine(results, limit) {
  const judged = results.filter(({ ok }) => ok !== undefined);
  const slower = judged.filter(({ ok }) => !ok);
  if (slower.length === 0) return undefined;
  const names = slower.map(({ name, metric, ratio }) => `${name}, ${metric} ${figure(ratio)}`);
  return `slower than ${limit} × in ${slower.length} of ${judged.length} times: ${names.join('; ')}`;
}

/** The words of a command line: separated by spaces, joined by single or double quotes. */
export function splitCommand(line) {
  const words = [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single),
  );
  if (words.length === 0) throw new Error('--command is empty');
  return words;
}
