/**
 * The length of the vector of three numbers at index `at`.
 * @example
 * {@includeCode ../../examples/transforms.ts}
 */
export function length3(v: ArrayLike<number>, at: number): number {
  return Math.sqrt(v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2]);
}

/**
 * The distance between two points of three numbers each.
 * @example
 * {@includeCode ../../examples/transforms.ts}
 */
export function distance3(a: ArrayLike<number>, aAt: number, b: ArrayLike<number>, bAt: number): number {
  const x = a[aAt] - b[bAt];
  const y = a[aAt + 1] - b[bAt + 1];
  const z = a[aAt + 2] - b[bAt + 2];
  return Math.sqrt(x * x + y * y + z * z);
}

/**
 * The normal of a triangle, twice its area long: (b − a) × (c − a).
 *
 * @param positions  n × 3
 * @param out        3, from index `at`
 * @example
 * {@includeCode ../../examples/transforms.ts}
 */
export function triangleNormal(
  positions: ArrayLike<number>,
  a: number,
  b: number,
  c: number,
  out: Float64Array,
  at: number,
): void {
  const x = positions[3 * a];
  const y = positions[3 * a + 1];
  const z = positions[3 * a + 2];
  const ux = positions[3 * b] - x;
  const uy = positions[3 * b + 1] - y;
  const uz = positions[3 * b + 2] - z;
  const vx = positions[3 * c] - x;
  const vy = positions[3 * c + 1] - y;
  const vz = positions[3 * c + 2] - z;
  out[at] = uy * vz - uz * vy;
  out[at + 1] = uz * vx - ux * vz;
  out[at + 2] = ux * vy - uy * vx;
}
