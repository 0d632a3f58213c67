import { creatureScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { meshVolume } from '../../src/viewport/enclosed-volume.ts';

describe('meshVolume', () => {
  // The corner of a cube: a sixth of it.
  const corner = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
  const faces = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];

  it('is a sixth for a unit tetrahedron, and negative inside out', () => {
    expect(meshVolume(corner, faces)).toBeCloseTo(1 / 6, 12);
    expect(meshVolume(corner, faces.toReversed())).toBeCloseTo(-1 / 6, 12);
  });

  it('does not depend on where the mesh is', () => {
    const { positions, triangles } = creatureScene({ detail: 0.1, frames: 2 }).sequence.rest;
    const away = Float64Array.from(positions, (value, k) => value + [5, -3, 2][k % 3]);
    expect(meshVolume(away, triangles)).toBeCloseTo(meshVolume(positions, triangles), 6);
    expect(meshVolume(positions, triangles)).toBeGreaterThan(0.05);
  });

  it('is nothing for no triangles', () => {
    expect(meshVolume(corner, [])).toBe(0);
  });
});
