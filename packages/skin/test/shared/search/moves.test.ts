import { openNumerics } from '@pelt/math';
import { chainScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import {
  cheapestFirst,
  copyOf,
  giveVertices,
  restartIdleBones,
  solveAddedBones,
  withBonesOn,
  withoutBones,
  worstVertex,
  worstVertices,
} from '../../../src/shared/search/moves.ts';
import { hingedSquares, knownSkeleton } from '../../skeleton/known-skeleton.ts';

const numerics = await openNumerics({ threads: 1 });
afterAll(() => numerics.close());

describe('moves of a search', () => {
  /** A line of five vertices. */
  const line = { starts: Int32Array.of(0, 1, 3, 5, 7, 8), neighbours: Int32Array.of(1, 0, 2, 1, 3, 2, 4, 3) };

  it('copies a system, bone for bone', () => {
    const { system } = knownSkeleton(numerics, hingedSquares());
    const copy = copyOf(system);
    expect(copy.weights.view).toEqual(system.weights.view);
    expect(copy.transforms.view).toEqual(system.transforms.view);
    expect(copyOf(system, 100).K).toBe(system.m);
    copy.dispose();
    system.dispose();
  });

  it('finds the worst vertices apart from each other, and goes on where all have no error', () => {
    expect(worstVertex([1, 3, 3, 0])).toBe(1);
    expect(worstVertices(Float64Array.of(5, 4, 1, 2, 3), line, 2, 2)).toEqual([0, 4]);
    // Nothing is left but vertices without an error: they are taken once each.
    expect(worstVertices(new Float64Array(5), line, 2, 1)).toEqual([0, 1]);
  });

  it('orders bones by cost, ties by index', () => {
    expect(cheapestFirst(Float64Array.of(2, 1, 1, 0))).toEqual([3, 1, 2, 0]);
  });

  it('adds bones on patches, which then move as their vertices do while the others stay', () => {
    const { system } = knownSkeleton(numerics, hingedSquares());
    const more = withBonesOn(system, [[0, 1, 2, 3]], 4);
    expect([more.m, more.K]).toEqual([3, 3]);
    const before = more.transforms.view.slice();
    solveAddedBones(more, 2);
    const { m, S } = more;
    for (let t = 0; t < S; t++) {
      const bone = (j: number) => more.transforms.view.slice((t * m + j) * 12, (t * m + j + 1) * 12);
      expect(bone(1)).toEqual(before.slice((t * m + 1) * 12, (t * m + 2) * 12));
      // The patch is the square that the first bone moves.
      bone(2).forEach((value, k) => {
        expect(value).toBeCloseTo(bone(0)[k], 5);
      });
    }
    expect(Array.from(more.locked.view)).toEqual([0, 0, 0]);
    more.dispose();
    system.dispose();
  });

  it('removes bones and gives their weights to the others of a vertex', () => {
    const { system } = knownSkeleton(numerics, chainScene({ joints: ['hinge', 'hinge'], blend: 0.5 }), 3);
    const fewer = withoutBones(system, [1]);
    expect(fewer.m).toBe(2);
    for (let i = 0; i < fewer.n; i++) {
      const sum = fewer.weights.view.subarray(i * fewer.K, (i + 1) * fewer.K).reduce((a, b) => a + b, 0);
      expect(sum === 0 || Math.abs(sum - 1) < 1e-12).toBe(true);
    }
    fewer.dispose();
    system.dispose();
  });

  it('starts a bone that nothing uses again where the error is largest, but not a locked one', () => {
    const { system, problem } = knownSkeleton(numerics, chainScene({ joints: ['hinge'] }), 2);
    const all = Array.from({ length: system.n }, (_, i) => i);
    giveVertices(system, all, 0);
    system.measureError();
    const worst = worstVertex(system.error.view);
    const rule = { support: 3, vertices: 6, most: 1 };
    system.locked.view[1] = 1;
    expect(restartIdleBones(system, problem.graph, rule)).toBe(0);
    system.locked.view[1] = 0;
    expect(restartIdleBones(system, problem.graph, rule)).toBe(1);
    expect(system.boneIndices.view[worst * system.K]).toBe(1);
    expect(system.mass(1, 1)).toBe(6);
    // A mesh with too few vertices for its bones has no use for the move.
    expect(restartIdleBones(system, problem.graph, { ...rule, support: system.n })).toBe(0);
    system.dispose();
  });
});
