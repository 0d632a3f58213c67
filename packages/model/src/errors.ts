import { CancelledError, NumericError, PeltError } from '@pelt/math';

/** The rest of the handful of errors that pelt throws; the root and the numeric ones are in @pelt/math. */
export { CancelledError, NumericError, PeltError };

/** The caller asked for something that makes no sense: bad option, bad argument. */
export class UsageError extends PeltError {
  readonly exitCode = 1;
}

/** The input's bytes or numbers cannot be used: truncated, malformed, inconsistent. */
export class InputError extends PeltError {
  readonly exitCode = 2;
}

/** The input is valid, but pelt does not handle that part of its format. */
export class UnsupportedError extends PeltError {
  readonly exitCode = 3;
}

/** The result could not be written. */
export class OutputError extends PeltError {
  readonly exitCode = 4;
}
