import { describe, expect, it } from 'vitest';
import { edgeGraph } from '../../src/shared/mesh/edge-graph.ts';
import { angleDefects, curvaturePatches } from '../../src/skeleton/curvature-patches.ts';
import { geodesicCells } from '../../src/skeleton/geodesic-cells.ts';

/** A strip of `columns` × 9 vertices over a profile y(x), bent sideways as well by y = c z². */
function sheet(columns: number, height: (x: number, z: number) => number) {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let a = 0; a < columns; a++) {
    for (let b = 0; b < 9; b++) {
      const [x, z] = [a / 8, (b - 4) / 8];
      positions.push(x, height(x, z), z);
      if (a === 0 || b === 0) continue;
      const at = 9 * a + b;
      triangles.push(at, at - 1, at - 9, at - 1, at - 10, at - 9);
    }
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}

describe('angleDefects', () => {
  it('are those of a cube: a quarter turn at each corner, two turns in all', () => {
    const positions = Float64Array.from({ length: 24 }, (_, k) => (Math.floor(k / 3) >> (k % 3)) & 1);
    const faces = [
      [0, 2, 3, 1],
      [4, 5, 7, 6],
      [0, 1, 5, 4],
      [2, 6, 7, 3],
      [0, 4, 6, 2],
      [1, 3, 7, 5],
    ];
    const triangles = Uint32Array.from(faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]));
    const { defects, areas } = angleDefects(positions, triangles);
    for (const defect of defects) expect(defect).toBeCloseTo(Math.PI / 2, 12);
    expect(areas.reduce((sum, area) => sum + area, 0)).toBeCloseTo(6, 12);
  });

  it('vanish on a plane and on a cylinder, also along straight borders, and where there is no triangle', () => {
    const { positions, triangles } = sheet(9, (_, z) => Math.sqrt(1 - z * z));
    const { defects } = angleDefects(Float64Array.of(...positions, 5, 5, 5), triangles);
    const corners = new Set([0, 8, 72, 80]);
    defects.forEach((defect, i) => {
      if (!corners.has(i)) expect(defect).toBeCloseTo(0, 6);
    });
    expect(defects[81]).toBe(0);
  });
});

describe('curvaturePatches', () => {
  const ends = (columns: number) => Int32Array.of(4, 9 * (columns - 1) + 4);

  it('are geodesic cells on a plane', () => {
    const { positions, triangles } = sheet(17, () => 0);
    const graph = edgeGraph(triangles, positions.length / 3);
    // The corners of the border are not flat; in the middle row nothing is near them.
    const row = (cells: Int32Array) => cells.filter((_, i) => i % 9 === 4);
    const patches = curvaturePatches(positions, triangles, graph, ends(17));
    expect(row(patches)).toEqual(row(geodesicCells(positions, graph, ends(17))));
  });

  it('reach from the flat side to where the surface is curved', () => {
    // Flat up to x = 3, then a row of bumps up to x = 5: half-way is x = 2.5.
    const { positions, triangles } = sheet(41, (x, z) => (x > 3 ? 0.2 * Math.sin(9 * x) * Math.cos(9 * z) : 0));
    const graph = edgeGraph(triangles, positions.length / 3);
    const border = (cells: Int32Array) => cells.filter((cell, i) => cell === 0 && i % 9 === 4).length / 8;
    const plain = border(geodesicCells(positions, graph, ends(41)));
    expect(border(curvaturePatches(positions, triangles, graph, ends(41)))).toBeGreaterThan(plain + 0.4);
  });
});
