/**
 * The root of all errors that pelt throws on purpose. A message names what was wrong, the value and the cure, on one
 * line.
 * @example
 * {@includeCode ../examples/numerics.ts}
 */
export abstract class PeltError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}

/**
 * A solver met a singular system, a divergence or a value that is not finite.
 * @example
 * {@includeCode ../examples/numerics.ts}
 */
export class NumericError extends PeltError {}

/**
 * The run was cancelled through its signal.
 * @example
 * {@includeCode ../examples/numerics.ts}
 */
export class CancelledError extends PeltError {
  constructor(message = 'cancelled') {
    super(message);
  }
}
