import { type OptionsByMethod, requireTaken, takenOf, UsageError } from '@pelt/model';
import { describe, expect, expectTypeOf, it } from 'vitest';

interface Options {
  readonly method: 'a' | 'b' | 'c';
  readonly size: number;
  readonly sharp: boolean;
}

const TAKEN_BY = { sharp: ['a', 'b'] } as const;

describe('options by method', () => {
  it('are refused by methods that do not take them, which names those that do', () => {
    const defaults = { method: 'a', size: 1, sharp: true };
    const give = (method: string, given: object) => () => requireTaken('cut', method, TAKEN_BY, given, defaults);
    expect(give('a', { method: 'a', size: 1, sharp: true })).not.toThrow();
    expect(give('c', { method: 'c', size: 1 })).not.toThrow();
    // Not given.
    expect(give('c', { sharp: undefined })).not.toThrow();
    // As where all defaults are spread.
    expect(give('c', { sharp: true })).not.toThrow();
    expect(give('c', { sharp: false })).toThrow(UsageError);
    expect(give('c', { sharp: false })).toThrow(
      "cut: option 'sharp' has no effect on method 'c'; leave it out, or choose 'a' or 'b'",
    );
    expect(() => requireTaken('cut', 'a', { fine: ['c'] }, { fine: 1 }, {})).toThrow(/or choose 'c'$/);
  });

  it('can be chosen out of all', () => {
    expect(takenOf('a', TAKEN_BY, { size: 1, sharp: true })).toEqual({ size: 1, sharp: true });
    expect(takenOf('c', TAKEN_BY, { size: 1, sharp: true })).toEqual({ size: 1 });
  });

  it('are a union of types, in which the default method may be left out', () => {
    type Request = OptionsByMethod<Options, typeof TAKEN_BY, 'a'>;
    expectTypeOf<{ sharp: boolean }>().toExtend<Request>();
    expectTypeOf<{ method: 'b'; sharp: boolean; size: number }>().toExtend<Request>();
    expectTypeOf<{ method: 'c'; size: number }>().toExtend<Request>();
    expectTypeOf<Extract<Request, { method: 'c' }>>().not.toHaveProperty('sharp');
  });
});
