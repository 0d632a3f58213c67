/**
 * Vertices that are spread over a mesh: each is the farthest from those before it, the first the farthest from the middle.
 *
 * @param positions  n × 3
 */
export function spreadVertices(positions: ArrayLike<number>, count: number): number[] {
  const n = positions.length / 3;
  const middle = [0, 1, 2].map((c) => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += positions[3 * i + c];
    return sum / Math.max(1, n);
  });
  const apart = (i: number, [x, y, z]: ArrayLike<number> & Iterable<number>) =>
    (positions[3 * i] - x) ** 2 + (positions[3 * i + 1] - y) ** 2 + (positions[3 * i + 2] - z) ** 2;
  const found: number[] = [];
  const nearest = Float64Array.from({ length: n }, (_, i) => apart(i, middle));
  while (found.length < Math.min(count, n)) {
    let far = 0;
    for (let i = 1; i < n; i++) if (nearest[i] > nearest[far]) far = i;
    if (found.length > 0 && nearest[far] === 0) break;
    if (found.length === 0) nearest.fill(Number.POSITIVE_INFINITY);
    found.push(far);
    const place = [0, 1, 2].map((c) => positions[3 * far + c]);
    for (let i = 0; i < n; i++) nearest[i] = Math.min(nearest[i], apart(i, place));
  }
  return found;
}
