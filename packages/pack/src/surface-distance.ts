/**
 * How far the surface of one asset is from that of another with fewer triangles, in the poses of its clips: the distance of
 * each vertex of the first to the nearest triangle of the second, among those that are near to it at rest. A hand that
 * touches a hip in some pose so is not taken for it.
 */
import { FrameBaker, type GltfAsset, STILL, sampleTimes } from '@pelt/io/internal';
import { KdTree } from '@pelt/math';
import { boundsOf, diagonalOf } from '@pelt/model';

export interface SurfaceDistance {
  /** Root mean square and largest distance over vertices and poses, as shares of the diagonal. */
  readonly rms: number;
  readonly max: number;
}

/** Poses in all clips together, and vertices that are measured. */
const [POSES, MOST_VERTICES] = [24, 8000];
/** Points on the other surface, about; those of a side of a triangle; and how many of the nearest are looked at. */
const [POINTS, MOST_STEPS, NEAREST] = [30_000, 24, 12];

/**
 * Measures the distance of a surface to one with fewer triangles over the poses of all clips.
 *
 * @param before  whose vertices are measured
 * @param after   whose triangles they are measured to; its animations are those of `before`
 * @example
 * {@includeCode ../examples/lods.ts}
 */
export function surfaceDistance(before: GltfAsset, after: GltfAsset): SurfaceDistance {
  const used = usedVertices(before.mesh.triangles);
  const step = Math.max(1, Math.ceil(used.length / MOST_VERTICES));
  const measured = used.filter((_, k) => k % step === 0);
  const near = nearTriangles(before.mesh.positions, measured, after);
  const [a, b] = [new Float32Array(before.mesh.positions.length), new Float32Array(after.mesh.positions.length)];
  const [own, other] = [new FrameBaker(before), new FrameBaker(after)];
  const moments = before.animations.flatMap((animation, clip) => {
    const times = sampleTimes(before.scene, animation, undefined);
    const count = Math.max(2, Math.floor(POSES / before.animations.length));
    return Array.from({ length: count }, (_, k) => ({
      clip,
      time: times[Math.floor(((k + 0.5) * times.length) / count)],
    }));
  });
  let [sum, max] = [0, 0];
  const all = moments.length > 0 ? moments : [{ clip: -1, time: 0 }];
  for (const { clip, time } of all) {
    own.bake(before.animations[clip] ?? STILL, time, a);
    other.bake(after.animations[clip] ?? STILL, time, b);
    for (let k = 0; k < measured.length; k++) {
      let least = Number.POSITIVE_INFINITY;
      for (const f of near[k])
        least = Math.min(least, triangleDistance(a, 3 * measured[k], b, after.mesh.triangles, 3 * f));
      sum += least;
      max = Math.max(max, least);
    }
  }
  const size = diagonalOf(boundsOf(before.mesh.positions)) || 1;
  return { rms: Math.sqrt(sum / Math.max(all.length * measured.length, 1)) / size, max: Math.sqrt(max) / size };
}

function usedVertices(triangles: Uint32Array): Uint32Array {
  return Uint32Array.from(new Set(triangles)).sort();
}

/** For each vertex the triangles of the nearest points of the other surface, at rest. */
function nearTriangles(positions: Float32Array, vertices: Uint32Array, { mesh }: GltfAsset): number[][] {
  const { points, owners } = surfacePoints(mesh.positions, mesh.triangles);
  if (owners.length === 0) return Array.from(vertices, () => []);
  const tree = new KdTree(Float32Array.from(points));
  const K = Math.min(NEAREST, owners.length);
  const [index, distance] = [new Uint32Array(K), new Float64Array(K)];
  return Array.from(vertices, (i) => {
    tree.nearest(positions, 3 * i, K, index, distance);
    return [...new Set([...index].map((k) => owners[k]))];
  });
}

/** Points at even distances on all triangles, and the triangle of each: corners alone are far from the middle of a large one. */
function surfacePoints(positions: Float32Array, triangles: Uint32Array): { points: number[]; owners: number[] } {
  const [points, owners]: [number[], number[]] = [[], []];
  const count = triangles.length / 3;
  const sides = Float64Array.from({ length: count }, (_, f) => longestSide(positions, triangles, 3 * f));
  const area = sides.reduce((sum, side) => sum + side * side, 0) / 2;
  const spacing = Math.sqrt(area / POINTS) || 1;
  for (let f = 0; f < count; f++) {
    const steps = Math.min(Math.max(Math.ceil(sides[f] / spacing), 1), MOST_STEPS);
    const [i, j, k] = [3 * triangles[3 * f], 3 * triangles[3 * f + 1], 3 * triangles[3 * f + 2]];
    for (let u = 0; u <= steps; u++) {
      for (let v = 0; u + v <= steps; v++) {
        const [a, b] = [u / steps, v / steps];
        for (let c = 0; c < 3; c++) {
          points.push((1 - a - b) * positions[i + c] + a * positions[j + c] + b * positions[k + c]);
        }
        owners.push(f);
      }
    }
  }
  return { points, owners };
}

function longestSide(positions: Float32Array, triangles: Uint32Array, f: number): number {
  let most = 0;
  for (let e = 0; e < 3; e++) {
    const [i, j] = [3 * triangles[f + e], 3 * triangles[f + ((e + 1) % 3)]];
    let sum = 0;
    for (let c = 0; c < 3; c++) sum += (positions[i + c] - positions[j + c]) ** 2;
    most = Math.max(most, sum);
  }
  return Math.sqrt(most);
}

/** Squared distance of a point to a triangle (Ericson. Real-time collision detection. 2005, 5.1.5). */
function triangleDistance(points: Float32Array, p: number, corners: Float32Array, triangles: Uint32Array, f: number) {
  const [i, j, k] = [3 * triangles[f], 3 * triangles[f + 1], 3 * triangles[f + 2]];
  let [d1, d2, d3, d4, d5, d6] = [0, 0, 0, 0, 0, 0];
  for (let c = 0; c < 3; c++) {
    const [ab, ac] = [corners[j + c] - corners[i + c], corners[k + c] - corners[i + c]];
    d1 += ab * (points[p + c] - corners[i + c]);
    d2 += ac * (points[p + c] - corners[i + c]);
    d3 += ab * (points[p + c] - corners[j + c]);
    d4 += ac * (points[p + c] - corners[j + c]);
    d5 += ab * (points[p + c] - corners[k + c]);
    d6 += ac * (points[p + c] - corners[k + c]);
  }
  const [v, w] = nearestShares(d1, d2, d3, d4, d5, d6);
  let sum = 0;
  for (let c = 0; c < 3; c++) {
    const at = (1 - v - w) * corners[i + c] + v * corners[j + c] + w * corners[k + c];
    sum += (points[p + c] - at) ** 2;
  }
  return sum;
}

/** Barycentric coordinates of the second and third corner, by the region of the triangle that the point is nearest to. */
function nearestShares(d1: number, d2: number, d3: number, d4: number, d5: number, d6: number): [number, number] {
  if (d1 <= 0 && d2 <= 0) return [0, 0];
  if (d3 >= 0 && d4 <= d3) return [1, 0];
  if (d6 >= 0 && d5 <= d6) return [0, 1];
  const vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return [d1 / (d1 - d3 || 1), 0];
  const vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return [0, d2 / (d2 - d6 || 1)];
  const va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const w = (d4 - d3) / (d4 - d3 + (d5 - d6) || 1);
    return [1 - w, w];
  }
  const all = va + vb + vc || 1;
  return [vb / all, vc / all];
}
