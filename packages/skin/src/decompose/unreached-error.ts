import { NumericError } from '@pelt/model';

/**
 * No fit within the limits of bones and weights reaches the error that was asked for.
 * @example
 * {@includeCode ../../examples/unreached-error.ts}
 */
export class UnreachedError extends NumericError {
  /** Of the best fit. */
  readonly eRms: number;
  readonly bones: number;

  constructor(eRms: number, bones: number, maxError: number) {
    super(
      `E_RMS is ${eRms.toPrecision(3)} with ${bones} bones, above ${Number(maxError.toPrecision(3))}; ` +
        'allow a larger error, more bones (--bones) or more weights (--weights)',
    );
    this.eRms = eRms;
    this.bones = bones;
  }
}
