import { describe, expect, it } from 'vitest';
import { ellipsoid, limb, smoothUnion } from '../../src/shapes/distance-field.ts';
import { gridLine, surfaceNets } from '../../src/shapes/surface-nets.ts';
import { expectClosedSurface, volumeOf } from '../closed-surface.ts';

const cube = (reach: number, spacing: number) => {
  const line = gridLine(-reach, [reach, spacing]);
  return { x: line, y: line, z: line };
};

describe('surfaceNets', () => {
  it('gives a sphere: closed, facing outwards, on the surface, of the right volume', () => {
    const mesh = surfaceNets('ball', ellipsoid([0, 0, 0], [1, 1, 1]), cube(1.3, 0.1));
    expectClosedSurface(mesh);
    expect(mesh.triangles.length / 3).toBe((2 * mesh.positions.length) / 3 - 4); // Euler, genus 0
    let farthest = 0;
    for (let k = 0; k < mesh.positions.length; k += 3) {
      farthest = Math.max(farthest, Math.abs(Math.hypot(...mesh.positions.subarray(k, k + 3)) - 1));
    }
    expect(farthest).toBeLessThan(1e-5);
    // on the unit sphere the normal is the point itself
    const { values } = mesh.normals ?? { values: new Float32Array() };
    expect(Math.max(...mesh.positions.map((value, k) => Math.abs(value - values[k])))).toBeLessThan(1e-4);
    expect(volumeOf(mesh.positions, mesh.triangles) / ((4 / 3) * Math.PI)).toBeCloseTo(1, 1);
  });

  it('keeps two sheets apart that pass through one cell', () => {
    // a bridge between two balls that the grid hardly resolves, at many offsets
    for (let shift = 0; shift < 0.2; shift += 0.017) {
      const field = smoothUnion(
        0.02,
        limb([-0.45 + shift, 0, 0], 0.4, [-0.45, 0.1, 0], 0.4),
        ellipsoid([0.45, shift, 0.05], [0.4, 0.45, 0.4]),
      );
      expectClosedSurface(surfaceNets('pair', field, cube(1.2, 0.19)));
    }
  });

  it('is empty where there is nothing', () => {
    expect(surfaceNets('', () => 1, cube(1, 0.5)).positions).toHaveLength(0);
  });

  it('has grids with spans of their own spacing', () => {
    expect(gridLine(0, [1, 0.5], [1.5, 0.25])).toEqual([0, 0.5, 1, 1.25, 1.5]);
    expect(gridLine(0, [0.1, 5])).toEqual([0, 0.1]);
  });
});
