import { Random } from '@pelt/math';
import { describe, expect, it } from 'vitest';
import { ExampleSpace } from '../../../src/puppet/runtime/example-space.ts';
import { LinearProjection } from '../../../src/puppet/runtime/project-linear.ts';
import { PenalisedProjection } from '../../../src/puppet/runtime/project-penalised.ts';
import { solveByProgramme } from '../quadratic-programme.ts';

const POSITIVE = Number.POSITIVE_INFINITY;

function spaceOf(examples: number[][], ridge = 1e-10): ExampleSpace {
  return new ExampleSpace(Float64Array.from(examples.flat()), examples.length, ridge);
}

function project(examples: number[][], x: number[], penalty: number): number[] {
  const weights = new Float64Array(examples.length);
  new PenalisedProjection(spaceOf(examples), penalty).project(Float64Array.from(x), weights);
  return [...weights];
}

function expectClose(actual: number[], expected: number[], digits = 6): void {
  actual.forEach((value, k) => {
    expect(value, `weight ${k} of ${actual}`).toBeCloseTo(expected[k], digits);
  });
}

describe('PenalisedProjection', () => {
  it('gives an example its own weight', () => {
    const corners = [
      [0, 0],
      [1, 0],
      [0, 1],
    ];
    for (const penalty of [0, 0.1, POSITIVE]) {
      corners.forEach((corner, i) => {
        expectClose(
          project(corners, corner, penalty),
          corners.map((_, k) => Number(k === i)),
        );
      });
    }
  });

  it('slides from linear to positive as the penalty grows', () => {
    // Two examples at distance 1, a point one beyond: λ takes λ/d² from the weight below zero.
    const line = [[0], [1]];
    expectClose(project(line, [2], 0), [-1, 2]);
    expectClose(project(line, [2], 0.25), [-0.75, 1.75]);
    expectClose(project(line, [2], 0.99), [-0.01, 1.01]);
    expectClose(project(line, [2], 1.5), [0, 1]);
    expectClose(project(line, [2], POSITIVE), [0, 1]);
    // Between the examples the penalty changes nothing.
    for (const penalty of [0, 0.25, POSITIVE]) expectClose(project(line, [0.3], penalty), [0.7, 0.3]);
  });

  it('agrees with the split quadratic programme of another solver', () => {
    const random = new Random(11);
    for (let round = 0; round < 120; round++) {
      const N = 2 + (round % 7);
      const D = 2 + (round % 5) + N;
      const examples = Array.from({ length: N }, () => Array.from({ length: D }, () => random.normal()));
      const x = Array.from({ length: D }, () => 2 * random.normal());
      const lambda = [0.05, 0.5, 3, 20][round % 4];
      expectClose(project(examples, x, lambda), solveByProgramme(examples, x, lambda, true), 3);
      expectClose(project(examples, x, POSITIVE), solveByProgramme(examples, x, 0, false), 3);
    }
  });

  it('does not depend on where it was before', () => {
    const random = new Random(12);
    const examples = Array.from({ length: 12 }, () => Array.from({ length: 20 }, () => random.normal()));
    for (const penalty of [0.3, POSITIVE]) {
      const warm = new PenalisedProjection(spaceOf(examples), penalty);
      const weights = new Float64Array(12);
      for (let round = 0; round < 200; round++) {
        const x = Array.from({ length: 20 }, () => 2 * random.normal());
        warm.project(Float64Array.from(x), weights);
        expectClose([...weights], project(examples, x, penalty));
      }
    }
  });

  it('without a penalty is the linear projection', () => {
    const random = new Random(13);
    const space = spaceOf(Array.from({ length: 6 }, () => Array.from({ length: 9 }, () => random.normal())));
    const [a, b] = [new Float64Array(6), new Float64Array(6)];
    for (let round = 0; round < 20; round++) {
      const x = Float64Array.from({ length: 9 }, () => 3 * random.normal());
      new LinearProjection(space).project(x, a);
      new PenalisedProjection(space, 0).project(x, b);
      expectClose([...b], [...a]);
    }
  });

  it('keeps the weights of in-between poses when a pose that has nothing to do with them is added', () => {
    const [a, b, other] = [
      [0, 0, 0],
      [1, 0, 0],
      [0.4, -1, 0.3],
    ];
    for (const share of [0.24, 0.59, 0.85]) {
      // A little off the line, as a real pose is.
      const x = [share, 0.08, 0.01];
      const two = project([a, b], x, POSITIVE);
      expectClose(project([a, b, other], x, POSITIVE), [...two, 0]);
      // The linear projection takes the third pose in with a negative weight.
      expect(project([a, b, other], x, 0)[2]).toBeLessThan(-0.02);
    }
  });

  it('copes with one example, equal ones, too many and poses far away', () => {
    expectClose(project([[5]], [1e9], 0.1), [1]);
    const alike = project([[1], [1], [1]], [1], POSITIVE);
    expect(Math.min(...alike)).toBeGreaterThanOrEqual(0);
    expect(alike[0] + alike[1] + alike[2]).toBeCloseTo(1, 12);
    const crowd = Array.from({ length: 23 }, (_, i) => [Math.cos(i), Math.sin(i)]);
    for (const penalty of [0.1, POSITIVE]) {
      const w = project(crowd, [0.3, 0.2], penalty);
      expect(w.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 9);
      expect(w.reduce((sum, value, i) => sum + value * crowd[i][0], 0)).toBeCloseTo(0.3, 4);
      const far = project(crowd, [1e7, 0], penalty);
      expect(far.every(Number.isFinite)).toBe(true);
    }
    expect(Math.min(...project(crowd, [1e7, 1], POSITIVE))).toBe(0);
  });
});
