import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Ball, enclosingBall } from '../../src/geometry/enclosing-ball.ts';

/** Every circumscribed ball of one to four points that holds all points, tried in turn: slow, plain, independent. */
function bruteForceRadius(points: Float64Array): number {
  const n = points.length / 3;
  const at = (i: number) => [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
  let best = Number.POSITIVE_INFINITY;
  const tryCenter = (c: number[]) => {
    let radius = 0;
    for (let i = 0; i < n; i++) radius = Math.max(radius, Math.hypot(...at(i).map((x, k) => x - c[k])));
    best = Math.min(best, radius);
  };
  for (let a = 0; a < n; a++) {
    tryCenter(at(a));
    for (let b = 0; b < a; b++) {
      tryCenter(at(a).map((x, k) => (x + at(b)[k]) / 2));
      for (let c = 0; c < b; c++) {
        const three = circumcenterOfTriangle(at(a), at(b), at(c));
        if (three) tryCenter(three);
        for (let d = 0; d < c; d++) {
          const four = circumcenterOfTetrahedron(at(a), at(b), at(c), at(d));
          if (four) tryCenter(four);
        }
      }
    }
  }
  return best;
}

const minus = (a: number[], b: number[]) => a.map((x, k) => x - b[k]);
const dot = (a: number[], b: number[]) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: number[], b: number[]) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

function circumcenterOfTriangle(a: number[], b: number[], c: number[]): number[] | undefined {
  const u = minus(b, a);
  const v = minus(c, a);
  const w = cross(u, v);
  const denominator = 2 * dot(w, w);
  if (denominator === 0) return undefined;
  const first = cross(v, w).map((x) => x * dot(u, u));
  const second = cross(w, u).map((x) => x * dot(v, v));
  return a.map((x, k) => x + (first[k] + second[k]) / denominator);
}

function circumcenterOfTetrahedron(a: number[], b: number[], c: number[], d: number[]): number[] | undefined {
  const [u, v, w] = [minus(b, a), minus(c, a), minus(d, a)];
  const denominator = 2 * dot(u, cross(v, w));
  if (denominator === 0) return undefined;
  const [p, q, r] = [cross(v, w), cross(w, u), cross(u, v)];
  return a.map((x, k) => x + (dot(u, u) * p[k] + dot(v, v) * q[k] + dot(w, w) * r[k]) / denominator);
}

/** The points inside, and the radius not larger than the brute-force one. */
function expectMinimal(points: Float64Array, ball: Ball): void {
  let size = 0;
  for (let k = 0; k < points.length; k += 3) {
    const distance = Math.hypot(...[0, 1, 2].map((c) => points[k + c] - ball.center[c]));
    expect(distance).toBeLessThanOrEqual(ball.radius * (1 + 1e-12));
    size = Math.max(size, Math.abs(points[k]), Math.abs(points[k + 1]), Math.abs(points[k + 2]));
  }
  expect(Math.abs(ball.radius - bruteForceRadius(points))).toBeLessThanOrEqual(1e-9 * size);
}

describe('enclosingBall', () => {
  it('is the point itself for one point, and nothing for none', () => {
    expect(enclosingBall(new Float32Array([3, -2, 7]))).toEqual({ center: [3, -2, 7], radius: 0 });
    expect(enclosingBall(new Float32Array())).toEqual({ center: [0, 0, 0], radius: 0 });
  });

  it('is decided by two, three or four points in hand-made cases', () => {
    // two ends of a diameter, the third inside
    const pair = enclosingBall(new Float64Array([-1, 0, 0, 1, 0, 0, 0, 0.5, 0.2]));
    expect(pair.center[0]).toBeCloseTo(0, 14);
    expect(pair.radius).toBeCloseTo(1, 14);
    // equilateral triangle of side 2: circumradius 2/√3
    const triangle = enclosingBall(new Float64Array([0, 0, 0, 2, 0, 0, 1, Math.sqrt(3), 0]));
    expect(triangle.radius).toBeCloseTo(2 / Math.sqrt(3), 13);
    // obtuse triangle: the long side alone decides
    expect(enclosingBall(new Float64Array([0, 0, 0, 4, 0, 0, 2, 0.1, 0])).radius).toBeCloseTo(2, 14);
    // regular tetrahedron on alternate corners of the cube ±1
    const tetrahedron = enclosingBall(new Float64Array([1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1]));
    expect(tetrahedron.radius).toBeCloseTo(Math.sqrt(3), 13);
    for (const c of tetrahedron.center) expect(c).toBeCloseTo(0, 13);
  });

  it('takes duplicates, collinear, coplanar and cospherical points', () => {
    expect(enclosingBall(new Float64Array(30).fill(4)).radius).toBe(0);
    const line = Float64Array.from({ length: 60 }, (_, k) => Math.floor(k / 3) * 0.1);
    expectMinimal(line, enclosingBall(line));
    const circle = Float64Array.from({ length: 36 }, (_, k) =>
      k % 3 === 2 ? 5 : k % 3 === 0 ? Math.cos((k * Math.PI) / 18) : Math.sin(((k - 1) * Math.PI) / 18),
    );
    expect(enclosingBall(circle).radius).toBeCloseTo(1, 12);
    const cube = Float64Array.from({ length: 24 }, (_, k) => ((Math.floor(k / 3) >> (k % 3)) & 1 ? 1 : -1));
    expect(enclosingBall(cube).radius).toBeCloseTo(Math.sqrt(3), 13);
  });

  it('agrees with brute force on generated points, degenerate ones included', () => {
    const grid = fc.integer({ min: -3, max: 3 });
    const real = fc.float({ min: -1, max: 1, noNaN: true });
    const coordinates = fc.oneof(
      fc.array(fc.tuple(grid, grid, grid), { minLength: 1, maxLength: 9 }),
      fc.array(fc.tuple(real, real, real), { minLength: 1, maxLength: 9 }),
      fc.array(fc.tuple(real, real, fc.constant(0.25)), { minLength: 1, maxLength: 9 }),
    );
    fc.assert(
      fc.property(coordinates, (list) => {
        const points = Float64Array.from(list.flat());
        expectMinimal(points, enclosingBall(points));
      }),
      { numRuns: 1000, seed: 7 },
    );
  });

  it.each([1e6, 1e-6])('scales with the points (×%d), wherever they lie', (scale) => {
    const points = scattered(200);
    const ball = enclosingBall(points);
    const scaled = enclosingBall(points.map((x) => x * scale));
    expect(scaled.radius / (ball.radius * scale)).toBeCloseTo(1, 12);
    const moved = enclosingBall(points.map((x, k) => x + [1000, -2000, 500][k % 3]));
    expect(moved.radius / ball.radius).toBeCloseTo(1, 9);
  });

  it('does not depend on the order of the points, beyond the last digits', () => {
    const points = scattered(500);
    const reversed = new Float64Array(points.length);
    for (let i = 0; i < 500; i++) reversed.set(points.subarray(3 * i, 3 * i + 3), 3 * (499 - i));
    expect(enclosingBall(reversed).radius / enclosingBall(points).radius).toBeCloseTo(1, 12);
  });

  it('finds the unit sphere under 42 000 points on it', () => {
    const points = scattered(42_000);
    for (let k = 0; k < points.length; k += 3) {
      const length = Math.hypot(points[k], points[k + 1], points[k + 2]);
      for (let c = 0; c < 3; c++) points[k + c] /= length;
    }
    expect(enclosingBall(points).radius).toBeCloseTo(1, 6);
  });
});

/** Points of a fixed low-discrepancy sequence in the box ±(1, 0.7, 0.4). */
function scattered(n: number): Float64Array {
  const points = new Float64Array(3 * n);
  for (let i = 0; i < n; i++) {
    points[3 * i] = 2 * ((0.819172513 * (i + 1)) % 1) - 1;
    points[3 * i + 1] = 0.7 * (2 * ((0.671043607 * (i + 1)) % 1) - 1);
    points[3 * i + 2] = 0.4 * (2 * ((0.5497004779 * (i + 1)) % 1) - 1);
  }
  return points;
}
