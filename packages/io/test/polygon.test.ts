import { UnsupportedError } from '@pelt/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_CONCAVE_CORNERS, PolygonTriangulator } from '../src/polygon.ts';

type Point = readonly [number, number];

/** Triangles of a polygon in the plane z = 0, as corner numbers. */
function cut(points: readonly Point[], place: (point: Point) => number[] = ([x, y]) => [x, y, 0]): number[][] {
  const positions = Float32Array.from(points.flatMap(place));
  const out = new Uint32Array((points.length - 2) * 3).fill(99);
  new PolygonTriangulator('OBJ').triangulate(positions, Uint32Array.from(points.keys()), 0, points.length, out, 0);
  return Array.from({ length: points.length - 2 }, (_, k) => [...out.subarray(k * 3, k * 3 + 3)]);
}

function area([a, b, c]: readonly Point[]): number {
  return ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
}

function polygonArea(points: readonly Point[]): number {
  return points.reduce((sum, [x, y], k) => {
    const [nextX, nextY] = points[(k + 1) % points.length];
    return sum + (x * nextY - y * nextX) / 2;
  }, 0);
}

/** All triangles wound like the polygon, their areas adding up to its own: so they neither overlap nor leave it. */
function expectExactCover(points: readonly Point[], triangles: readonly (readonly number[])[]): void {
  const areas = triangles.map((triangle) => area(triangle.map((k) => points[k])));
  const whole = polygonArea(points);
  expect(Math.min(...areas.map((part) => part * Math.sign(whole)))).toBeGreaterThanOrEqual(0);
  expect(areas.reduce((sum, part) => sum + part, 0)).toBeCloseTo(whole, 4);
  expect(new Set(triangles.flat())).toEqual(new Set(points.keys()));
}

const ARROW: Point[] = [
  [0, 0],
  [2, 1],
  [0, 2],
  [0.5, 1],
];
const COMB: Point[] = [
  [0, 0],
  [7, 0],
  [7, 3],
  [6, 1],
  [5, 3],
  [4, 1],
  [3, 3],
  [2, 1],
  [1, 3],
];

describe('PolygonTriangulator', () => {
  it('leaves a triangle as it is', () => {
    expect(cut(ARROW.slice(0, 3))).toEqual([[0, 1, 2]]);
  });

  it('cuts a square from its first corner', () => {
    const square: Point[] = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ];
    expect(cut(square)).toEqual([
      [0, 1, 2],
      [0, 2, 3],
    ]);
  });

  it('cuts a concave quadrilateral through its reflex corner, whichever comes first', () => {
    for (let turn = 0; turn < 4; turn++) {
      const points = ARROW.map((_, k) => ARROW[(k + turn) % 4]);
      expectExactCover(points, cut(points));
    }
  });

  it('cuts a comb, from every side of space and in both directions', () => {
    const places: ((point: Point) => number[])[] = [
      ([x, y]) => [x, y, 0],
      ([x, y]) => [0, x, y],
      ([x, y]) => [y, 0, x],
      ([x, y]) => [x, y, 3 * x - 2 * y + 100],
    ];
    for (const place of places) {
      expectExactCover(COMB, cut(COMB, place));
      const reversed = COMB.toReversed();
      expectExactCover(reversed, cut(reversed, place));
    }
  });

  it('cuts a ring whose hole is joined to its outline by a seam', () => {
    const outer: Point[] = [
      [0, 0],
      [4, 0],
      [4, 4],
      [0, 4],
    ];
    const inner: Point[] = [
      [1, 1],
      [1, 3],
      [3, 3],
      [3, 1],
    ];
    const ring = [...outer, outer[0], ...inner, inner[0]];
    expectExactCover(ring, cut(ring));
  });

  it('keeps a corner that repeats its neighbour, as exporters write them', () => {
    for (let k = 0; k < COMB.length; k++) {
      const points = COMB.toSpliced(k, 0, COMB[k]);
      expectExactCover(points, cut(points));
    }
  });

  it('avoids slivers where corners lie on a line', () => {
    const points: Point[] = [
      [0, 0],
      [1, 0],
      [2, 0],
      [2, 2],
      [0, 2],
    ];
    const triangles = cut(points);
    expectExactCover(points, triangles);
    for (const triangle of triangles) expect(area(triangle.map((k) => points[k]))).toBeGreaterThan(0);
  });

  it('covers any polygon whose corners are seen from its middle, at every scale', () => {
    const radii = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 4, maxLength: 24 });
    fc.assert(
      fc.property(radii, fc.constantFrom(1e-6, 1, 1e6), (lengths, scale) => {
        const points = lengths.map((radius, k): Point => {
          const angle = (2 * Math.PI * k) / lengths.length;
          return [Math.fround(scale * radius * Math.cos(angle)), Math.fround(scale * radius * Math.sin(angle))];
        });
        const triangles = cut(points);
        const whole = polygonArea(points);
        const parts = triangles.map((triangle) => area(triangle.map((k) => points[k])));
        expect(Math.min(...parts)).toBeGreaterThanOrEqual(-1e-6 * whole);
        expect(parts.reduce((sum, part) => sum + part, 0) / whole).toBeCloseTo(1, 5);
      }),
    );
  });

  it('gives count − 2 triangles whatever the points are', () => {
    const points = fc.array(fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 })), {
      minLength: 3,
      maxLength: 16,
    });
    fc.assert(
      fc.property(points, (corners) => {
        for (const triangle of cut(corners)) {
          expect(new Set(triangle).size).toBe(3);
          for (const corner of triangle) expect(corner).toBeLessThan(corners.length);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('takes points in one place, and on one line', () => {
    expect(cut(Array.from({ length: 6 }, (): Point => [1, 1]))).toHaveLength(4);
    expect(cut(Array.from({ length: 6 }, (_, k): Point => [k, k]))).toHaveLength(4);
  });

  it('cuts a round polygon of any size, and refuses a concave one above its limit', () => {
    const round = Array.from({ length: MAX_CONCAVE_CORNERS + 1 }, (_, k): Point => {
      const angle = (2 * Math.PI * k) / (MAX_CONCAVE_CORNERS + 1);
      return [1000 * Math.cos(angle), 1000 * Math.sin(angle)];
    });
    expect(cut(round)).toHaveLength(round.length - 2);
    const star = round.map(([x, y], k): Point => (k % 2 === 0 ? [x, y] : [x / 2, y / 2]));
    expect(() => cut(star)).toThrow(UnsupportedError);
    expect(() => cut(star)).toThrow('a concave face has 4097 corners');
  });

  it('cuts the largest concave polygon that it takes in bounded time', () => {
    const points = Array.from({ length: MAX_CONCAVE_CORNERS }, (_, k): Point => {
      const angle = (2 * Math.PI * k) / MAX_CONCAVE_CORNERS;
      const radius = k % 2 === 0 ? 1000 : 500;
      return [Math.fround(radius * Math.cos(angle)), Math.fround(radius * Math.sin(angle))];
    });
    expectExactCover(points, cut(points));
  });
});
