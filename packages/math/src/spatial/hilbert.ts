/**
 * Points along a Hilbert curve, on which neighbours are near each other in space: work that goes along it finds its data
 * in the cache.
 *
 * Reference: Skilling. Programming the Hilbert curve. 2004 (axes to transposed index).
 */

/** Bits of each axis in the index: 2³⁰ cells. */
const BITS = 10;
/** One more than the largest key. */
export const HILBERT_KEYS = 2 ** (3 * BITS);

/**
 * The points in the order of a Hilbert curve, equal ones by index.
 *
 * @param points  n × 3, finite
 * @example
 * {@includeCode ../../examples/points.ts}
 */
export function hilbertOrder(points: Float64Array): Uint32Array {
  const keys = hilbertKeys(points);
  const order = Uint32Array.from(keys, (_, k) => k);
  return order.sort((a, b) => keys[a] - keys[b] || a - b);
}

/**
 * The position of each point on a Hilbert curve through their bounding cube, 0 to `HILBERT_KEYS` − 1.
 *
 * @param points  n × 3, finite
 * @example
 * {@includeCode ../../examples/points.ts}
 */
export function hilbertKeys(points: Float64Array): Float64Array {
  const count = points.length / 3;
  const lows = [0, 0, 0];
  let extent = 0;
  for (let axis = 0; axis < 3; axis++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      low = Math.min(low, points[3 * i + axis]);
      high = Math.max(high, points[3 * i + axis]);
    }
    lows[axis] = low;
    extent = Math.max(extent, high - low);
  }
  const scale = extent > 0 ? (2 ** BITS - 1) / extent : 0;
  const keys = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    const p = 3 * k;
    keys[k] = hilbertIndex(
      Math.floor((points[p] - lows[0]) * scale),
      Math.floor((points[p + 1] - lows[1]) * scale),
      Math.floor((points[p + 2] - lows[2]) * scale),
    );
  }
  return keys;
}

/** Position of an integer cell along the Hilbert curve. */
function hilbertIndex(x: number, y: number, z: number): number {
  // Undo the curve's rotations from the top bit down; each step exchanges or inverts the lower bits of x.
  for (let q = 1 << (BITS - 1); q > 1; q >>= 1) {
    const mask = q - 1;
    if (x & q) x ^= mask;
    if (y & q) x ^= mask;
    else {
      const t = (x ^ y) & mask;
      x ^= t;
      y ^= t;
    }
    if (z & q) x ^= mask;
    else {
      const t = (x ^ z) & mask;
      x ^= t;
      z ^= t;
    }
  }
  // Gray decoding.
  y ^= x;
  z ^= y;
  let t = 0;
  for (let q = 1 << (BITS - 1); q > 1; q >>= 1) if (z & q) t ^= q - 1;
  x ^= t;
  y ^= t;
  z ^= t;
  let index = 0;
  for (let bit = BITS - 1; bit >= 0; bit--) {
    index = index * 8 + (((x >> bit) & 1) << 2) + (((y >> bit) & 1) << 1) + ((z >> bit) & 1);
  }
  return index;
}
