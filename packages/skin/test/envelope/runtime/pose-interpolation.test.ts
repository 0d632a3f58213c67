import { Random } from '@pelt/math';
import type { Bone } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { PoseInterpolation } from '../../../src/envelope/runtime/pose-interpolation.ts';

const bones: Bone[] = [-1, 0, 1].map((parent, j) => ({
  name: `bone ${j}`,
  parent,
  rest: new Float64Array([1, 0, 0, j, 0, 1, 0, 0, 0, 0, 1, 0]),
}));

function randomPoses(count: number): Float64Array[] {
  const random = new Random(7);
  return Array.from({ length: count }, () =>
    Float64Array.from({ length: 9 }, (_, k) => (k < 3 ? 0 : random.uniform())),
  );
}

describe('pose interpolation', () => {
  it('gives each example to itself alone', () => {
    const examples = randomPoses(6);
    const interpolation = new PoseInterpolation(bones, examples);
    examples.forEach((example, d) => {
      const weights = interpolation.at(example);
      for (let j = 0; j < 3; j++) {
        for (let e = 0; e < 6; e++) expect(weights[j * 6 + e]).toBeCloseTo(d === e ? 1 : 0, 9);
      }
    });
  });

  it('has weights that sum to 1 anywhere', () => {
    const interpolation = new PoseInterpolation(bones, randomPoses(5));
    const weights = interpolation.at(Float64Array.from({ length: 9 }, (_, k) => 3 * Math.sin(k)));
    for (let j = 0; j < 3; j++) {
      const sum = weights.subarray(5 * j, 5 * j + 5).reduce((total, value) => total + value, 0);
      expect(sum).toBeCloseTo(1, 9);
    }
  });

  it('is linear between two examples of one joint', () => {
    const turned = (angle: number) => new Float64Array([0, 0, 0, angle, 0, 0, 0, 0, 0]);
    const weights = new PoseInterpolation(bones, [turned(0), turned(2)]).at(turned(0.5));
    expect(weights[2]).toBeCloseTo(0.75, 12);
    expect(weights[3]).toBeCloseTo(0.25, 12);
  });

  it('keeps poses apart that differ in a far joint only', () => {
    const far = (angle: number) => new Float64Array([0, 0, 0, 0, 0, 0, angle, 0, 0]);
    const weights = new PoseInterpolation(bones, [far(0), far(1)]).at(far(1));
    expect(weights[1]).toBeCloseTo(1, 9);
  });

  it('takes a single example everywhere', () => {
    const weights = new PoseInterpolation(bones, [new Float64Array(9)]).at(new Float64Array(9).fill(0.4));
    expect(Array.from(weights)).toEqual([1, 1, 1].map((value) => expect.closeTo(value, 12)));
  });
});
