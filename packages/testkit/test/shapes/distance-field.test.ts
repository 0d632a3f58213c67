import { describe, expect, it } from 'vitest';
import { ellipsoid, limb, smoothUnion } from '../../src/shapes/distance-field.ts';

describe('distance fields', () => {
  it('measures a limb from its skin', () => {
    const field = limb([0, 0, 0], 0.2, [1, 0, 0], 0.1);
    expect(field(0.5, 1, 0)).toBeCloseTo(1 - 0.15, 12);
    expect(field(-1, 0, 0)).toBeCloseTo(0.8, 12); // beyond the near end
    expect(field(2, 0, 0)).toBeCloseTo(0.9, 12); // beyond the far end
    expect(field(0.5, 0, 0)).toBeCloseTo(-0.15, 12);
  });

  it('is zero on an ellipsoid, negative inside, also at its centre', () => {
    const field = ellipsoid([1, 0, 0], [1, 2, 3]);
    expect(field(1, 2, 0)).toBeCloseTo(0, 12);
    expect(field(1, 0, 3)).toBeCloseTo(0, 12);
    expect(field(1, 0, 0)).toBe(-1);
    expect(field(4, 0, 0)).toBeGreaterThan(0);
  });

  it('unites smoothly, whatever the order: ln 2 radii of fillet where two distances are equal', () => {
    const constant = (value: number) => () => value;
    expect(smoothUnion(0.1, constant(1), constant(1))(0, 0, 0)).toBeCloseTo(1 - 0.1 * Math.log(2), 12);
    const [a, b, c] = [constant(0.3), constant(0.35), constant(9)];
    expect(smoothUnion(0.1, a, b, c)(0, 0, 0)).toBeCloseTo(smoothUnion(0.1, c, b, a)(0, 0, 0), 12);
    expect(smoothUnion(0.1, a, c)(0, 0, 0)).toBe(0.3);
  });
});
