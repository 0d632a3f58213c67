/** That the build for tests finds what it is made for. Run in the project `checked` alone, see vitest.config.ts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sumOfChunk } from '../../src/generated/calls.ts';
import { type Numerics, openNumerics, type Scope } from '../../src/index.ts';

describe('the build that checks', () => {
  let numerics: Numerics;
  let scope: Scope;
  beforeAll(async () => {
    numerics = await openNumerics();
    scope = numerics.scope();
  });
  afterAll(() => numerics.close());

  /** Sums without a look at the sizes. */
  const sum = (items: number, values: number, sums: number) => {
    const { words } = numerics;
    words.set([values, sums, 64]);
    numerics.launch('sumOfChunk', items, 64, 0);
  };

  it('computes as the other', () => {
    const [values, sums] = [scope.f64From([1, 2, 3, 4, 5]), scope.f64(1)];
    sumOfChunk(numerics, 5, 64, { values, sums, grain: 64 });
    expect(sums.view[0]).toBe(15);
  });

  it('traps at the first number behind a block, and before one', () => {
    const [values, sums] = [scope.f64(5), scope.f64(1)];
    expect(() => sum(5, values.pointer, sums.pointer)).not.toThrow();
    expect(() => sum(6, values.pointer, sums.pointer)).toThrow(/unreachable/);
    expect(() => sum(1, values.pointer - 8, sums.pointer)).toThrow(/unreachable/);
    expect(() => sum(1, values.pointer, sums.pointer + 8)).toThrow(/unreachable/);
    expect(() => sum(1, values.pointer, 0xffff_fff8)).toThrow(/unreachable/);
  });

  it('traps where a block was freed', () => {
    const passing = numerics.scope();
    const values = passing.f64(5);
    const sums = scope.f64(1);
    passing.dispose();
    expect(() => sum(5, values.pointer, sums.pointer)).toThrow(/unreachable/);
  });

  it('names a block that is too short', () => {
    const fields = { values: scope.f64(5), sums: scope.f64(1), grain: 64 };
    expect(() => sumOfChunk(numerics, 6, 64, fields)).toThrow(
      "sumOfChunk: 'values' has 5 numbers, expected 6 at least",
    );
    const more = { ...fields, values: scope.f64(65) };
    expect(() => sumOfChunk(numerics, 65, 64, more)).toThrow("'sums' has 1 numbers, expected 2 at least");
  });
});
