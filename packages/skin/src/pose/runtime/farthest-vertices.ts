/**
 * Vertices far from the middle and from each other: the ends of a body first.
 *
 * @param positions  n × 3
 */
export function farthestVertices(positions: Float32Array, most: number): number[] {
  const n = positions.length / 3;
  const squares = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
  const middle = [0, 0, 0];
  for (let k = 0; k < positions.length; k++) middle[k % 3] += positions[k] / n;
  const out: number[] = [];
  let [x, y, z] = middle;
  while (out.length < Math.min(most, n)) {
    let farthest = 0;
    for (let i = 0; i < n; i++) {
      const away = (positions[3 * i] - x) ** 2 + (positions[3 * i + 1] - y) ** 2 + (positions[3 * i + 2] - z) ** 2;
      squares[i] = Math.min(squares[i], away);
      if (squares[i] > squares[farthest]) farthest = i;
    }
    out.push(farthest);
    [x, y, z] = [positions[3 * farthest], positions[3 * farthest + 1], positions[3 * farthest + 2]];
  }
  return out;
}
