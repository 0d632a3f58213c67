/**
 * Farthest-point sampling: the next vertex is the one farthest from all before, so that the first few are the ends of a
 * character's limbs. Distances are straight ones at rest, which also reach parts that are not connected.
 */

/** Positions by vertex, such as a `BufferAttribute`. */
interface Points {
  readonly count: number;
  getX(i: number): number;
  getY(i: number): number;
  getZ(i: number): number;
}

/**
 * @param points  n positions
 * @param from    the vertex that the others are far from
 * @returns at most `count` vertices, the farthest first; fewer where no other position is left
 */
export function farPoints(points: Points, from: number, count: number): number[] {
  const nearest = new Float64Array(points.count).fill(Number.POSITIVE_INFINITY);
  const found: number[] = [];
  for (let last = from; found.length < count; ) {
    const [x, y, z] = [points.getX(last), points.getY(last), points.getZ(last)];
    nearest[last] = 0;
    let farthest = last;
    for (let i = 0; i < points.count; i++) {
      const squared = (points.getX(i) - x) ** 2 + (points.getY(i) - y) ** 2 + (points.getZ(i) - z) ** 2;
      if (squared < nearest[i]) nearest[i] = squared;
      if (nearest[i] > nearest[farthest]) farthest = i;
    }
    if (nearest[farthest] === 0) break;
    found.push(farthest);
    last = farthest;
  }
  return found;
}
