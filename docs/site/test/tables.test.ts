import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/packages/public-packages.mjs';
import { tableOf } from '../generator/benchmark-tables.mjs';
import { fillTables, geometricMean, isTime, markdownTable, readMeasured } from '../generator/tables.mjs';

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

  it('know which rows depend on the machine', () => {
    const row = { case: 'horse', metric: 'E_RMS', value: 1, unit: '' };
    expect(isTime(row)).toBe(false);
    expect(isTime({ ...row, unit: 's' })).toBe(true);
    expect(isTime({ ...row, metric: 'time to load in three.js', unit: '' })).toBe(true);
    expect(isTime({ ...row, unit: 'KB' })).toBe(false);
  });

  it('have means of ratios', () => {
    expect(geometricMean([0.5, 2])).toBeCloseTo(1);
  });

  it('refuse a name that nothing was measured for', () => {
    expect(() => tableOf(new Map(), 'nothing')).toThrow(/no table 'nothing'/);
  });
});

describe('the pages with tables', () => {
  it.each(['docs/benchmarks.md', 'docs/beside.md'])('%s has the figures of docs/site/data', (page) => {
    const measured = readMeasured(join(ROOT, 'docs/site/data'));
    const text = readFileSync(join(ROOT, page), 'utf8');
    expect(text).toMatch(/<!-- table: /);
    // Else run `npm run docs:tables`.
    expect(fillTables(text, (name) => tableOf(measured, name))).toBe(text);
  });
});
