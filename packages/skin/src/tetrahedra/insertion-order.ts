/**
 * Biased randomised insertion order (BRIO): early points are spread over the whole domain, and consecutive points are near
 * each other, so that incremental Delaunay insertion walks a constant number of tetrahedra.
 *
 * Reference: Amenta, Choi, Rote. Incremental constructions con BRIO. 2003 (rounds of doubling size).
 */
import { exponentAbove, HILBERT_KEYS, hilbertKeys } from '@pelt/math';

/** Points of the first round, about; the last round has half of all points, the one before a quarter, and so on. */
const FIRST_ROUND = 64;

/**
 * Rounds of doubling size, each sorted along the Hilbert curve.
 *
 * @param points  n × 3
 * @returns       n indices of points
 */
export function insertionOrder(points: Float64Array): Uint32Array {
  const keys = hilbertKeys(points);
  const rounds = Math.max(exponentAbove(Math.max(keys.length, 1) / FIRST_ROUND), 0);
  for (let k = 0; k < keys.length; k++) keys[k] += (rounds - Math.min(Math.clz32(mix(k)), rounds)) * HILBERT_KEYS;
  const order = Uint32Array.from(keys, (_, k) => k);
  return order.sort((a, b) => keys[a] - keys[b] || a - b);
}

/** A 32-bit hash of the index: the coin tosses that assign a point to its round. */
function mix(index: number): number {
  let x = Math.imul(index ^ (index >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}
