/** `--max-error`: how much error a rig may have, as an E_RMS. */
import { enclosingBall } from '@pelt/math';
import { boundsOf, diagonalOf, UsageError } from '@pelt/model';
import { LENGTH_UNITS } from '../request/shared-options.ts';

/**
 * A number is E_RMS itself: the root mean square of coordinates, in thousandths of the rest pose's radius. A length
 * (`2mm`) is the root mean square distance of a vertex; `5%` is growth over the error that the rig has.
 *
 * @param rest    n × 3
 * @param before  E_RMS that growth is over
 */
export function eRmsLimit(limit: number | string, rest: Float32Array, before = 0): number {
  if (typeof limit === 'number') return limit;
  const value = Number.parseFloat(limit);
  const unit = limit.replace(/^[\s\d.]+([eE][+-]?\d+)?/, '').trim();
  if (unit !== '%') return (1000 * value * LENGTH_UNITS[unit]) / (Math.sqrt(3) * (enclosingBall(rest).radius || 1));
  if (before > 0) return before * (1 + value / 100);
  throw new UsageError(
    `${limit} of no error is none: without example shapes the rig is its own truth; give an E_RMS or a length`,
  );
}

/** An E_RMS as the root mean square distance of a vertex, as a share of the box's diagonal. */
export function shareOfDiagonal(eRms: number, rest: Float32Array): number {
  const diagonal = diagonalOf(boundsOf(rest)) || 1;
  return (Math.sqrt(3) * (eRms / 1000) * (enclosingBall(rest).radius || 1)) / diagonal;
}
