/**
 * Farthest-point sampling: the next vertex is the one farthest from all before, so that the first few are the ends of a
 * character's limbs. Distances are straight ones at rest, which also reach parts that are not connected.
 */

/**
 * @param positions  n × 3
 * @param from       the vertex that the others are far from
 * @returns at most `count` vertices, the farthest first; fewer where no other position is left
 */
export function farPoints(positions: Float32Array, from: number, count: number): number[] {
  const n = positions.length / 3;
  const nearest = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
  const found: number[] = [];
  for (let last = from; found.length < count; ) {
    const [x, y, z] = positions.subarray(3 * last, 3 * last + 3);
    nearest[last] = 0;
    let farthest = last;
    for (let i = 0; i < n; i++) {
      const [dx, dy, dz] = [positions[3 * i] - x, positions[3 * i + 1] - y, positions[3 * i + 2] - z];
      nearest[i] = Math.min(nearest[i], dx * dx + dy * dy + dz * dz);
      if (nearest[i] > nearest[farthest]) farthest = i;
    }
    if (nearest[farthest] === 0) break;
    found.push(farthest);
    last = farthest;
  }
  return found;
}
