import { Random } from '@pelt/math';
import { describe, expect, it } from 'vitest';
import { ExampleSpace } from '../../../src/puppet/runtime/example-space.ts';
import { LinearProjection } from '../../../src/puppet/runtime/project-linear.ts';

const RIDGE = 1e-10;

function project(examples: number[][], x: number[], ridge = RIDGE): number[] {
  const space = new ExampleSpace(Float64Array.from(examples.flat()), examples.length, ridge);
  const weights = new Float64Array(examples.length);
  new LinearProjection(space).project(Float64Array.from(x), weights);
  return [...weights];
}

function expectClose(actual: number[], expected: number[], digits = 6): void {
  expect(actual).toHaveLength(expected.length);
  actual.forEach((value, k) => {
    expect(value).toBeCloseTo(expected[k], digits);
  });
}

describe('LinearProjection', () => {
  it('gives an example its own weight', () => {
    const examples = [
      [0, 0, 0],
      [1, 0, 0],
      [0, 2, 0],
    ];
    for (const i of [0, 1, 2])
      expectClose(
        project(examples, examples[i]),
        [0, 1, 2].map((k) => Number(k === i)),
      );
  });

  it('finds the weights of points between, beyond and beside two examples', () => {
    const line = [
      [0, 0],
      [2, 0],
    ];
    expectClose(project(line, [0.5, 0]), [0.75, 0.25]);
    expectClose(project(line, [4, 0]), [-1, 2]);
    // The part that no combination can express is dropped.
    expectClose(project(line, [1, 7]), [0.5, 0.5]);
  });

  it('sums to 1 and leaves a residual across the examples, whatever they are', () => {
    const random = new Random(4);
    for (let round = 0; round < 50; round++) {
      const N = 2 + (round % 9);
      const D = N + 3;
      const examples = Array.from({ length: N }, () => Array.from({ length: D }, () => random.normal()));
      const x = Array.from({ length: D }, () => 3 * random.normal());
      const w = project(examples, x);
      expect(w.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 9);
      const residual = x.map((value, d) => value - w.reduce((sum, weight, i) => sum + weight * examples[i][d], 0));
      for (let i = 1; i < N; i++) {
        const slope = residual.reduce((sum, value, d) => sum + value * (examples[i][d] - examples[0][d]), 0);
        expect(Math.abs(slope)).toBeLessThan(1e-6);
      }
    }
  });

  it('does not depend on the unit or the origin', () => {
    const random = new Random(5);
    const examples = Array.from({ length: 5 }, () => Array.from({ length: 8 }, () => random.normal()));
    const x = Array.from({ length: 8 }, () => random.normal());
    const plain = project(examples, x);
    for (const scale of [1e-6, 1e6]) {
      const moved = (row: number[]) => row.map((value, d) => scale * (value + d));
      expectClose(project(examples.map(moved), moved(x)), plain);
    }
  });

  it('shares the weight of repeated examples, and copes with one, and with more than there are dimensions', () => {
    const repeated = project([[0], [0], [1]], [0.5], 1e-8);
    expectClose(repeated, [0.25, 0.25, 0.5], 4);
    expectClose(project([[3, 4]], [9, 9]), [1]);
    expectClose(project([[1], [1]], [1]), [0.5, 0.5]);
    const many = project([[0], [1], [2], [3]], [1.5], 1e-8);
    expect(many.reduce((sum, value, i) => sum + value * i, 0)).toBeCloseTo(1.5, 4);
  });

  it('lets examples share their weight that noise does not distinguish, and no others', () => {
    // Two that are 1 mm apart, across the line to one that is far away; the pose is off that line by 2 cm.
    const examples = [
      [0, 0],
      [0, 0.001],
      [1, 0],
    ];
    const pose = (x: number) => Float64Array.of(x, x === 1 ? 0 : 0.02);
    const weigh = (x: number, noise: number) => {
      const weights = new Float64Array(3);
      const space = new ExampleSpace(Float64Array.from(examples.flat()), 3, RIDGE, noise);
      new LinearProjection(space).project(pose(x), weights);
      return [...weights];
    };
    const [plain, shared] = [weigh(0.2, 0), weigh(0.2, 0.03)];
    expect(Math.max(...plain.map(Math.abs))).toBeGreaterThan(3);
    expect(Math.max(...shared.map(Math.abs))).toBeLessThan(0.7);
    expect(shared[0] - shared[1]).toBeCloseTo(0, 1);
    expect(shared[2]).toBeCloseTo(0.2, 2);
    // The example that differs is met.
    expectClose(weigh(1, 0.03), [0, 0, 1], 3);
  });
});
