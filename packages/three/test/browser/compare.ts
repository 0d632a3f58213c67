/** How far two shapes are apart, in sizes of the model and in degrees. */
import { type Mesh, vertexNormals } from '@pelt/model';

export function diagonalOf({ positions }: Mesh): number {
  const spans = [0, 1, 2].map((c) => {
    let [low, high] = [Infinity, -Infinity];
    for (let k = c; k < positions.length; k += 3) {
      low = Math.min(low, positions[k]);
      high = Math.max(high, positions[k]);
    }
    return high - low;
  });
  return Math.hypot(...spans);
}

/** The farthest that any vertex is, over the diagonal of the rest pose. */
export function farthest(mesh: Mesh, a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) throw new Error(`${a.length} numbers against ${b.length}`);
  let most = 0;
  for (let k = 0; k < a.length; k += 3) {
    const apart = Math.hypot(a[k] - b[k], a[k + 1] - b[k + 1], a[k + 2] - b[k + 2]);
    // A vertex that was not drawn is NaN, which no comparison would notice.
    if (!(apart <= most)) most = apart;
  }
  return most / diagonalOf(mesh);
}

/** Area-weighted normals of a posed mesh; vertices at one place at rest are one. */
export function weldedNormals({ positions: rest, triangles }: Mesh, posed: Float32Array): Float64Array {
  const places = new Map<string, number>();
  const first = Uint32Array.from({ length: rest.length / 3 }, (_, i) => {
    const key = rest.subarray(3 * i, 3 * i + 3).join();
    if (!places.has(key)) places.set(key, i);
    return places.get(key) as number;
  });
  const normals = vertexNormals(
    posed,
    triangles.map((i) => first[i]),
    new Float64Array(rest.length),
  );
  return Float64Array.from(normals, (_, k) => normals[3 * first[Math.floor(k / 3)] + (k % 3)]);
}

/** The largest angle between two fields of directions, in degrees. */
export function widestAngle(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let widest = 0;
  for (let k = 0; k < a.length; k += 3) {
    const [x, y, z] = [a[k], a[k + 1], a[k + 2]];
    const [u, v, w] = [b[k], b[k + 1], b[k + 2]];
    const sine = Math.hypot(y * w - z * v, z * u - x * w, x * v - y * u);
    const angle = (Math.atan2(sine, x * u + y * v + z * w) * 180) / Math.PI;
    if (!(angle <= widest)) widest = angle;
  }
  return widest;
}
