import { openNumerics } from '@pelt/math';
import { chainScene, creatureScene, type Scene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { FitProblem } from '../../src/decompose/fit-problem.ts';
import { carriedSkeleton } from '../../src/skeleton/carry-skeleton.ts';
import { SKELETON_PLAN } from '../../src/skeleton/plan.ts';
import { type SearchOptions, searchSkeleton } from '../../src/skeleton/strict-search.ts';

const numerics = await openNumerics({ threads: 2 });
afterAll(() => numerics.close());

const OPTIONS: Omit<SearchOptions, 'bones'> = {
  clusters: 'auto',
  weights: 4,
  worth: 1e-3,
  negligible: 1e-6,
  rounds: 100,
  tolerance: 0.002,
  restStiffness: 1,
  jointPull: 3,
  search: SKELETON_PLAN,
};

describe('searchSkeleton', () => {
  /** Error per vertex and frame, in radii, and the number of bones, on a sample and after carrying over. */
  function search({ sequence }: Scene, bones: number, vertices: number, frames: number) {
    const problem = FitProblem.of(sequence, { numerics });
    const sample = problem.sample(vertices, frames);
    const found = searchSkeleton(sample.problem, { ...OPTIONS, bones }, undefined);
    found.system.measureError();
    const sampled = Math.sqrt(found.system.totalError() / (sample.problem.n * sample.problem.S));
    const { system, tree } = carriedSkeleton(sample, found, problem);
    system.measureError();
    const carried = Math.sqrt(system.totalError() / (problem.n * problem.S));
    const { m, n } = system;
    const sums = Array.from({ length: n }, (_, i) => {
      return system.weights.view.subarray(i * system.K, (i + 1) * system.K).reduce((sum, w) => sum + w, 0);
    });
    system.dispose();
    return { sampled, carried, m, sums, roots: tree.parents.filter((parent) => parent < 0).length };
  }

  it('finds the bones of a chain', () => {
    const scene = chainScene({ joints: ['hinge', 'ball', 'hinge'] });
    const { sampled, m, roots } = search(scene, 4, 1e6, 1e6);
    expect(m).toBe(4);
    expect(roots).toBe(1);
    expect(sampled).toBeLessThan(2e-3);
  });

  it('expects joints where they are with twice as many weights', () => {
    const scene = chainScene({ joints: ['ball', 'ball'], blend: 0.5, frames: 20 });
    const problem = FitProblem.of(scene.sequence, { numerics });
    // Every vertex of the chain has up to two weights; one alone leaves joints uncertain.
    const { system, joints, places, tree } = searchSkeleton(problem, { ...OPTIONS, bones: 3, weights: 1 }, undefined);
    system.dispose();
    const { centre, radius } = problem.prepared.space;
    const farthest = (points: Float64Array) => {
      const distances = tree.order.subarray(1).map((k) => {
        const point = [0, 1, 2].map((d) => radius * points[3 * k + d] + centre[d]);
        return 1e6 * Math.min(...scene.joints.map(({ center }) => Math.hypot(...center.map((c, d) => c - point[d]))));
      });
      return Math.max(...distances) / 1e6;
    };
    expect(places).toBeDefined();
    expect(farthest(places ?? joints)).toBeLessThan(0.01 * radius);
    expect(farthest(places ?? joints)).toBeLessThan(0.5 * farthest(joints));
  });

  it('gives one bone where one is asked for', () => {
    const { m } = search(chainScene({ joints: ['hinge'] }), 1, 1e6, 1e6);
    expect(m).toBe(1);
  });

  it('finds a creature on a sample, and carries it to all vertices and frames', () => {
    const scene = creatureScene({ detail: 0.06, frames: 12 });
    const { sampled, carried, m, sums } = search(scene, 12, 400, 8);
    expect(m).toBe(12);
    expect(sampled).toBeLessThan(4e-3);
    expect(carried).toBeLessThan(1e-2);
    for (const sum of sums) expect(sum).toBeCloseTo(1, 9);
  });
});
