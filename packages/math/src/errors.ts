/**
 * The root of all errors that pelt throws, and the two that numerics throws itself; the others are in the model.
 * A message names what was wrong, the value, and the cure, on one line; the command line prints it behind `error: ` and
 * turns the class into an exit code.
 */
export abstract class PeltError extends Error {
  /** Exit code of the command line for this class of error. */
  abstract readonly exitCode: number;

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
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
