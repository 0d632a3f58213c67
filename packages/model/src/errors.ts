import { CancelledError, NumericError, PeltError } from '@pelt/math';

/** The rest of the handful of errors that pelt throws; the root and the numeric ones are in @pelt/math. */
export { CancelledError, NumericError, PeltError };

/**
 * The caller asked for something that makes no sense: bad option, bad argument.
 * @example
 * {@includeCode ../examples/errors.ts}
 */
export class UsageError extends PeltError {}

/**
 * The input's bytes or numbers cannot be used: truncated, malformed, inconsistent.
 * @example
 * {@includeCode ../examples/errors.ts}
 */
export class InputError extends PeltError {}

/**
 * The input is valid, but pelt does not handle that part of its format.
 * @example
 * {@includeCode ../examples/errors.ts}
 */
export class UnsupportedError extends PeltError {}

/**
 * The result could not be written.
 * @example
 * {@includeCode ../examples/errors.ts}
 */
export class OutputError extends PeltError {}

/**
 * The exit code of a process that ends by an error; an unforeseen error counts as a numeric failure.
 * @example
 * {@includeCode ../examples/errors.ts}
 */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return 1;
  if (error instanceof InputError) return 2;
  if (error instanceof UnsupportedError) return 3;
  if (error instanceof OutputError) return 4;
  return error instanceof CancelledError ? 130 : 5;
}
