import { describe, expect, it } from 'vitest';
import { carriedTriangles, crossingPairs, roughness } from '../src/index.ts';

/** A square of cells × cells, two triangles each, in the plane z = 0. */
function sheet(cells: number) {
  const positions: number[] = [];
  const triangles: number[] = [];
  const id = (x: number, y: number) => y * (cells + 1) + x;
  for (let y = 0; y <= cells; y++) for (let x = 0; x <= cells; x++) positions.push(x, y, 0);
  for (let y = 0; y < cells; y++) {
    for (let x = 0; x < cells; x++) {
      triangles.push(id(x, y), id(x + 1, y), id(x + 1, y + 1), id(x, y), id(x + 1, y + 1), id(x, y + 1));
    }
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}

describe('roughness', () => {
  const { positions, triangles } = sheet(12);
  const posed = (height: (x: number, y: number) => number) =>
    positions.map((value, k) => (k % 3 === 2 ? height(positions[k - 2], positions[k - 1]) : value));

  it('is zero at rest, and for a rigid motion', () => {
    expect(roughness(positions, positions, triangles)).toEqual({ mean: 0, p99: 0 });
    const turned = positions.map((_, k) => [-positions[k + 1], positions[k - 1], 4][k % 3]);
    expect(roughness(positions, turned, triangles).p99).toBeLessThan(1e-10);
  });

  it('tells crumples from an even bend of the same height', () => {
    const even = roughness(
      positions,
      posed((x) => 0.02 * (x - 6) ** 2),
      triangles,
    );
    const crumpled = roughness(
      positions,
      posed((x, y) => ((x + y) % 2 === 0 ? 0.36 : -0.36)),
      triangles,
    );
    expect(crumpled.mean).toBeGreaterThan(10 * even.mean);
    expect(crumpled.p99).toBeGreaterThanOrEqual(crumpled.mean);
  });

  it('is the change of one fold, in degrees', () => {
    // Two triangles at the edge from 0 to 1, folded by 90°; all four vertices are equally large.
    const rest = [0, 0, 0, 1, 0, 0, 0.5, 1, 0, 0.5, -1, 0];
    const folded = [0, 0, 0, 1, 0, 0, 0.5, 0, 1, 0.5, -1, 0];
    const faces = Uint32Array.of(0, 1, 2, 1, 0, 3);
    // Both ends of the one inner edge change by 90°, as their neighbour does; the other corners have no edge.
    expect(roughness(rest, folded, faces).mean).toBeCloseTo(0, 10);
  });
});

describe('crossing pairs', () => {
  it('finds none in a sheet, and one where a triangle is pierced', () => {
    const { positions, triangles } = sheet(5);
    expect(crossingPairs(positions, triangles)).toBe(0);
    const pierced = [...positions, 1.3, 1.2, -1, 1.4, 1.3, 1, 9, 9, 9];
    const n = positions.length / 3;
    expect(crossingPairs(pierced, Uint32Array.from([...triangles, n, n + 1, n + 2]))).toBeGreaterThan(0);
  });

  it('counts every pair once, and none that share a vertex', () => {
    const crossed = [-1, -1, 0, 1, -1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1, 0, -3, 0];
    expect(crossingPairs(crossed, Uint32Array.of(0, 1, 2, 3, 4, 5))).toBe(1);
    expect(crossingPairs(crossed, Uint32Array.of(0, 1, 2, 0, 4, 5))).toBe(0);
    expect(crossingPairs([], new Uint32Array(0))).toBe(0);
  });
});

describe('carried triangles', () => {
  it('follow the body, without those that are closed or carried by nothing', () => {
    const mesh = { name: '', positions: new Float32Array(12), triangles: Uint32Array.of(0, 1, 2, 0, 2, 3) };
    const body = {
      name: 'body',
      positions: new Float32Array(9),
      tetrahedra: new Uint32Array(0),
      surface: Uint32Array.of(2, 1, 0, 0),
    };
    expect([...carriedTriangles(mesh, body)]).toEqual([2, 1, 0]);
  });
});
