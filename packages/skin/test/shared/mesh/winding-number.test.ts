import { describe, expect, it } from 'vitest';
import { WindingNumber } from '../../../src/shared/mesh/winding-number.ts';
import { cube, joined, sphere, torus } from '../../volume/shapes.ts';

const windingOf = (mesh: { positions: Float32Array; triangles: Uint32Array }) =>
  new WindingNumber(Float64Array.from(mesh.positions), mesh.triangles);

describe('winding number', () => {
  it('is 1 in a cube and 0 outside', () => {
    const winding = windingOf(cube());
    expect(winding.at(0.5, 0.5, 0.5)).toBeCloseTo(1, 12);
    expect(winding.at(0.9, 0.1, 0.2)).toBeCloseTo(1, 12);
    expect(winding.at(1.5, 0.5, 0.5)).toBeCloseTo(0, 12);
  });

  it('is −1 in a cube that is inside out', () => {
    expect(windingOf(joined([cube()], [0])).at(0.5, 0.5, 0.5)).toBeCloseTo(-1, 12);
  });

  it('is 2 where two spheres overlap', () => {
    const winding = windingOf(joined([sphere(3), sphere(3, 1, [1, 0, 0])]));
    expect(winding.at(0.5, 0, 0)).toBeCloseTo(2, 1);
    expect(winding.at(-0.5, 0, 0)).toBeCloseTo(1, 1);
  });

  it('tells inside from outside of a torus near its surface, dipoles and all', () => {
    const winding = windingOf(torus(96, 48));
    for (let k = 0; k < 200; k++) {
      const [u, v] = [0.37 * k, 1.13 * k];
      for (const [minor, expected] of [
        [0.27, 1],
        [0.33, 0],
      ]) {
        const distance = 1 + minor * Math.cos(v);
        const value = winding.at(distance * Math.cos(u), distance * Math.sin(u), minor * Math.sin(v));
        expect(Math.abs(value - expected)).toBeLessThan(0.15);
      }
    }
  });

  it('falls from 1 to 0 through a hole', () => {
    // The sphere without its cap z > 0.8 of a tenth of its area, whose solid angle is missing at the centre.
    const mesh = sphere(4);
    const open: number[] = [];
    for (let k = 0; k < mesh.triangles.length; k += 3) {
      const corners = [...mesh.triangles.subarray(k, k + 3)];
      if (corners.some((i) => mesh.positions[3 * i + 2] <= 0.8)) open.push(...corners);
    }
    const winding = windingOf({ positions: mesh.positions, triangles: Uint32Array.from(open) });
    const along = [-0.5, 0, 0.5, 0.8, 1.1, 2].map((z) => winding.at(0, 0, z));
    expect(along[1]).toBeCloseTo(0.9, 1);
    for (let k = 1; k < along.length; k++) expect(along[k]).toBeLessThan(along[k - 1] + 0.02);
    expect(along[3]).toBeCloseTo(0.5, 0);
    expect(along[5]).toBeLessThan(0.1);
  });

  it('of nothing is 0', () => {
    expect(new WindingNumber(new Float64Array(0), new Uint32Array(0)).at(0, 0, 0)).toBe(0);
  });
});
