/**
 * A power of two near the largest entry of a matrix: dividing by it is exact and keeps squares in range. 0 for zero.
 */
import { exponentOf } from '../elementary/exponential.ts';
import { NumericError } from '../errors.ts';

/** @param owner  name of the function, for the message */
export function scaleOf(owner: string, a: ArrayLike<number>): number {
  let largest = 0;
  for (let k = 0; k < a.length; k++) {
    const size = Math.abs(a[k]);
    // Not the same as size > largest: NaN must not slip through.
    if (!(size <= largest)) largest = size;
    if (!(size < Number.POSITIVE_INFINITY)) {
      throw new NumericError(`${owner}: entry ${k} is ${a[k]}; all must be finite`);
    }
  }
  return largest === 0 ? 0 : 2 ** exponentOf(largest);
}
