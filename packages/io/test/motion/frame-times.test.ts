import { describe, expect, it } from 'vitest';
import { timesFromStamps } from '../../src/motion/frame-times.ts';
import { WarningTally } from '../../src/warning-tally.ts';

function times(stamps: number[]): { times: number[]; rows: readonly number[]; warnings: string[] } {
  const warnings: string[] = [];
  const tally = new WarningTally('log', (message) => warnings.push(message));
  const result = timesFromStamps(stamps, 30, tally);
  tally.flush();
  return { times: [...result.times].map((time) => Number(time.toFixed(9))), rows: result.rows, warnings };
}

describe('timesFromStamps', () => {
  it('finds the unit in which frames follow each other as cameras work', () => {
    for (const unit of [1, 1e3, 1e6, 1e7]) {
      expect(times([5, 5.033, 5.066, 5.1].map((time) => time * unit)).times).toEqual([0, 0.033, 0.066, 0.1]);
    }
  });

  it('leaves out frames whose time does not go on, and says so', () => {
    const { times: kept, rows, warnings } = times([0, 0.03, 0.03, 0.02, 0.06]);
    expect(kept).toEqual([0, 0.03, 0.06]);
    expect(rows).toEqual([0, 1, 4]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('(2 times)');
  });

  it('falls back on a rate where no unit fits, or there is one frame', () => {
    expect(times([0, 1e9, 2e9]).times).toEqual([0, 0.033333333, 0.066666667]);
    expect(times([0, 1e9, 2e9]).warnings[0]).toContain('no usual unit');
    expect(times([7])).toEqual({ times: [0], rows: [0], warnings: [] });
    expect(times([Number.NaN]).rows).toEqual([]);
  });
});
