import { InputError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { ByteWriter } from '../../src/alembic/byte-writer.ts';
import {
  ACYCLIC,
  placeOfTime,
  readTimeSamplings,
  type TimeSampling,
  timeOfSample,
} from '../../src/alembic/time-sampling.ts';
import { ByteCursor } from '../../src/cursor.ts';
import { acyclic, cyclic, uniform } from './scene.ts';

function read(...samplings: TimeSampling[]): TimeSampling[] {
  const bytes = new ByteWriter();
  for (const { timePerCycle, times } of samplings) {
    bytes.uint(0, 4).float64(timePerCycle).uint(times.length, 4);
    for (const time of times) bytes.float64(time);
  }
  return readTimeSamplings(new ByteCursor(bytes.toBytes(), 'Alembic', 'a.abc', true));
}

describe('time samplings', () => {
  it('gives the times of samples', () => {
    const times = (sampling: TimeSampling) => [0, 1, 2, 3, 4].map((k) => timeOfSample(sampling, k));
    expect(times(uniform(2, 10))).toEqual([10, 10.5, 11, 11.5, 12]);
    // Two samples a shutter, one cycle a second.
    expect(times(cyclic(1, -0.25, 0.25))).toEqual([-0.25, 0.25, 0.75, 1.25, 1.75]);
    expect(times(acyclic(0, 1, 4, 9, 16))).toEqual([0, 1, 4, 9, 16]);
  });

  it('reads what the archive holds', () => {
    const samplings = [uniform(24), cyclic(1, 0, 0.5), acyclic(3, 5)];
    expect(read(...samplings)).toEqual(samplings);
    expect(read()).toEqual([uniform(1)]);
  });

  it.each([
    ['no times', { timePerCycle: 1, times: new Float64Array(0) }, 'time sampling 0 has no times'],
    ['NaN', acyclic(0, Number.NaN), 'has the time NaN'],
    ['times that fall', acyclic(0, 2, 1), 'has the times 2 s and 1 s, which do not increase'],
    ['equal times', cyclic(1, 0.5, 0.5), 'has the times 0.5 s and 0.5 s, which do not increase'],
    ['no cycle', uniform(Number.POSITIVE_INFINITY), 'has a period of 0 s'],
    ['a cycle backwards', uniform(-1), 'has a period of -1 s'],
    ['a cycle of NaN', cyclic(Number.NaN, 0), 'has a period of NaN s'],
    ['more than a cycle', cyclic(1, 0, 1.5), 'has times that span 1.5 s in a period of 1 s'],
  ])('refuses %s', (_, sampling, message) => {
    expect(() => read(sampling)).toThrow(InputError);
    expect(() => read(sampling)).toThrow(message);
  });

  it.each([
    [-1, 0, 0, 0],
    [0, 0, 0, 0],
    [0.25, 0, 1, 0.5],
    [0.5, 1, 1, 0],
    // A rounding error away from a sample is that sample.
    [0.5 - 1e-9, 1, 1, 0],
    [0.5 + 1e-9, 1, 1, 0],
    [1.125, 2, 3, 0.25],
    [1.5, 3, 3, 0],
    [99, 3, 3, 0],
  ])('finds the samples around %d s', (time, before, after, share) => {
    const place = placeOfTime(uniform(2), 4, time);
    expect(place).toEqual({ before, after, share: expect.closeTo(share, 12) });
    expect(placeOfTime(acyclic(0, 0.5, 1, 1.5), 4, time)).toEqual(place);
  });

  it('finds the samples of a cycle', () => {
    expect(placeOfTime(cyclic(1, 0, 0.25), 6, 1.125)).toEqual({ before: 2, after: 3, share: 0.5 });
    expect(placeOfTime(cyclic(1, 0, 0.25), 6, 0.625)).toEqual({ before: 1, after: 2, share: 0.5 });
  });

  it('holds one sample for ever', () => {
    expect(placeOfTime(cyclic(ACYCLIC, 5), 1, 7)).toEqual({ before: 0, after: 0, share: 0 });
  });
});
