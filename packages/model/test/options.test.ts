import { describe, expect, it } from 'vitest';
import { UsageError } from '../src/errors.ts';
import { resolveOptions } from '../src/options.ts';

interface FitOptions {
  readonly bones: number;
  readonly name: string;
  readonly start: number | undefined;
}
const FIT_DEFAULTS: FitOptions = { bones: 20, name: 'ssdr', start: undefined };

describe('resolveOptions', () => {
  it('gives the defaults where nothing is given, as a copy', () => {
    expect(resolveOptions('fit', FIT_DEFAULTS, undefined)).toEqual(FIT_DEFAULTS);
    expect(resolveOptions('fit', FIT_DEFAULTS, {})).not.toBe(FIT_DEFAULTS);
  });

  it('takes what is given, 0 and the empty string too', () => {
    expect(resolveOptions('fit', FIT_DEFAULTS, { bones: 0, name: '' })).toEqual({
      ...FIT_DEFAULTS,
      bones: 0,
      name: '',
    });
  });

  it('treats undefined as not given', () => {
    expect(resolveOptions('fit', FIT_DEFAULTS, { bones: undefined }).bones).toBe(20);
  });

  it('refuses unknown keys, inherited names included, and says which there are', () => {
    const misspelt = { bone: 3 } as Partial<FitOptions>;
    expect(() => resolveOptions('fit', FIT_DEFAULTS, misspelt)).toThrow(UsageError);
    expect(() => resolveOptions('fit', FIT_DEFAULTS, misspelt)).toThrow(
      "fit: unknown option 'bone'; it takes bones, name, start",
    );
    expect(() => resolveOptions('fit', FIT_DEFAULTS, { toString: 1 } as unknown as Partial<FitOptions>)).toThrow(
      UsageError,
    );
  });

  it('changes neither the defaults nor what was given', () => {
    const given = Object.freeze({ bones: 4 });
    expect(resolveOptions('fit', Object.freeze({ ...FIT_DEFAULTS }), given).bones).toBe(4);
    expect(given).toEqual({ bones: 4 });
  });
});
