/**
 * The root of all errors that pelt throws, and the two that numerics throws itself; the others are in the model.
 * A message names what was wrong, the value, and the cure, on one line.
 */
export abstract class PeltError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A solver met a singular system, a divergence or a value that is not finite. */
export class NumericError extends PeltError {}

/** The user or the caller cancelled the run. */
export class CancelledError extends PeltError {
  constructor(message = 'cancelled') {
    super(message);
  }
}
