import { type Numerics, openNumerics } from '@pelt/math';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SkinningSystem } from '../../src/index.ts';
import { asTrajectories, errorAt, type SkinnedCloud, skinnedCloud } from './scene.ts';

const numerics = await openNumerics({ threads: 2 });
afterAll(() => numerics.close());

const [n, m, S, K] = [300, 7, 7, 3];

describe('best swaps', () => {
  let numerics: Numerics;
  let cloud: SkinnedCloud;
  const systems: SkinningSystem[] = [];
  const known = (slots = K) => {
    const made = new SkinningSystem(numerics, asTrajectories(cloud, S), m, slots);
    systems.push(made);
    made.editTransforms().set(cloud.transforms);
    return made;
  };
  /** Solves from the bone of least error alone, one swap or more for every vertex. */
  const swapped = (made: SkinningSystem, most: number, idle?: Uint8Array) => {
    const scope = numerics.scope();
    const flags = scope.u8(n);
    if (idle) flags.view.set(idle);
    made.solveWeightsByBestSwaps(most, 0, flags);
    idle?.set(flags.view);
    scope.dispose();
    return made;
  };
  beforeAll(async () => {
    numerics = await openNumerics({ threads: 2 });
    cloud = skinnedCloud(5, n, m, S, K);
  });
  afterAll(() => {
    for (const made of systems) made.dispose();
    numerics.close();
  });

  const errorOf = (made: SkinningSystem, i: number) => errorAt(cloud, made, i);

  /** n, the least error where one bone enters a full support and at least one leaves, or undefined if the support is not full. */
  const leastAfterSwap = (made: SkinningSystem): (number | undefined)[] => {
    const scope = numerics.scope();
    const candidates = scope.i32(n * made.K);
    const trial = known(made.K);
    const least = Array.from(made.error.view, (error, i): number | undefined => {
      const row = made.weights.view.subarray(i * made.K, (i + 1) * made.K);
      return row.every((w) => w > 0) ? error : undefined;
    });
    for (let leaving = 0; leaving < made.K; leaving++) {
      for (let entering = 0; entering < m; entering++) {
        candidates.view.set(made.boneIndices.view);
        for (let i = 0; i < n; i++) {
          const support = candidates.view.subarray(i * made.K, (i + 1) * made.K);
          if (!support.includes(entering)) support[leaving] = entering;
        }
        trial.solveWeightsAmong(candidates, made.K);
        least.forEach((error, i) => {
          if (error !== undefined) least[i] = Math.min(error, trial.error.view[i]);
        });
      }
    }
    scope.dispose();
    return least;
  };

  it('finds known weights for known bones, from nothing', () => {
    const made = swapped(known(), 8);
    expect(made.error.view.filter((error) => error < 1e-12).length).toBeGreaterThan(0.97 * n);
  });

  it('takes the best of all pairs of bones', () => {
    const made = swapped(known(2), 1);
    swapped(made, 2);
    const least = leastAfterSwap(made);
    swapped(made, 1);
    const full = least.flatMap((error, i) => (error === undefined ? [] : [{ error, i }]));
    expect(full.length).toBeGreaterThan(0.8 * n);
    // Gains are in closed form up to the signs of the weights: a pair whose weights would be negative may hide the best.
    const missed = full.filter(({ error, i }) => made.error.view[i] > error + 1e-9);
    expect(missed.length).toBeLessThan(0.05 * full.length);
  });

  it('never raises the error of a vertex, and measures it as the plain twin does', () => {
    const made = swapped(known(2), 1);
    const before = made.error.view.slice();
    swapped(made, 3);
    for (let i = 0; i < n; i++) {
      expect(made.error.view[i]).toBeLessThanOrEqual(before[i] + 1e-12);
      expect(made.error.view[i]).toBeCloseTo(errorOf(made, i), 9);
      const row = made.weights.view.subarray(2 * i, 2 * i + 2);
      expect(Math.min(...row)).toBeGreaterThanOrEqual(0);
      expect(row[0] + row[1]).toBeCloseTo(1, 12);
    }
  });

  it('ends no higher than swaps of the steepest bone', () => {
    const [best, steepest] = [known(2), known(2)];
    steepest.solveWeightsBySwaps(8, 0);
    expect(swapped(best, 8).totalError()).toBeLessThan(1.001 * steepest.totalError());
  });

  it('lets vertices rest for one round whose search found nothing', () => {
    const made = known(2);
    const idle = new Uint8Array(n);
    for (let round = 0; round < 6; round++) swapped(made, 3, idle);
    const [resting, supports] = [idle.slice(), made.boneIndices.view.slice()];
    expect(resting.reduce((sum, flag) => sum + flag, 0)).toBeGreaterThan(0.4 * n);
    swapped(made, 3, idle);
    for (let i = 0; i < n; i++) {
      if (resting[i] === 0) continue;
      expect(idle[i]).toBe(0);
      const [now, then] = [made.boneIndices.view, supports].map((all) => [...all.subarray(2 * i, 2 * i + 2)].sort());
      expect(now).toEqual(then);
    }
  });

  it('searches for a vertex that has lost its bones, although it should rest', () => {
    const made = swapped(known(2), 3);
    made.editWeights().weights.fill(0, 0, 2);
    swapped(made, 3, new Uint8Array(n).fill(1));
    expect(made.weights.view[0] + made.weights.view[1]).toBeCloseTo(1, 12);
  });

  it('does not enter a bone at vertices where its price is more than it gains', () => {
    const scope = numerics.scope();
    const [flags, idle] = [scope.u8(n * m), scope.u8(n)];
    for (let i = 0; i < n; i++) flags.view[i * m] = 1;
    const made = known(2);
    made.solveWeightsByBestSwaps(4, 0, idle, { priced: flags, price: 1e6, visible: 0.01 });
    for (let i = 0; i < n; i++) {
      for (let s = 2 * i; s < 2 * i + 2; s++)
        if (made.boneIndices.view[s] === 0) expect(made.weights.view[s]).toBeLessThan(0.01);
    }
    scope.dispose();
  });

  it('is the same with duplicate bones, which make every matrix singular', () => {
    const made = known(2);
    const transforms = made.editTransforms();
    for (let t = 0; t < S; t++) transforms.copyWithin((t * m + 1) * 12, t * m * 12, (t * m + 1) * 12);
    swapped(made, 8);
    for (let i = 0; i < n; i++) expect(made.error.view[i]).toBeCloseTo(errorOf(made, i), 9);
  });
});

describe('estimates of removal', () => {
  function estimated(slots: number) {
    const cloud = skinnedCloud(11, n, m, S, K);
    const made = new SkinningSystem(numerics, asTrajectories(cloud, S), m, slots);
    made.editTransforms().set(cloud.transforms);
    made.solveWeightsBySwaps(8, 0);
    const found = { estimates: made.removalEstimates(), costs: made.removalCosts() };
    made.dispose();
    return found;
  }

  it.each([1, 2, 3])('are near what removal costs, with %i weights', (slots) => {
    const { estimates, costs } = estimated(slots);
    for (let j = 0; j < m; j++) {
      expect(estimates[j]).toBeGreaterThan(0.8 * costs[j]);
      expect(estimates[j]).toBeLessThan(1.25 * costs[j]);
    }
  });

  it('are nothing for a bone that moves nothing', () => {
    const cloud = skinnedCloud(11, n, m, S, K);
    const made = new SkinningSystem(numerics, asTrajectories(cloud, S), m + 1, K);
    const transforms = made.editTransforms();
    for (let t = 0; t < S; t++) {
      transforms.set(cloud.transforms.subarray(t * m * 12, (t + 1) * m * 12), t * (m + 1) * 12);
      // A bone far away.
      transforms.set([1, 0, 0, 50, 0, 1, 0, 0, 0, 0, 1, 0], (t * (m + 1) + m) * 12);
    }
    made.solveWeightsBySwaps(8, 0);
    expect(made.removalEstimates()[m]).toBe(0);
    made.dispose();
  });
});
