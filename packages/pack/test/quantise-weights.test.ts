import { describe, expect, it } from 'vitest';
import { alignSlots } from '../src/align-slots.ts';
import { roundWeights } from '../src/quantise-weights.ts';

/** Two poses of bones that only shift: by nothing, and by `shifts` along x. */
function model(shifts: readonly number[]) {
  const bone = (x: number) => [1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0];
  const poses = Float64Array.from([...shifts.flatMap(() => bone(0)), ...shifts.flatMap(bone)]);
  const none = new Float64Array(0);
  return { vertices: 1, size: 1, turns: none, shifts: none, frames: [2], poses, poseCount: 2 };
}
const origin = new Float32Array(3);

describe('weights in whole steps', () => {
  it.each([
    [255, 1],
    [65535, 16],
    [255, 8],
  ])('sum to %i, each rounded up or down', (whole, step) => {
    const weights = Float32Array.of(0.5003, 0.2999, 0.1501, 0.0497);
    const [{ values }] = roundWeights(
      weights,
      Uint16Array.of(0, 1, 2, 3),
      origin,
      4,
      [{ whole, step }],
      model([0, 1, 2, 5]),
    );
    expect(values.reduce((sum, value) => sum + value)).toBe(whole);
    values.forEach((value, s) => {
      expect(Math.abs(value / whole - weights[s])).toBeLessThan((1.5 * step) / whole);
    });
  });

  it('move the surface less than weights rounded one by one', () => {
    const weights = Float32Array.of(0.4, 0.3515, 0.2485, 0);
    const bones = Uint16Array.of(0, 1, 2, 0);
    const shifts = [0, 1, -3];
    const [{ values, error }] = roundWeights(weights, bones, origin, 4, [{ whole: 255, step: 1 }], model(shifts));
    const off = (rounded: readonly number[]) =>
      rounded.reduce((sum, value, s) => sum + (value / 255 - weights[s]) * shifts[s], 0) ** 2 / 2;
    expect(error).toBeCloseTo(off([...values].slice(0, 3)), 12);
    expect(error).toBeLessThanOrEqual(off([102, 90, 63]));
  });

  it('of one bone are whole, and cost nothing', () => {
    const [{ values, error }] = roundWeights(
      Float32Array.of(1, 0),
      Uint16Array.of(3, 0),
      origin,
      2,
      [{ whole: 255, step: 1 }],
      model([0, 1]),
    );
    expect([...values]).toEqual([255, 0]);
    expect(error).toBe(0);
  });
});

it('joints stay in the slot they had', () => {
  // The second vertex has bones 7 and 5 of the first in other slots, and a new one.
  const joints = Uint8Array.of(5, 7, 0, 0, 7, 9, 5, 0);
  const weights = Uint16Array.of(40000, 25535, 0, 0, 30000, 20000, 15535, 0);
  alignSlots(joints, weights);
  expect([...joints]).toEqual([5, 7, 0, 0, 5, 7, 9, 0]);
  expect([...weights]).toEqual([40000, 25535, 0, 0, 15535, 30000, 20000, 0]);
});
