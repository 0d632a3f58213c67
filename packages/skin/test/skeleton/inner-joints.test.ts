import { skeletonTree } from '@pelt/kernels';
import { describe, expect, it } from 'vitest';
import { WindingNumber } from '../../src/shared/mesh/winding-number.ts';
import { innerJoints } from '../../src/skeleton/inner-joints.ts';
import { cube } from '../volume/shapes.ts';

describe('innerJoints', () => {
  const { positions, triangles } = cube();
  const winding = new WindingNumber(Float64Array.from(positions), triangles);
  const tree = skeletonTree([-1, 0]);
  const place = (x: number, y: number, z: number) => Float64Array.of(9, 9, 9, x, y, z);

  it('leaves joints inside as they are, and the root wherever it is', () => {
    expect(innerJoints(winding, tree, place(0.9, 0.5, 0.5), place(0.5, 0.5, 0.5))).toBeUndefined();
  });

  it('moves a joint towards where its bones meet, to within the surface', () => {
    const moved = innerJoints(winding, tree, place(1.5, 0.5, 0.5), place(0.5, 0.5, 0.5)) as Float64Array;
    // The surface is half a unit away from the middle, of which four fifths are taken.
    [9, 9, 9, 0.9, 0.5, 0.5].forEach((value, k) => {
      expect(moved[k]).toBeCloseTo(value, 3);
    });
  });

  it('leaves a joint alone whose bones meet outside', () => {
    expect(innerJoints(winding, tree, place(1.5, 0.5, 0.5), place(1.2, 0.5, 0.5))).toBeUndefined();
  });

  it('takes a mesh without triangles', () => {
    const nothing = new WindingNumber(new Float64Array(0), new Uint32Array(0));
    expect(innerJoints(nothing, tree, place(1.5, 0.5, 0.5), place(0.5, 0.5, 0.5))).toBeUndefined();
  });
});
