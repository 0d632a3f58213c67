import { openNumerics } from '@pelt/math';
import { creatureScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { FitProblem } from '../../src/decompose/fit-problem.ts';
import { decompose } from '../../src/decompose/index.ts';
import { grownRegions, startFromRegions } from '../../src/decompose/region-start.ts';
import { edgeGraph } from '../../src/shared/mesh/edge-graph.ts';
import { type Motion, movingBoxes } from './moving-boxes.ts';

const numerics = await openNumerics({ threads: 1 });
afterAll(() => numerics.close());

/** A strip of triangles over vertices 0 … n − 1, each joined to the next two. */
function strip(n: number) {
  return edgeGraph(
    Uint32Array.from({ length: 3 * (n - 2) }, (_, k) => Math.floor(k / 3) + (k % 3)),
    n,
  );
}

describe('regions', () => {
  it('meet where the error of one exceeds that of the other', () => {
    // Errors grow from zero for the first and fall to zero for the second; they are equal between vertices 6 and 7.
    const regions = grownRegions(strip(20), Int32Array.of(0, 19), (i, j) => (j === 0 ? 2 * i : 19.5 - i));
    expect(Array.from(regions)).toEqual(Array.from({ length: 20 }, (_, i) => (i <= 6 ? 0 : 1)));
  });

  it('are connected, hold their seeds, and leave out what no seed reaches', () => {
    const { sequence } = creatureScene({ frames: 12, detail: 0.05 });
    const problem = FitProblem.of(sequence, { numerics });
    const seeds = Int32Array.of(3, 50, 51, 200);
    const regions = grownRegions(problem.graph, seeds, (i, j) => Math.abs(Math.sin(i * (j + 1))));
    seeds.forEach((seed, j) => {
      const reached = new Set([seed]);
      for (const i of reached) {
        for (let e = problem.graph.starts[i]; e < problem.graph.starts[i + 1]; e++) {
          const beside = problem.graph.neighbours[e];
          if (regions[beside] === j) reached.add(beside);
        }
      }
      expect(reached.size).toBe(regions.filter((region) => region === j).length);
    });
    const lonely = { starts: Int32Array.of(0, 0, 1, 2), neighbours: Int32Array.of(2, 1) };
    expect(Array.from(grownRegions(lonely, Int32Array.of(1), () => 0))).toEqual([-1, 0, 0]);
  });

  it('start a fit of rigid parts exactly, also of parts that no seed is in', () => {
    const rising: Motion = (t) => ({ turn: 0, move: [0, 0.3 * t, 0] });
    const turning: Motion = (t) => ({ turn: 0.2 * t, move: [0, 0, 0] });
    const sinking: Motion = (t) => ({ turn: -0.1 * t, move: [0, 0, -0.2 * t] });
    // Three seeds for four boxes, of which the two in the middle move alike.
    const problem = FitProblem.of(movingBoxes(6, [turning, rising, rising, sinking]), { numerics });
    const before = numerics.allocatedBytes;
    const system = problem.system(3, 1);
    startFromRegions(system, problem, undefined);
    expect(problem.eRms(system.totalError())).toBeLessThan(1e-3);
    system.dispose();
    expect(numerics.allocatedBytes).toBe(before);
  });

  it.each(['ssdr', 'affine'] as const)('fit a creature with %s, not as well as clusters that move', (method) => {
    const { sequence } = creatureScene({ frames: 24, detail: 0.045 });
    const errorFrom = (start: 'clusters' | 'regions') =>
      decompose(sequence, { bones: 8, method, start, restPose: 'keep' }, { numerics }).error.eRms;
    const [clusters, regions] = [errorFrom('clusters'), errorFrom('regions')];
    expect(regions).toBeLessThan(2 * clusters);
    expect(clusters).toBeLessThan(1.02 * regions);
  });

  it('refuse what they cannot do', () => {
    const { sequence } = creatureScene({ frames: 4, detail: 0.08 });
    for (const other of [{ bones: 'auto' }, { maxError: 5 }] as const) {
      expect(() => decompose(sequence, { start: 'regions', ...other }, { numerics })).toThrow(/start 'regions'/);
    }
    // @ts-expect-error  the type has no such option, either
    expect(() => decompose(sequence, { start: 'regions', method: 'sma', bones: 4 }, { numerics })).toThrow(/'start'/);
    const one = decompose(sequence, { start: 'regions', bones: 1 }, { numerics });
    expect(one.rig.bones).toHaveLength(1);
  });
});
