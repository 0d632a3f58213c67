import { describe, expect, it } from 'vitest';
import { ease, Rod } from '../../src/shapes/rod.ts';
import { apply } from '../../src/transform.ts';

describe('Rod', () => {
  it('carries every point to itself while it is straight', () => {
    const rod = new Rod(2, []);
    for (const point of [
      [0, 0.1, 0.2],
      [1.3, -1, 0],
      [2, 0, 0],
      [-1, 0.5, 0],
      [3, 0, 1],
    ] as const) {
      rod.carry(point).forEach((value, c) => {
        expect(value).toBeCloseTo(point[c], 12);
      });
    }
  });

  it('bends at a constant rate into an arc of a circle', () => {
    // a quarter turn over the length π/2: the unit circle about (0, 1)
    const rod = new Rod(Math.PI / 2, [{ axis: [0, 0, 1], angle: Math.PI / 2, start: 0, end: Math.PI / 2, even: true }]);
    for (const s of [0.3, 0.9, 1.5]) {
      const [x, y] = rod.carry([s, 0, 0]);
      expect(x).toBeCloseTo(Math.sin(s), 4);
      expect(y).toBeCloseTo(1 - Math.cos(s), 4);
    }
    // beyond the end it goes straight on
    const [x, y] = rod.carry([Math.PI / 2 + 1, 0, 0]);
    expect(x).toBeCloseTo(1, 4);
    expect(y).toBeCloseTo(2, 4);
  });

  it('twists sections without moving the line', () => {
    const rod = new Rod(1, [{ axis: [1, 0, 0], angle: Math.PI, start: 0, end: 1, even: true }]);
    const [x, y, z] = rod.carry([0.5, 1, 0]);
    expect(x).toBeCloseTo(0.5, 12);
    expect(y).toBeCloseTo(0, 12);
    expect(z).toBeCloseTo(1, 12);
  });

  it('gives bones that agree with the section they ride on', () => {
    const rod = new Rod(1, [{ axis: [0, 0, 1], angle: 1, start: 0.2, end: 0.6 }]);
    const carried = rod.carry([0.8, 0.1, 0.2]);
    apply(rod.boneAt(0.8), [0.8, 0.1, 0.2]).forEach((value, c) => {
      expect(value).toBeCloseTo(carried[c], 12);
    });
  });

  it('eases from 0 to 1, flat at both ends', () => {
    expect([ease(1, 2, 0.5), ease(1, 2, 1), ease(1, 2, 1.5), ease(1, 2, 2), ease(1, 2, 9)]).toEqual([0, 0, 0.5, 1, 1]);
    expect(ease(0, 1, 1e-4)).toBeLessThan(1e-7);
  });
});
