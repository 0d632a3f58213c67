import { describe, expect, it } from 'vitest';
import { finishRow, missedLine } from '../harness/rows.mjs';
import { formatTable } from '../harness/table.mjs';

const row = { case: 'horse', metric: 'time', value: 2, unit: 'ms' };
const beside = { ...row, reference: 4, referenceName: 'plain' };

describe('rows', () => {
  it('have a ratio where there is a reference, and a verdict where there is a target', () => {
    expect(finishRow('math', row)).toEqual({ task: 'math', ...row });
    expect(finishRow('math', { ...beside, target: 'ratio <= 0.5' })).toEqual({
      task: 'math',
      ...beside,
      ratio: 0.5,
      target: 'ratio <= 0.5',
      ok: true,
    });
  });

  it.each([
    ['value <= 2', true],
    ['value < 2', false],
    ['value >= 2', true],
    ['value > 2', false],
    ['value <= 1.9e0', false],
    ['ratio < 1', true],
    ['ratio >= 0.51', false],
  ])('%s is %s', (target, ok) => {
    expect(finishRow('math', { ...beside, target })).toHaveProperty('ok', ok);
  });

  it.each([
    [{ ...row, unit: undefined }, 'has no unit'],
    [{ ...row, colour: 'red' }, 'has an unknown colour'],
    [{ ...row, value: Number.NaN }, 'NaN is not a figure'],
    [{ ...row, reference: 4 }, 'does not say whose its reference is'],
    [{ ...row, target: 'ratio <= 1' }, 'needs a reference'],
    [{ ...row, target: 'fast' }, "target 'fast' is not like"],
  ])('are refused where they make no sense', (wrong, message) => {
    expect(() => finishRow('math', wrong)).toThrow(message);
  });
});

describe('missed targets', () => {
  const met = finishRow('math', { ...row, target: 'value <= 3' });
  const missed = finishRow('math', { ...beside, target: 'ratio <= 0.25' });

  it('are listed on one line, with the figure that missed', () => {
    expect(missedLine([finishRow('io', row), met])).toBeUndefined();
    expect(missedLine([met, missed])).toBe('missed 1 of 2 targets: math: horse, time 0.500 (ratio <= 0.25)');
  });

  it('are counted and marked in the table', () => {
    const lines = formatTable([met, missed]).split('\n');
    expect(lines.at(-1)).toBe('1 of 2 targets met');
    expect(lines[1]).toMatch(/ok$/);
    expect(lines[2]).toMatch(/MISSED$/);
  });
});
