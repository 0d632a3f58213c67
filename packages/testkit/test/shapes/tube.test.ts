import { describe, expect, it } from 'vitest';
import { tube } from '../../src/shapes/tube.ts';
import { expectClosedSurface, volumeOf } from '../closed-surface.ts';

describe('tube', () => {
  it('is closed, faces outwards, and has the volume of its prism', () => {
    const mesh = tube({ name: 'tube', length: 2, rings: 5, sides: 12, section: () => [0.5, 0.25] });
    expectClosedSurface(mesh);
    expect(mesh.positions).toHaveLength(3 * (5 * 12 + 2));
    expect(volumeOf(mesh.positions, mesh.triangles)).toBeCloseTo(2 * 6 * Math.sin(Math.PI / 6) * 0.5 * 0.25, 5);
  });
});
