import { insphere, orient3d } from 'robust-predicates';
import { describe, expect, it } from 'vitest';
import { Delaunay, INFINITE } from '../../src/tetrahedra/delaunay.ts';
import { insertionOrder } from '../../src/tetrahedra/insertion-order.ts';

/** A fixed sequence of numbers in [0, 1). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function triangulate(points: Float64Array): { delaunay: Delaunay; inserted: number } {
  const count = points.length / 3;
  const delaunay = new Delaunay(points, count);
  const order = insertionOrder(points);
  const start = delaunay.start(order);
  if (!start) throw new Error('the points are coplanar');
  let inserted = 4;
  for (const v of order) if (!start.includes(v) && delaunay.insert(v)) inserted++;
  return { delaunay, inserted };
}

const at = (points: Float64Array, v: number) => [...points.subarray(3 * v, 3 * v + 3)] as [number, number, number];

/** Checks every tetrahedron against every point, and every face against its neighbour; returns the volume. */
function validate(points: Float64Array, delaunay: Delaunay): number {
  const { vertices, adjacent, places } = delaunay;
  let volume = 0;
  for (let t = 0; t < places; t++) {
    if (vertices[4 * t] === -2) continue;
    const corners = [...vertices.subarray(4 * t, 4 * t + 4)];
    for (let slot = 0; slot < 4; slot++) {
      const across = adjacent[4 * t + slot];
      expect(adjacent[across]).toBe(4 * t + slot);
      const shared = corners.filter((_, k) => k !== slot).sort();
      const theirs = [...vertices.subarray(4 * (across >> 2), 4 * (across >> 2) + 4)].filter(
        (_, k) => k !== (across & 3),
      );
      expect(theirs.sort()).toEqual(shared);
    }
    if (corners[3] === INFINITE) continue;
    const [a, b, c, d] = corners.map((v) => at(points, v));
    const turned = orient3d(...a, ...b, ...c, ...d);
    expect(turned).toBeLessThan(0);
    volume -= turned / 6;
    let within = 0;
    for (let v = 0; v < points.length / 3; v++) if (insphere(...a, ...b, ...c, ...d, ...at(points, v)) > 0) within++;
    expect(within).toBe(0);
  }
  return volume;
}

describe('Delaunay tetrahedra', () => {
  it('of four points are one', () => {
    const points = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
    expect(validate(points, triangulate(points).delaunay)).toBeCloseTo(1 / 6, 14);
  });

  it('of a cube fill it, though its corners are cospherical', () => {
    const points = Float64Array.from({ length: 24 }, (_, k) => (Math.floor(k / 3) >> (k % 3)) & 1);
    expect(validate(points, triangulate(points).delaunay)).toBeCloseTo(1, 14);
  });

  it('of a grid fill it, though everything is degenerate', () => {
    const points: number[] = [];
    for (let x = 0; x < 5; x++) for (let y = 0; y < 4; y++) for (let z = 0; z < 3; z++) points.push(x, y, z);
    const grid = Float64Array.from(points);
    const { delaunay, inserted } = triangulate(grid);
    expect(inserted).toBe(60);
    expect(validate(grid, delaunay)).toBeCloseTo(4 * 3 * 2, 10);
  });

  it.each([1, 2, 3])('have empty spheres and agreeing neighbours (seed %i)', (seed) => {
    const random = numbers(seed);
    const points = Float64Array.from({ length: 3 * 150 }, () => random());
    validate(points, triangulate(points).delaunay);
  });

  it.each([1e-6, 1, 1e6])('of points on a sphere, scaled by %f', (scale) => {
    const random = numbers(7);
    const points = new Float64Array(3 * 120);
    for (let v = 0; v < 120; v++) {
      const p = [random() - 0.5, random() - 0.5, random() - 0.5];
      const length = Math.hypot(...p);
      points.set(
        p.map((value) => Math.fround((scale * value) / length)),
        3 * v,
      );
    }
    const volume = validate(points, triangulate(points).delaunay);
    expect(volume / scale ** 3).toBeGreaterThan(3);
    expect(volume / scale ** 3).toBeLessThan((4 / 3) * Math.PI);
  });

  it('leave out repeated points', () => {
    const points = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0);
    const { delaunay, inserted } = triangulate(points);
    expect(inserted).toBe(4);
    expect(validate(points, delaunay)).toBeCloseTo(1 / 6, 14);
  });

  it.each([
    ['one point', [0, 0, 0, 0, 0, 0]],
    ['a line', [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]],
    ['a plane', [0, 0, 5, 1, 0, 5, 0, 1, 5, 1, 1, 5, 3, 7, 5]],
  ])('do not start in %s', (_, numbers) => {
    const points = Float64Array.from(numbers);
    const delaunay = new Delaunay(points, points.length / 3);
    expect(delaunay.start(insertionOrder(points))).toBeUndefined();
  });
});
