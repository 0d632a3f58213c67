import { NumericError, UsageError } from '@pelt/model';
import { UnreachedError } from '@pelt/skin/decompose';
import { expect, it } from 'vitest';
import { reachLimit } from '../../src/fit/reach-limit.ts';
import { ErrorLimit } from '../../src/input/error-limit.ts';

const rest = Float32Array.of(-2, 0, 0, 2, 0, 0, 0, 2, 0);
const miss = () => {
  throw new UnreachedError(4 / Math.sqrt(3), 9, 0.123456);
};

it('says in the unit of the limit that a fit has missed it', () => {
  const limit = new ErrorLimit('2mm', rest);
  expect(() => reachLimit(limit, miss)).toThrow(
    /^--max-error 2mm is not reached: 8.00mm with 9 bones, in a model that is 4470mm in size;/,
  );
  expect(() => reachLimit(limit, miss)).toThrow(NumericError);
  expect(reachLimit(limit, () => 7)).toBe(7);
});

it('leaves other messages as they are', () => {
  const plain = /^E_RMS is 2.31 with 9 bones, above 0.123;/;
  expect(() => reachLimit(new ErrorLimit(0.123456, rest), miss)).toThrow(plain);
  expect(() => reachLimit(undefined, miss)).toThrow(plain);
  const other = () => {
    throw new UsageError('no');
  };
  expect(() => reachLimit(new ErrorLimit('2mm', rest), other)).toThrow(UsageError);
});
