import { distinctColours } from '@pelt/viewer/colour';
import { describe, expect, it } from 'vitest';
import { bonesItem, clusterColours, distanceHeat, weightColours } from '../describe.mjs';

describe('colours of a skin', () => {
  it('mix by weight', () => {
    const [a, b] = distinctColours(2);
    const mixed = weightColours(
      { slots: 2, bones: Uint16Array.of(0, 1, 1, 0), weights: Float32Array.of(0.75, 0.25, 1, 0) },
      2,
    );
    a.forEach((value, c) => {
      expect(mixed[c]).toBeCloseTo(0.75 * value + 0.25 * b[c], 6);
      expect(mixed[3 + c]).toBeCloseTo(b[c], 6);
    });
  });

  it('are grey for vertices of no cluster', () => {
    expect([...clusterColours([-1])]).toEqual([0.5, 0.5, 0.5]);
  });
});

describe('bones', () => {
  it('are moved by the pose', () => {
    const rest = Float64Array.of(1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0);
    // A quarter turn about z, then one up.
    const turn = [0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0];
    const { frames } = bonesItem([{ name: 'a', parent: -1, rest }], turn);
    expect(Array.from(frames)).toEqual([0, -1, 0, 0, 1, 0, 0, 3, 0, 0, 1, 0]);
    expect(Array.from(bonesItem([{ name: 'a', parent: -1, rest }]).frames)).toEqual([...rest]);
  });
});

describe('distance', () => {
  it('is in per cent of the diagonal', () => {
    const heat = distanceHeat([0, 0, 0, 3, 4.5, 0], [0, 0, 0, 3, 4, 0]);
    expect([...Array.from(heat.values), heat.max]).toEqual([0, 10, 10]);
  });

  it('wants the same vertices', () => {
    expect(() => distanceHeat([0, 0, 0], [])).toThrow(/1 vertices against 0/);
  });
});
