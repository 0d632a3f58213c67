import { describe, expect, it } from 'vitest';
import {
  CancelledError,
  exitCodeOf,
  InputError,
  NumericError,
  OutputError,
  PeltError,
  UnsupportedError,
  UsageError,
} from '../src/errors.ts';

describe('errors', () => {
  it.each([
    [UsageError, 1],
    [InputError, 2],
    [UnsupportedError, 3],
    [OutputError, 4],
    [NumericError, 5],
    [CancelledError, 130],
  ])('%o has its name, message and exit code', (Class, exitCode) => {
    const error = new Class('what, value, cure');
    expect(error).toBeInstanceOf(PeltError);
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe(Class.name);
    expect(error.message).toBe('what, value, cure');
    expect(exitCodeOf(error)).toBe(exitCode);
  });

  it('of any other kind count as a numeric failure', () => {
    expect(exitCodeOf(new TypeError('x is undefined'))).toBe(5);
    expect(exitCodeOf('thrown text')).toBe(5);
  });

  it('keeps the cause', () => {
    const cause = new Error('below');
    expect(new InputError('above', { cause }).cause).toBe(cause);
  });

  it('says "cancelled" by itself', () => {
    expect(new CancelledError().message).toBe('cancelled');
  });
});
