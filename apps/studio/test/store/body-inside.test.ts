import { cylinder } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { isInside, snappedInside } from '../../src/store/body-inside.ts';

/** Along x from 0 to 6, of radius 1. */
const { mesh: body } = cylinder({ sides: 24, length: 6, bones: 2 });

describe('isInside', () => {
  it('knows points of the axis from points beside and behind', () => {
    expect(isInside(body, [3, 0, 0])).toBe(true);
    expect(isInside(body, [3, 0, 3])).toBe(false);
    expect(isInside(body, [-1, 0, 0])).toBe(false);
    expect(isInside({ positions: [], triangles: [] }, [0, 0, 0])).toBe(false);
  });
});

describe('snappedInside', () => {
  it('leaves what is inside where it is', () => {
    expect(snappedInside(body, [3, 0.2, 0.1])).toEqual([3, 0.2, 0.1]);
  });

  it('brings what is in the air beside the body to the middle of it there', () => {
    const [x, y, z] = snappedInside(body, [3, 0, 4]);
    expect(isInside(body, [x, y, z])).toBe(true);
    expect(Math.abs(x - 3)).toBeLessThan(0.6);
    expect(Math.hypot(y, z)).toBeLessThan(0.3);
  });

  it('has nothing to bring it to without a surface', () => {
    expect(snappedInside({ positions: [], triangles: [] }, [1, 2, 3])).toEqual([1, 2, 3]);
  });
});
