import { NumericError } from '@pelt/model';
import { UnreachedError } from '@pelt/skin/decompose';
import type { ErrorLimit } from '../input/error-limit.ts';

/** Runs a fit to a limit, if there is one; a fit that misses it says so in the unit in which it was typed. */
export function reachLimit<T>(limit: ErrorLimit | undefined, fit: () => T): T {
  try {
    return fit();
  } catch (error) {
    if (!(error instanceof UnreachedError) || !limit || limit.isPlain) throw error;
    const { asked, reached, size } = limit.report(error.eRms);
    throw new NumericError(
      `--max-error ${asked} is not reached: ${reached} with ${error.bones} bones, in a model that is ${size} in size; ` +
        'allow a larger error, more bones (--bones) or more weights (--weights)',
    );
  }
}
