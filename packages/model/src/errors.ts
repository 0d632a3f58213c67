/**
 * The handful of errors that pelt throws. Each message names what was wrong, the value, and the cure, on one line;
 * the command line prints it behind `error: ` and turns the class into an exit code.
 */
export abstract class PeltError extends Error {
  /** Exit code of the command line for this class of error. */
  abstract readonly exitCode: number;

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}

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

/** A solver met a singular system, a divergence or a value that is not finite. */
export class NumericError extends PeltError {
  readonly exitCode = 5;
}

/** The user or the caller cancelled the run. */
export class CancelledError extends PeltError {
  readonly exitCode = 130;

  constructor(message = 'cancelled') {
    super(message);
  }
}
