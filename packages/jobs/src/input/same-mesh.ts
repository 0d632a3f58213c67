import { boundsOf } from '@pelt/model';

/** A mesh whose vertices are this near to another's, against the longest side of their box, is the same mesh. */
const SAME_MESH = 1e-3;

/** Whether two lists of n × 3 positions are those of one mesh, in one order. */
export function isSameMesh(a: Float32Array, b: Float32Array): boolean {
  if (a.length !== b.length) return false;
  const { min, max } = boundsOf(b);
  const longest = Math.max(...max.map((value, d) => value - min[d]));
  return a.every((value, k) => Math.abs(value - b[k]) <= SAME_MESH * longest);
}
