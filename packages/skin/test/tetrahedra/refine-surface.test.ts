import { describe, expect, it } from 'vitest';
import { refineSurface } from '../../src/tetrahedra/refine-surface.ts';
import { cube, enclosedVolume, sphere } from '../volume/shapes.ts';

describe('a refined surface', () => {
  it('of one triangle has its middles', () => {
    const { positions, triangles } = refineSurface(Float64Array.of(0, 0, 0, 2, 0, 0, 0, 4, 0), Uint32Array.of(0, 1, 2));
    expect([...positions.subarray(9)]).toEqual([1, 0, 0, 1, 2, 0, 0, 2, 0]);
    expect([...triangles]).toEqual([0, 3, 5, 1, 4, 3, 2, 5, 4, 3, 4, 5]);
  });

  it.each([
    ['a cube', cube()],
    ['a sphere', sphere(2)],
  ])('of %s is as closed, as large, and has one new vertex an edge', (_, mesh) => {
    const { positions, triangles } = refineSurface(Float64Array.from(mesh.positions), mesh.triangles);
    expect(triangles.length).toBe(4 * mesh.triangles.length);
    expect(positions.length).toBe(mesh.positions.length + (3 * mesh.triangles.length) / 2);
    const volume = (p: ArrayLike<number>, t: Uint32Array) => {
      return enclosedVolume({ name: '', positions: Float32Array.from(p), triangles: t });
    };
    expect(volume(positions, triangles)).toBeCloseTo(volume(mesh.positions, mesh.triangles), 6);
  });

  it('of nothing is nothing', () => {
    expect(refineSurface(new Float64Array(0), new Uint32Array(0)).positions.length).toBe(0);
  });
});
