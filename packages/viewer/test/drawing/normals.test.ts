import { describe, expect, it } from 'vitest';
import { cornerNormals } from '../../src/drawing/normals.ts';

describe('normals', () => {
  /** Two triangles that share the edge from (0,0,0) to (0,1,0), folded by an angle, with split vertices. */
  const fold = (degrees: number) => {
    const angle = (degrees * Math.PI) / 180;
    const positions = [0, 0, 0, 0, 1, 0, -1, 0, 0, 0, 0, 0, 0, 1, 0, Math.cos(angle), 0, -Math.sin(angle)];
    return cornerNormals(positions, [0, 1, 2, 3, 5, 4], false);
  };

  it('are shared over a seam where the surface is nearly smooth', () => {
    const normals = fold(30);
    expect([...normals.subarray(0, 3)]).toEqual([...normals.subarray(9, 12)]);
    expect(normals[0]).toBeGreaterThan(0);
  });

  it('keep a crease', () => {
    const normals = fold(80);
    expect([...normals.subarray(0, 3)]).toEqual([0, -0, 1]);
  });

  it('of a triangle without area are zero, not NaN', () => {
    expect([...cornerNormals([0, 0, 0], [0, 0, 0], false)].every((value) => value === 0)).toBe(true);
  });
});
