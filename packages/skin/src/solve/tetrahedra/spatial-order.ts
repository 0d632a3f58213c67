/**
 * Orders of points in space: along a curve on which neighbours are near each other, and that curve in rounds, the early
 * ones spread over all of space:
 * incremental Delaunay insertion then walks a constant number of tetrahedra and never builds a bad intermediate.
 *
 * References: Amenta, Choi, Rote. Incremental constructions con BRIO. 2003 (rounds of doubling size).
 * Skilling. Programming the Hilbert curve. 2004 (axes to transposed index).
 */

/** Bits of each axis in the Hilbert index: 2³⁰ cells, far finer than any round of points. */
const BITS = 10;
/** The last round holds half of the points, the one before a quarter, …; the first about this many. */
const FIRST_ROUND = 64;

/**
 * Rounds of doubling size, each along the Hilbert curve.
 *
 * @param points  3 numbers a point
 * @param first   the points [first, first + count) are ordered
 * @returns       count indices of points
 */
export function insertionOrder(points: Float64Array, first: number, count: number): Uint32Array {
  const rounds = Math.max(Math.ceil(Math.log2(Math.max(count, 1) / FIRST_ROUND)), 0);
  const keys = hilbertKeys(points, first, count);
  for (let k = 0; k < count; k++) keys[k] += (rounds - Math.min(Math.clz32(mix(k)), rounds)) * 2 ** (3 * BITS);
  return sortedBy(keys, first);
}

/** The points [first, first + count) along the Hilbert curve. */
export function hilbertOrder(points: Float64Array, first: number, count: number): Uint32Array {
  return sortedBy(hilbertKeys(points, first, count), first);
}

function sortedBy(keys: Float64Array, first: number): Uint32Array {
  const order = Uint32Array.from(keys, (_, k) => k);
  order.sort((a, b) => keys[a] - keys[b] || a - b);
  return order.map((k) => k + first);
}

function hilbertKeys(points: Float64Array, first: number, count: number): Float64Array {
  const lows = [0, 0, 0];
  let extent = 0;
  for (let axis = 0; axis < 3; axis++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = first; i < first + count; i++) {
      low = Math.min(low, points[3 * i + axis]);
      high = Math.max(high, points[3 * i + axis]);
    }
    lows[axis] = low;
    extent = Math.max(extent, high - low);
  }
  const scale = extent > 0 ? (2 ** BITS - 1) / extent : 0;
  const keys = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    const p = 3 * (first + k);
    keys[k] = hilbertIndex(
      Math.floor((points[p] - lows[0]) * scale),
      Math.floor((points[p + 1] - lows[1]) * scale),
      Math.floor((points[p + 2] - lows[2]) * scale),
    );
  }
  return keys;
}

/** A well-mixed 32-bit word for each index: the coin tosses that put a point into its round. */
function mix(index: number): number {
  let x = Math.imul(index ^ (index >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
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
