import { describe, expect, it } from 'vitest';
import { apply, compose, IDENTITY, translation, turnAbout } from '../src/transform.ts';

describe('transform', () => {
  it('leaves points alone by the identity, by no turn, and about no axis', () => {
    expect(apply(IDENTITY, [1, 2, 3])).toEqual([1, 2, 3]);
    expect(turnAbout([5, 5, 5], [0, 0, 1], 0)).toEqual(IDENTITY);
    expect(turnAbout([5, 5, 5], [0, 0, 0], 1)).toEqual(IDENTITY);
  });

  it('turns counter-clockwise about an axis of any length through a centre', () => {
    const [x, y, z] = apply(turnAbout([1, 0, 0], [0, 0, 9], Math.PI / 2), [2, 0, 4]);
    expect(x).toBeCloseTo(1, 12);
    expect(y).toBeCloseTo(1, 12);
    expect(z).toBeCloseTo(4, 12);
  });

  it('composes from right to left', () => {
    const turnThenMove = compose(translation([10, 0, 0]), turnAbout([0, 0, 0], [0, 0, 1], Math.PI));
    const [x, y] = apply(turnThenMove, [1, 2, 0]);
    expect(x).toBeCloseTo(9, 12);
    expect(y).toBeCloseTo(-2, 12);
  });
});
