/**
 * Refines a surface by splitting every triangle into four at the midpoints of its edges. Where a body is only two or three
 * edges thick, its surface cannot follow a bend, and zigzags from vertex to vertex.
 */

/**
 * @param positions  n × 3
 * @param triangles  f × 3
 * @returns          the given vertices followed by one per edge (float32 values), and 4 f triangles
 */
export function refineSurface(
  positions: Float64Array,
  triangles: Uint32Array,
): { positions: Float64Array; triangles: Uint32Array } {
  const n = positions.length / 3;
  const middles = new Map<number, number>();
  const added: number[] = [];
  const middle = (a: number, b: number) => {
    const key = Math.min(a, b) * n + Math.max(a, b);
    let found = middles.get(key);
    if (found === undefined) {
      found = n + middles.size;
      middles.set(key, found);
      for (let axis = 0; axis < 3; axis++)
        added.push(Math.fround(0.5 * (positions[3 * a + axis] + positions[3 * b + axis])));
    }
    return found;
  };
  const result = new Uint32Array(4 * triangles.length);
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = triangles.subarray(k, k + 3);
    const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
    result.set([a, ab, ca, b, bc, ab, c, ca, bc, ab, bc, ca], 4 * k);
  }
  const all = new Float64Array(positions.length + added.length);
  all.set(positions);
  all.set(added, positions.length);
  return { positions: all, triangles: result };
}
