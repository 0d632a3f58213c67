import { describe, expect, it } from 'vitest';
import { formatSideBySide, SideBySide, slowerLine, splitCommand } from '../harness/side-by-side.mjs';

/** Rounds of one metric: [this, other] each. */
function measured(unit: string, rounds: readonly (readonly [number, number])[]): SideBySide {
  const times = new SideBySide();
  for (const round of rounds) for (const side of [0, 1]) times.add(side, 'horse', 'time', unit, round[side]);
  return times;
}

describe('two checkouts', () => {
  it('that are the same have the ratio 1', () => {
    const [row] = measured('ms', [[3, 3]]).results(1.05);
    expect(row).toMatchObject({ value: 3, reference: 3, ratio: 1, low: 1, high: 1, ok: true });
  });

  it('are compared by medians, with the range of the rounds', () => {
    const times = measured('ms', [
      [10, 10],
      [11, 10],
      [90, 10],
    ]);
    const [row] = times.results(1.05);
    expect(row).toMatchObject({ value: 11, reference: 10, ratio: 1.1, low: 1, high: 9, ok: false });
    expect(slowerLine([row], 1.05)).toBe('slower than 1.05 × in 1 of 1 times: horse, time 1.10');
    expect(formatSideBySide([row])).toMatch(/horse +time +11.0 ms +10.0 ms +1.10 +1.00 to 9.00 +SLOWER$/);
    expect(times.results(1.2)[0]).toHaveProperty('ok', true);
  });

  it('are compared by time where rates are measured', () => {
    const [row] = measured('a second', [[30, 60]]).results(1.05);
    expect(row).toMatchObject({ value: 30, reference: 60, ratio: 2, ok: false });
  });

  it('are not judged by other figures, which are listed where they differ', () => {
    expect(measured('E_RMS', [[2, 2]]).results(1.05)).toEqual([]);
    const [row] = measured('E_RMS', [[2.2, 2]]).results(1.05);
    expect(row).not.toHaveProperty('ok');
    expect(slowerLine([row], 1.05)).toBeUndefined();
    expect(formatSideBySide([row])).toMatch(/differs$/);
  });

  it('leave out what one of them does not measure', () => {
    const times = measured('ms', [[1, 1]]);
    times.add(0, 'horse', 'new', 'ms', 5);
    expect(times.results(1.05)).toHaveLength(1);
  });
});

describe('command lines', () => {
  it('are split at spaces and kept together by quotes', () => {
    expect(splitCommand('  pelt info  rest.obj ')).toEqual(['pelt', 'info', 'rest.obj']);
    expect(splitCommand(`pelt info 'my rest.obj' --name="a 'b'"`)).toEqual([
      'pelt',
      'info',
      'my rest.obj',
      "--name=a 'b'",
    ]);
    expect(() => splitCommand('  ')).toThrow('--command is empty');
  });
});
