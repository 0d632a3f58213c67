/**
 * The vertices that stick out most: far from the middle and from each other. Hands, feet and heads, mostly: what a person
 * would take hold of.
 *
 * @param positions  n × 3
 */
export function extremities(positions: Float32Array, count: number): number[] {
  const n = positions.length / 3;
  const squared = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
  const relax = (x: number, y: number, z: number) => {
    for (let i = 0; i < n; i++) {
      const away = (positions[3 * i] - x) ** 2 + (positions[3 * i + 1] - y) ** 2 + (positions[3 * i + 2] - z) ** 2;
      squared[i] = Math.min(squared[i], away);
    }
  };
  const middle = [0, 0, 0];
  for (let k = 0; k < positions.length; k++) middle[k % 3] += positions[k] / n;
  relax(middle[0], middle[1], middle[2]);
  return Array.from({ length: count }, () => {
    let farthest = 0;
    for (let i = 1; i < n; i++) if (squared[i] > squared[farthest]) farthest = i;
    relax(positions[3 * farthest], positions[3 * farthest + 1], positions[3 * farthest + 2]);
    return farthest;
  });
}
