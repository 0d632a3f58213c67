import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/packages/public-packages.mjs';
import { PAGES, TASKS, tableOf } from '../generator/benchmark-tables.mjs';
import { isTime, type Measured, readMeasured, rowOf } from '../generator/measured.mjs';
import { figure, fillFigures, fillTables, geometricMean, markdownTable } from '../generator/tables.mjs';

const DATA = join(ROOT, 'docs/site/data');
const page = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const row = { case: 'horse', metric: 'E_RMS', value: 1, unit: '' };
const measuredOf = (task: string, rows: (typeof row)[]): Measured =>
  new Map([[task, { task, measured: '2026-01-01', command: `npm run bench -- ${task}`, times: true, rows }]]);

describe('tables', () => {
  it('are written between their marks and leave the rest', () => {
    const text = 'a\n<!-- table: x -->\nold\n<!-- /table -->\nb\n<!-- table: y -->\n<!-- /table -->\n';
    const filled = fillTables(text, (name) => `[${name}]`);
    expect(filled).toBe(
      'a\n<!-- table: x -->\n\n[x]\n\n<!-- /table -->\nb\n<!-- table: y -->\n\n[y]\n\n<!-- /table -->\n',
    );
    expect(fillTables(filled, (name) => `[${name}]`)).toBe(filled);
  });

  it('align figures to the right', () => {
    expect(markdownTable(['a', 'b'], [['x', '1']], 'lr')).toBe('| a | b |\n| --- | ---: |\n| x | 1 |');
  });

  it('have means of ratios', () => {
    expect(geometricMean([0.5, 2])).toBeCloseTo(1);
  });

  it('know which rows depend on the machine', () => {
    expect(isTime(row)).toBe(false);
    expect(isTime({ ...row, unit: 's' })).toBe(true);
    expect(isTime({ ...row, metric: 'time to load in three.js', unit: '' })).toBe(true);
    expect(isTime({ ...row, unit: 'KB' })).toBe(false);
  });

  it('refuse a name that is neither a table nor a task', () => {
    expect(() => tableOf(new Map(), 'nothing')).toThrow(/no table 'nothing'/);
  });

  it('say which task was not measured yet', () => {
    expect(tableOf(new Map(), 'volume')).toMatch(/Not measured yet.*npm run bench -- volume/);
    expect(tableOf(measuredOf('volume', [row]), 'volume')).toMatch(/\*\*1\.00\*\*/);
  });
});

describe('a figure that is missing', () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY])('is refused as %s', (value) => {
    expect(() => figure(value)).toThrow(/not a figure/);
    expect(() => tableOf(measuredOf('volume', [{ ...row, value }]), 'volume')).toThrow(/not a figure/);
  });

  it('is refused as a table without rows, a row without a cell and a mean of nothing', () => {
    expect(() => markdownTable(['a'], [])).toThrow(/no rows/);
    expect(() => markdownTable(['a', 'b'], [['x']])).toThrow(/not a row/);
    expect(() => geometricMean([])).toThrow(/no geometric mean/);
    expect(() => tableOf(measuredOf('volume', []), 'volume')).toThrow(/empty/);
  });

  it('is refused under another name, with the names that there are', () => {
    expect(() => rowOf([row], 'horse', 'RMSE')).toThrow(/no 'RMSE' of 'horse'.*'E_RMS'/);
    expect(() => rowOf([row], 'cow', 'RMSE')).toThrow(/no row has that case/);
    const rows = readMeasured(DATA).get('decompose')?.rows ?? [];
    const renamed = rows.map((own) => ({ ...own, unit: '', metric: own.metric.replace('rest pose near', 'near') }));
    for (const name of ['decompose-rigid', 'dem-bones', 'fit-errors']) {
      expect(() => tableOf(measuredOf('decompose', renamed), name)).toThrow(/no 'E_RMS, rest pose near'/);
    }
  });
});

describe('single figures', () => {
  const measured = measuredOf('fit', [row]);

  it('are written between their marks', () => {
    const text = 'is <!-- figure: fit; horse; E_RMS -->9<!-- /figure -->.';
    expect(fillFigures(text, measured)).toBe('is <!-- figure: fit; horse; E_RMS -->1.00<!-- /figure -->.');
  });

  it.each([
    ['is <!-- figure: fit; horse; RMSE -->9<!-- /figure -->', /no 'RMSE'/],
    ['is <!-- figure: fit; horse; E_RMS; reference -->9<!-- /figure -->', /no reference/],
    ['is <!-- figure: fit; horse; E_RMS; mean -->9<!-- /figure -->', /unknown field/],
    ['<!-- figure: fit; horse; E_RMS -->9<!-- /figure -->', /begin a line/],
  ])('refuse %s', (text, message) => {
    expect(() => fillFigures(text, measured)).toThrow(message);
  });
});

describe('the pages with figures', () => {
  it.each(PAGES)('%s has those of docs/site/data', (path) => {
    const measured = readMeasured(DATA);
    const text = page(path);
    expect(text).toMatch(/<!-- (?:table|figure): /);
    // Else run `npm run docs:tables`.
    expect(
      fillFigures(
        fillTables(text, (name) => tableOf(measured, name)),
        measured,
      ),
    ).toBe(text);
  });

  it.each(PAGES)('%s has no cell without a figure', (path) => {
    expect(page(path)).not.toMatch(/\*\*\*\*|\bNaN\b|\bundefined\b|\bInfinity\b/);
  });

  it('have a table of every task', () => {
    const text = page('docs/benchmarks.md');
    const special: Readonly<Record<string, string>> = { decompose: 'decompose-rigid', skeleton: 'skeletons' };
    for (const task of TASKS) expect(text).toContain(`<!-- table: ${special[task] ?? task} -->`);
  });

  // Read from the files by other code than that of the generator.
  it.each([
    [
      'docs/beside.md',
      'decompose',
      'horse-gallop 20',
      'E_RMS, rest pose near',
      /\| horse-gallop \| 20 \|.*\*\*(.+?)\*\*/,
    ],
    ['docs/beside.md', 'decompose', 'samba 20', 'E_RMS, rest pose keep', /\| samba \| 20 \|(?:[^|]*\|){2} ([^|]+?) \|/],
    ['docs/benchmarks.md', 'decompose', 'pcow 24', 'E_RMS, rest pose keep', /\| pcow \| 24 \| 5\.7 \| ([^|]+?) \|/],
    ['docs/benchmarks.md', 'skeleton', 'pcow 11, hasler', 'RMSE', /\| pcow \| 11 \|.* 5\.58 \| (\S+) \|/],
    ['docs/guide/skeleton.md', 'skeleton', 'samba 22', 'RMSE', /\| samba \| 22 \| 0\.56 \| ([^|]+?) \|/],
    ['README.md', 'decompose', 'horse-gallop 20', 'E_RMS, rest pose near', /near -->(.+?)<!--/],
  ])('%s shows %s of %s, %s, as measured', (path, task, place, metric, pattern) => {
    const results = JSON.parse(page(`docs/site/data/${task}.json`)) as { rows: (typeof row)[] };
    const measured = results.rows.find((own) => own.case === place && own.metric === metric);
    const shown = Number(pattern.exec(page(path))?.[1]);
    expect(Math.abs(shown / (measured?.value ?? Number.NaN) - 1)).toBeLessThan(0.005);
  });
});
