import { type Numerics, openNumerics } from '@pelt/math';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VolumeIteration, VolumeSystem } from '../../src/index.ts';
import { bar, largestDifference } from './bar.ts';

/** A quarter of a turn at the far end of a bar of so many cells. */
function bent(numerics: Numerics, cells: number): VolumeSystem {
  const { rest, tetrahedra, ends } = bar(cells);
  const system = new VolumeSystem(numerics, rest, tetrahedra, { fixed: ends });
  const x = system.positions.view;
  for (const v of ends.filter((_, k) => k % 2 === 1)) {
    const [along, up] = [x[3 * v], x[3 * v + 1]];
    x[3 * v] = 0.6 * cells - up;
    x[3 * v + 1] = along - 0.4 * cells;
  }
  return system;
}

/** Rounds until one changes less than a tolerance, and where the vertices are then. */
function settle(numerics: Numerics, cells: number, accelerate: boolean, weight: number, tolerance: number) {
  const system = bent(numerics, cells);
  const iteration = new VolumeIteration(numerics, system, accelerate);
  iteration.beginAtPositions();
  let rounds = 1;
  while (iteration.round(weight) > tolerance && rounds < 5000) rounds++;
  iteration.finish();
  const positions = system.positions.view.slice();
  iteration.dispose();
  system.dispose();
  return { rounds, positions };
}

describe('volume iteration', () => {
  const pools: Numerics[] = [];
  beforeAll(async () => {
    for (const threads of [1, 2]) pools.push(await openNumerics({ threads }));
  });
  afterAll(() => {
    for (const pool of pools) pool.close();
  });

  it('has nothing to do at rest', () => {
    const { rest, tetrahedra, ends } = bar(5);
    const system = new VolumeSystem(pools[0], rest, tetrahedra, { fixed: ends });
    const iteration = new VolumeIteration(pools[0], system, true);
    iteration.beginAtPositions();
    for (let k = 0; k < 3; k++) expect(iteration.round(20)).toBeLessThan(1e-12);
    iteration.finish();
    expect(largestDifference(system.positions.view, rest)).toBeLessThan(1e-12);
    iteration.dispose();
    system.dispose();
  });

  it('makes plain rounds where it is told to, of an odd number of vertices too', () => {
    for (const cells of [4, 5]) {
      const system = bent(pools[0], cells);
      const iteration = new VolumeIteration(pools[0], system, false);
      iteration.beginAtPositions();
      for (let k = 0; k < 4; k++) iteration.round(5);
      iteration.finish();
      const found = system.positions.view.slice();
      iteration.dispose();
      system.dispose();
      const plain = bent(pools[0], cells);
      for (let k = 0; k < 4; k++) {
        const out = plain.step(5, new Float64Array(3 * plain.free.length));
        plain.free.forEach((v, f) => {
          plain.positions.view.set(out.subarray(3 * f, 3 * f + 3), 3 * v);
        });
      }
      // Rounds solve in single precision; each changes less than the one before.
      expect(largestDifference(found, plain.positions.view)).toBeLessThan(1e-6);
      plain.dispose();
    }
  });

  it('says what a round changed in root mean square distances from the centre', () => {
    const system = bent(pools[0], 5);
    const iteration = new VolumeIteration(pools[0], system, false);
    iteration.beginAtPositions();
    const before = system.positions.view.slice();
    const change = iteration.round(0);
    iteration.finish();
    const after = system.positions.view;
    const centre = [0, 1, 2].map((axis) => {
      return system.free.reduce((sum, v) => sum + after[3 * v + axis], 0) / system.free.length;
    });
    let [moved, spread] = [0, 0];
    for (const v of system.free) {
      for (let axis = 0; axis < 3; axis++) {
        moved += (after[3 * v + axis] - before[3 * v + axis]) ** 2;
        spread += (after[3 * v + axis] - centre[axis]) ** 2;
      }
    }
    expect(change).toBeCloseTo(Math.sqrt(moved / spread), 10);
    iteration.dispose();
    system.dispose();
  });

  it.each([0, 3])('ends where plain rounds end, in fewer, with volume weight %i', (weight) => {
    const plain = settle(pools[0], 12, false, weight, 1e-9);
    const fast = settle(pools[0], 12, true, weight, 1e-9);
    expect(largestDifference(fast.positions, plain.positions)).toBeLessThan(1e-5);
    expect(fast.rounds).toBeLessThan(0.5 * plain.rounds);
  });

  it('gives the same bits for 1 and 2 threads, and leaves no memory behind', () => {
    settle(pools[1], 40, true, 20, 1);
    const before = pools[1].allocatedBytes;
    const [one, two] = pools.map((pool) => settle(pool, 40, true, 20, 1e-4));
    expect(two.rounds).toBe(one.rounds);
    expect(two.positions).toEqual(one.positions);
    expect(pools[1].allocatedBytes).toBe(before);
  });
});
