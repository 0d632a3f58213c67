/** Closed surfaces of the tests, made by plain functions. */
import type { Mesh } from '@pelt/model';

export function meshOf(name: string, positions: ArrayLike<number>, triangles: ArrayLike<number>): Mesh {
  return { name, positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/** The cube [0, 1]³ of 12 triangles, on eight cospherical corners. */
export function cube(offset: readonly number[] = [0, 0, 0], edge = 1): Mesh {
  const positions: number[] = [];
  for (let k = 0; k < 8; k++) {
    for (let axis = 0; axis < 3; axis++) positions.push(offset[axis] + edge * ((k >> axis) & 1));
  }
  const quads = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ];
  return meshOf(
    'cube',
    positions,
    quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]),
  );
}

/** A sphere by subdivision of the icosahedron: 10 · 4^level + 2 vertices. */
export function sphere(level: number, radius = 1, center: readonly number[] = [0, 0, 0]): Mesh {
  const g = (1 + Math.sqrt(5)) / 2;
  const points: number[][] = [];
  for (const s of [1, -1]) for (const t of [g, -g]) points.push([0, s, t], [s, t, 0], [t, 0, s]);
  let triangles: number[][] = [];
  const near = (a: number[], b: number[]) => Math.abs(Math.hypot(...a.map((value, k) => value - b[k])) - 2) < 1e-9;
  for (let a = 0; a < 12; a++) {
    for (let b = a + 1; b < 12; b++) {
      for (let c = b + 1; c < 12; c++) {
        if (!near(points[a], points[b]) || !near(points[b], points[c]) || !near(points[c], points[a])) continue;
        const [p, q, r] = [points[a], points[b], points[c]];
        const det =
          p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) + p[2] * (q[0] * r[1] - q[1] * r[0]);
        triangles.push(det > 0 ? [a, b, c] : [a, c, b]);
      }
    }
  }
  for (let round = 0; round < level; round++) {
    const middles = new Map<string, number>();
    const middle = (a: number, b: number) => {
      const key = a < b ? `${a} ${b}` : `${b} ${a}`;
      const known = middles.get(key);
      if (known !== undefined) return known;
      points.push(points[a].map((value, k) => 0.5 * (value + points[b][k])));
      middles.set(key, points.length - 1);
      return points.length - 1;
    };
    triangles = triangles.flatMap(([a, b, c]) => {
      const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
      return [
        [a, ab, ca],
        [ab, b, bc],
        [ca, bc, c],
        [ab, bc, ca],
      ];
    });
    for (const point of points) {
      const length = Math.hypot(...point);
      for (let axis = 0; axis < 3; axis++) point[axis] /= length;
    }
  }
  return meshOf(
    'sphere',
    points.flatMap((point) => point.map((value, axis) => center[axis] + (radius * value) / Math.hypot(...point))),
    triangles.flat(),
  );
}

/** A torus about the z axis. */
export function torus(rings: number, sides: number, major = 1, minor = 0.3): Mesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let r = 0; r < rings; r++) {
    for (let s = 0; s < sides; s++) {
      const [u, v] = [(2 * Math.PI * r) / rings, (2 * Math.PI * s) / sides];
      const distance = major + minor * Math.cos(v);
      positions.push(distance * Math.cos(u), distance * Math.sin(u), minor * Math.sin(v));
      const at = (i: number, j: number) => (i % rings) * sides + (j % sides);
      triangles.push(at(r, s), at(r + 1, s), at(r + 1, s + 1), at(r, s), at(r + 1, s + 1), at(r, s + 1));
    }
  }
  return meshOf('torus', positions, triangles);
}

/** Several meshes as one; `inward` shells are turned inside out. */
export function joined(meshes: readonly Mesh[], inward: readonly number[] = []): Mesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  meshes.forEach((mesh, k) => {
    const first = positions.length / 3;
    positions.push(...mesh.positions);
    for (let t = 0; t < mesh.triangles.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((corner) => first + mesh.triangles[t + corner]);
      triangles.push(...(inward.includes(k) ? [a, c, b] : [a, b, c]));
    }
  });
  return meshOf('joined', positions, triangles);
}

/** Volume enclosed by a closed surface. */
export function enclosedVolume(mesh: Mesh): number {
  let sum = 0;
  const p = mesh.positions;
  for (let t = 0; t < mesh.triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((corner) => 3 * mesh.triangles[t + corner]);
    sum +=
      p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]) +
      p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2]) +
      p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]);
  }
  return sum / 6;
}
