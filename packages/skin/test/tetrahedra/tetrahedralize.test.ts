import { readFileSync } from 'node:fs';
import {
  CancelledError,
  InputError,
  type Mesh,
  NO_VERTEX,
  tetMeshVolume,
  UsageError,
  validateTetMesh,
} from '@pelt/model';
import { cylinder, realData } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { WindingNumber } from '../../src/shared/mesh/winding-number.ts';
import { tetrahedralize } from '../../src/tetrahedra/tetrahedralize.ts';
import { cube, enclosedVolume, joined, meshOf, sphere, torus } from '../volume/shapes.ts';

/** Everything that is promised of any result. */
function check(mesh: Mesh, result = tetrahedralize(mesh)) {
  const { mesh: body, report } = result;
  validateTetMesh(body);
  expect(report.tetrahedra).toBe(body.tetrahedra.length / 4);
  expect(report.volume / tetMeshVolume(body)).toBeCloseTo(1, 12);
  const used = new Uint8Array(body.positions.length / 3);
  for (const v of body.tetrahedra) used[v] = 1;
  expect(used.every((value) => value === 1)).toBe(true);
  expect(mesh.triangles.some((i) => body.surface[i] === NO_VERTEX)).toBe(false);
  return { body, report };
}

/** Share of tetrahedra whose centroid is outside the surface. */
function outside(mesh: Mesh, body: { positions: Float32Array; tetrahedra: Uint32Array }): number {
  const winding = new WindingNumber(Float64Array.from(mesh.positions), mesh.triangles);
  let count = 0;
  for (let k = 0; k < body.tetrahedra.length; k += 4) {
    const [x, y, z] = [0, 1, 2].map((axis) => {
      let sum = 0;
      for (let corner = 0; corner < 4; corner++) sum += body.positions[3 * body.tetrahedra[k + corner] + axis];
      return sum / 4;
    });
    if (winding.at(x, y, z) < 0.5) count++;
  }
  return count / (body.tetrahedra.length / 4);
}

describe('tetrahedralize', () => {
  it('keeps a tetrahedron as it is', () => {
    const mesh = meshOf('tetrahedron', [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);
    const { body, report } = check(mesh, tetrahedralize(mesh, { refine: false }));
    expect(report.tetrahedra).toBe(1);
    expect(body.positions).toEqual(mesh.positions);
    expect([...body.surface]).toEqual([0, 1, 2, 3]);
  });

  it('fills a cube', () => {
    const { report } = check(cube());
    expect(report.volume).toBeCloseTo(1, 12);
    expect(report.leastAngleDegrees).toBeGreaterThan(30);
  });

  it.each([1e-6, 1, 1e6])('fills a sphere of radius %f without a flat one', (radius) => {
    const mesh = sphere(3, radius);
    const { body, report } = check(mesh);
    expect(report.volume / enclosedVolume(mesh)).toBeCloseTo(1, 3);
    expect(report.leastAngleDegrees).toBeGreaterThan(13);
    expect(report.slivers).toBe(0);
    expect(outside(mesh, body)).toBe(0);
    // The surface's vertices are the body's, exactly.
    const carried = mesh.positions.map((_, k) => body.positions[3 * body.surface[Math.floor(k / 3)] + (k % 3)]);
    expect(carried).toEqual(mesh.positions);
  });

  it('fills a torus and leaves its hole open', () => {
    const mesh = torus(60, 24);
    const { body, report } = check(mesh);
    expect(report.volume / enclosedVolume(mesh)).toBeCloseTo(1, 2);
    expect(outside(mesh, body)).toBe(0);
  });

  it('fills two shells, and not the cavity between two', () => {
    const apart = joined([sphere(2), sphere(2, 0.5, [3, 0, 0])]);
    expect(check(apart).report.volume / enclosedVolume(apart)).toBeCloseTo(1, 2);
    const hollow = joined([sphere(3), sphere(2, 0.5)], [1]);
    expect(check(hollow).report.volume / enclosedVolume(hollow)).toBeCloseTo(1, 2);
  });

  it('fills the union of two spheres that cut each other', () => {
    const mesh = joined([sphere(3), sphere(3, 1, [1, 0, 0])]);
    const { body, report } = check(mesh);
    // The lens of two unit spheres at distance 1 counts once: 2 · 4π/3 − 5π/12.
    expect(report.volume).toBeGreaterThan(0.96 * ((8 / 3) * Math.PI - (5 / 12) * Math.PI));
    expect(report.volume).toBeLessThan(1.01 * ((8 / 3) * Math.PI - (5 / 12) * Math.PI));
    expect(outside(mesh, body)).toBeLessThan(1e-3);
  });

  it('closes a small hole', () => {
    const mesh = sphere(3);
    const open = meshOf('open', mesh.positions, mesh.triangles.subarray(36));
    expect(check(open).report.volume / enclosedVolume(mesh)).toBeCloseTo(1, 1);
  });

  it('turns a surface that is inside out', () => {
    const mesh = joined([sphere(2)], [0]);
    expect(check(mesh).report.volume).toBeCloseTo(-enclosedVolume(mesh), 1);
  });

  it('welds seams and leaves unused vertices out', () => {
    const mesh = sphere(2);
    // Every triangle with corners of its own, and a vertex that belongs to none.
    const positions = [...mesh.triangles].flatMap((i) => [...mesh.positions.subarray(3 * i, 3 * i + 3)]);
    const soup = meshOf(
      'soup',
      [...positions, 9, 9, 9],
      Uint32Array.from(mesh.triangles, (_, k) => k),
    );
    const { body, report } = check(soup);
    expect(report.welded).toBe(mesh.triangles.length - mesh.positions.length / 3);
    expect(body.surface[mesh.triangles.length]).toBe(NO_VERTEX);
    expect(report.volume).toBeCloseTo(tetrahedralize(mesh).report.volume, 6);
  });

  it('thickens a sheet that is thinner than its edges allow', () => {
    // A plate of 10 × 10 squares of edge 1 and thickness 0.01.
    const positions: number[] = [];
    const triangles: number[] = [];
    const N = 10;
    for (const z of [0, 0.01]) for (let y = 0; y <= N; y++) for (let x = 0; x <= N; x++) positions.push(x, y, z);
    const corner = (x: number, y: number, side: number) => side * (N + 1) ** 2 + y * (N + 1) + x;
    const quad = (a: number, b: number, c: number, d: number) => triangles.push(a, b, c, a, c, d);
    for (let y = 0; y < N; y++) {
      for (let x = 0; x < N; x++) {
        quad(corner(x, y, 0), corner(x, y + 1, 0), corner(x + 1, y + 1, 0), corner(x + 1, y, 0));
        quad(corner(x, y, 1), corner(x + 1, y, 1), corner(x + 1, y + 1, 1), corner(x, y + 1, 1));
      }
      quad(corner(y, 0, 0), corner(y + 1, 0, 0), corner(y + 1, 0, 1), corner(y, 0, 1));
      quad(corner(y + 1, N, 0), corner(y, N, 0), corner(y, N, 1), corner(y + 1, N, 1));
      quad(corner(0, y + 1, 0), corner(0, y, 0), corner(0, y, 1), corner(0, y + 1, 1));
      quad(corner(N, y, 0), corner(N, y + 1, 0), corner(N, y + 1, 1), corner(N, y, 1));
    }
    const plate = meshOf('plate', positions, triangles);
    const { report } = check(plate);
    expect(report.thickened).toBeGreaterThan(180);
    expect(report.slivers / report.tetrahedra).toBeLessThan(0.05);
    const asItIs = tetrahedralize(plate, { thinnest: 0 }).report;
    expect(asItIs.thickened).toBe(0);
    expect(asItIs.slivers / asItIs.tetrahedra).toBeGreaterThan(0.5);
  });

  it('says so where there is no inside', () => {
    const sheet = meshOf('sheet', [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], [0, 1, 2, 1, 3, 2]);
    expect(() => tetrahedralize(sheet)).toThrow(InputError);
    expect(() => tetrahedralize(sheet)).toThrow(/mesh 'sheet' has no inside/);
    const ridge = meshOf('ridge', [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0.3], [0, 1, 2, 1, 3, 2]);
    expect(() => tetrahedralize(ridge)).toThrow(/no inside/);
    const doubled = meshOf('doubled', sheet.positions, [0, 1, 2, 1, 3, 2, 0, 2, 1, 1, 2, 3]);
    expect(() => tetrahedralize(doubled)).toThrow(/no inside/);
    expect(() => tetrahedralize(meshOf('dot', [1, 2, 3], [0, 0, 0]))).toThrow(/no extent/);
    expect(() => tetrahedralize(meshOf('nothing', [], []))).toThrow(InputError);
  });

  it('gives the same bytes again', () => {
    const [first, second] = [tetrahedralize(torus(40, 16)), tetrahedralize(torus(40, 16))];
    expect(second).toEqual(first);
  });

  it('reports progress that never falls, and stops when told to', () => {
    let fraction = 0;
    tetrahedralize(
      sphere(2),
      {},
      {
        onProgress: (progress) => {
          expect(progress.fraction).toBeGreaterThanOrEqual(fraction);
          fraction = progress.fraction;
        },
      },
    );
    expect(fraction).toBeGreaterThan(0.5);
    expect(() => tetrahedralize(sphere(2), {}, { signal: { aborted: true } })).toThrow(CancelledError);
  });

  it('refuses an option that it does not know', () => {
    expect(() => tetrahedralize(cube(), { gradin: 1 } as object)).toThrow(UsageError);
  });

  const armadillo = realData('closed/armadillo.obj');
  it.skipIf(!armadillo)('fills the armadillo without an angle below 10° (needs closed/armadillo.obj)', () => {
    const lines = readFileSync(armadillo as string, 'utf8').split('\n');
    const numbersOf = (key: string) =>
      lines.filter((line) => line.startsWith(`${key} `)).flatMap((line) => line.trim().split(/\s+/).slice(1, 4));
    const mesh = meshOf(
      'armadillo',
      numbersOf('v').map(Number),
      numbersOf('f').map((corner) => Number.parseInt(corner, 10) - 1),
    );
    const { report } = check(mesh);
    expect(report.leastAngleDegrees).toBeGreaterThan(10);
    expect(Math.abs(report.volume / enclosedVolume(mesh) - 1)).toBeLessThan(1e-3);
    expect(report.forced).toBe(0);
  });

  it.each([5, 6, 8, 9, 11])(
    'cuts a coarse tube of %i sides finer, with no flat tetrahedra on its flat faces',
    (sides) => {
      const { mesh } = cylinder({ sides });
      const { body, report } = check(mesh);
      expect(report.vertices).toBeGreaterThan((4 * mesh.positions.length) / 3);
      expect(report.leastAngleDegrees).toBeGreaterThan(10);
      expect(report.volume / report.surfaceVolume).toBeCloseTo(1, 6);
      // The mesh's own vertices are where they were.
      mesh.positions.forEach((value, k) => {
        expect(body.positions[3 * body.surface[Math.floor(k / 3)] + (k % 3)]).toBe(value);
      });
    },
  );
});
