import { openNumerics } from '@pelt/math';
import type { MeshSequence } from '@pelt/model';
import { creatureScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { FitProblem } from '../../src/decompose/fit-problem.ts';
import { decompose } from '../../src/decompose/index.ts';
import { DECOMPOSE_DEFAULTS } from '../../src/decompose/options.ts';
import { fitFromSample } from '../../src/decompose/sampled-fit.ts';

const numerics = await openNumerics({ threads: 1 });
afterAll(() => numerics.close());

/** The vertices in another order. */
function permuted({ rest, frames, ...other }: MeshSequence): MeshSequence {
  const n = rest.positions.length / 3;
  const order = Array.from({ length: n }, (_, k) => (k * 7919) % n);
  const place = new Map(order.map((i, k) => [i, k]));
  const moved = (values: Float32Array) =>
    Float32Array.from({ length: values.length }, (_, k) => {
      const [t, i] = [Math.floor(k / (3 * n)), Math.floor((k % (3 * n)) / 3)];
      return values[3 * (t * n + order[i]) + (k % 3)];
    });
  const triangles = rest.triangles.map((i) => place.get(i) ?? 0);
  return { ...other, rest: { ...rest, positions: moved(rest.positions), triangles }, frames: moved(frames) };
}

describe('a fit by way of a sample', () => {
  const { sequence } = creatureScene({ frames: 70, detail: 0.028 });

  it('samples vertices and frames, whose trajectories are those of the problem', () => {
    const problem = FitProblem.of(sequence, { numerics });
    const { problem: coarse, owner, frames } = problem.sample(300, 7);
    expect(coarse.n).toBe(300);
    expect(Array.from(frames)).toEqual([0, 10, 20, 30, 40, 50, 60]);
    expect(owner.length).toBe(problem.n);
    // The position of a sampled vertex in frame 30, from the basis of each.
    const { basis, coefficients } = coarse.prepared.trajectories;
    const [r, R] = [coefficients.length / 300, problem.prepared.trajectories.coefficients.length / problem.n];
    const own = Array.from({ length: r }, (_, k) => coefficients[k] * basis[k * 21 + 9]).reduce((a, b) => a + b);
    const vertex = owner.findIndex((cell, i) => cell === 0 && samePlace(problem, i, coarse, 0));
    const all = problem.prepared.trajectories;
    const there = Array.from({ length: R }, (_, k) => all.coefficients[vertex * R + k] * all.basis[k * 210 + 90]);
    expect(own).toBeCloseTo(
      there.reduce((a, b) => a + b),
      3,
    );
    expect(problem.sample(problem.n, 70).problem).toBe(problem);
  });

  it('fits all vertices and frames as well as the sample', () => {
    const problem = FitProblem.of(sequence, { numerics });
    const before = numerics.allocatedBytes;
    const { system } = fitFromSample(problem, 6, 'rigid', { ...DECOMPOSE_DEFAULTS, rounds: 20 }, undefined);
    expect([system.n, system.S, system.m]).toEqual([problem.n, 70, 6]);
    expect(problem.eRms(system.totalError())).toBeLessThan(12);
    system.dispose();
    expect(numerics.allocatedBytes).toBe(before);
  });

  it('has nearly the same error whatever the order of the vertices', () => {
    const small = creatureScene({ frames: 6, detail: 0.05 }).sequence;
    const [one, other] = [small, permuted(small)].map(
      (copy) => decompose(copy, { bones: 6, rounds: 20 }, { numerics }).error.eRms,
    );
    expect(Math.abs(one - other)).toBeLessThan(0.05 * one);
  });
});

function samePlace(problem: FitProblem, i: number, other: FitProblem, k: number): boolean {
  const [a, b] = [problem.prepared.trajectories.rest, other.prepared.trajectories.rest];
  return [0, 1, 2].every((d) => a[3 * i + d] === b[3 * k + d]);
}
