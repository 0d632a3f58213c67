/**
 * How rough a surface has become: the root mean square of what its edges are bent by, in degrees, beyond how they are bent
 * at rest. Smooth bending of a limb spreads over many edges and counts little; dents and creases are a few edges that are
 * bent far.
 */

/** Edges between two triangles, each by its two vertices and the two opposite ones. */
export type Hinges = Int32Array;

/**
 * @param triangles  f × 3
 * @param same       for each vertex the first one at its place: seams of a file are no edges
 */
export function hingesOf(triangles: ArrayLike<number>, same: ArrayLike<number>): Hinges {
  const open = new Map<number, number>();
  const hinges: number[] = [];
  const most = Math.max(0, ...Array.from(same)) + 1;
  for (let k = 0; k < triangles.length; k += 3) {
    const corners = [0, 1, 2].map((c) => same[triangles[k + c]]);
    for (let c = 0; c < 3; c++) {
      const [a, b, opposite] = [corners[c], corners[(c + 1) % 3], corners[(c + 2) % 3]];
      // The neighbour has the edge the other way round.
      const other = open.get(b * most + a);
      if (other === undefined) open.set(a * most + b, opposite);
      else hinges.push(a, b, opposite, other);
    }
  }
  return Int32Array.from(hinges);
}

/**
 * For each vertex the first one at exactly its place.
 *
 * @param places  n × 3
 */
export function firstAtPlace(places: ArrayLike<number>): Int32Array {
  const seen = new Map<string, number>();
  return Int32Array.from({ length: places.length / 3 }, (_, i) => {
    const key = `${places[3 * i]} ${places[3 * i + 1]} ${places[3 * i + 2]}`;
    const first = seen.get(key) ?? i;
    seen.set(key, first);
    return first;
  });
}

/** Degrees. @param rest  n × 3, as `places` */
export function roughness(hinges: Hinges, rest: ArrayLike<number>, places: ArrayLike<number>): number {
  let [sum, count] = [0, 0];
  for (let k = 0; k < hinges.length; k += 4) {
    const change = angleOf(hinges, k, places) - angleOf(hinges, k, rest);
    if (Number.isNaN(change)) continue;
    const least = change - 2 * Math.PI * Math.round(change / (2 * Math.PI));
    sum += least * least;
    count++;
  }
  return (180 / Math.PI) * Math.sqrt(sum / Math.max(1, count));
}

/** By how much an edge is bent, from −π to π; NaN at a triangle without an area. */
function angleOf(hinges: Hinges, k: number, at: ArrayLike<number>): number {
  const [a, b, c, d] = [3 * hinges[k], 3 * hinges[k + 1], 3 * hinges[k + 2], 3 * hinges[k + 3]];
  const [ex, ey, ez] = [at[b] - at[a], at[b + 1] - at[a + 1], at[b + 2] - at[a + 2]];
  const [ux, uy, uz] = [at[c] - at[a], at[c + 1] - at[a + 1], at[c + 2] - at[a + 2]];
  const [vx, vy, vz] = [at[d] - at[a], at[d + 1] - at[a + 1], at[d + 2] - at[a + 2]];
  const [mx, my, mz] = [ey * uz - ez * uy, ez * ux - ex * uz, ex * uy - ey * ux];
  const [nx, ny, nz] = [vy * ez - vz * ey, vz * ex - vx * ez, vx * ey - vy * ex];
  const length = Math.hypot(ex, ey, ez);
  const sine = ((my * nz - mz * ny) * ex + (mz * nx - mx * nz) * ey + (mx * ny - my * nx) * ez) / length;
  const cosine = mx * nx + my * ny + mz * nz;
  return sine === 0 && cosine === 0 ? Number.NaN : Math.atan2(sine, cosine);
}
