import { cylinder } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { ringsAbout } from '../../../src/volume/training/bone-ring.ts';

describe('rings about a bone', () => {
  const { mesh, rings } = cylinder({ sides: 12, length: 4, bones: 1 });
  const body = { ...mesh, tetrahedra: new Uint32Array(0), surface: Uint32Array.from(mesh.positions.keys()) };
  const segment = { bone: 0, from: [0, 0, 0], to: [4, 0, 0] } as const;
  const side = rings.flat();
  const outwards = Float64Array.from(mesh.positions, (value, k) => (k % 3 === 0 ? 0 : value));
  const width = 0.3;

  it('are one ring about the middle of a thick bone', () => {
    const found = ringsAbout(body, segment, side, outwards, width);
    expect(found.toSorted((a, b) => a - b)).toEqual(rings[(rings.length - 1) / 2].toSorted((a, b) => a - b));
  });

  it('have no skin that faces the bone, as the flank does in an armpit', () => {
    const ring = ringsAbout(body, segment, side, outwards, width);
    const flank = ring.slice(0, 3);
    const normals = outwards.slice();
    for (const v of flank) for (let axis = 0; axis < 3; axis++) normals[3 * v + axis] *= -1;
    expect(ringsAbout(body, segment, side, normals, width)).toEqual(ring.slice(3));
  });

  it('are none where they would not go round, nor about a bone of no length', () => {
    const half = side.filter((v) => mesh.positions[3 * v + 1] > 0);
    expect(ringsAbout(body, segment, half, outwards, width)).toEqual([]);
    expect(ringsAbout(body, { ...segment, to: [0, 0, 0] }, side, outwards, width)).toEqual([]);
  });
});
