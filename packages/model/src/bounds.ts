/** An axis-aligned box. */
export interface Bounds {
  readonly min: readonly [number, number, number];
  readonly max: readonly [number, number, number];
}

/**
 * The axis-aligned bounding box of points.
 *
 * @param positions  n × 3; without points the box is the origin
 * @example
 * {@includeCode ../examples/mesh.ts}
 */
export function boundsOf(positions: ArrayLike<number>): Bounds {
  if (positions.length === 0) return { min: [0, 0, 0], max: [0, 0, 0] };
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < positions.length; k++) {
    min[k % 3] = Math.min(min[k % 3], positions[k]);
    max[k % 3] = Math.max(max[k % 3], positions[k]);
  }
  return { min, max };
}

/**
 * The length of the diagonal of a box: the size of a model that tolerances are relative to.
 * @example
 * {@includeCode ../examples/mesh.ts}
 */
export function diagonalOf({ min, max }: Bounds): number {
  return Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
}

/**
 * The centre of a box.
 * @example
 * {@includeCode ../examples/mesh.ts}
 */
export function centerOf({ min, max }: Bounds): [number, number, number] {
  return [0.5 * (min[0] + max[0]), 0.5 * (min[1] + max[1]), 0.5 * (min[2] + max[2])];
}
