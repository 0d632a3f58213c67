/**
 * Limits that leave trained values alone: the identity up to `KNEE` times the trained maximum, then smoothly flat below
 * `CEILING` times. A hyperbolic tangent over the whole range was tried: it bends what was trained, and the error rises.
 */
const KNEE = 1.2;
const CEILING = 1.8;

/** The factor by which a value of this size is multiplied, `most` the trained maximum. */
export function kneeFactor(size: number, most: number): number {
  if (size <= KNEE * most) return 1;
  if (most <= 0) return 0;
  const over = size / most - KNEE;
  const room = CEILING - KNEE;
  return ((KNEE + (room * over) / (room + over)) * most) / size;
}
