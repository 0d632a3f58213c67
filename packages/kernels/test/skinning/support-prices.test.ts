import { type Block, type Numerics, openNumerics, type Scope } from '@pelt/math';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SkinningSystem } from '../../src/index.ts';
import { plainError } from '../oracles/skinning.ts';
import { asTrajectories, type SkinnedCloud, skinnedCloud } from './scene.ts';

const [n, m, S, K] = [200, 6, 7, 3];
const VISIBLE = 0.01;

/** One vertex at the origin, a bone that stands still and one that moves by 1; the vertex is at `x` in the only frame. */
function twoBones(numerics: Numerics, x: number): SkinningSystem {
  const basis = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  const coefficients = Float64Array.of(x, 0, 0);
  const rest = new Float64Array(3);
  const system = new SkinningSystem(
    numerics,
    { rest, basis, coefficients, squaredNorms: Float64Array.of(x * x) },
    2,
    2,
  );
  const transforms = system.editTransforms();
  transforms.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], 0);
  transforms.set([1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0], 12);
  return system;
}

describe('prices of weights', () => {
  let numerics: Numerics;
  let scope: Scope;
  let cloud: SkinnedCloud;
  let candidates: Block<Int32Array>;
  beforeAll(async () => {
    numerics = await openNumerics({ threads: 1 });
    scope = numerics.scope();
    cloud = skinnedCloud(5, n, m, S, K);
    candidates = scope.i32From(Array.from({ length: n * m }, (_, k) => k % m));
  });
  afterAll(() => {
    scope.dispose();
    numerics.close();
  });

  /** Bones that do not meet the points, so that every weight has a use. */
  const inexact = () => {
    const system = new SkinningSystem(numerics, asTrajectories(cloud, S), m, K);
    const transforms = system.editTransforms();
    transforms.set(cloud.transforms);
    for (let k = 3; k < transforms.length; k += 12) transforms[k] += 0.1 * Math.sin(k);
    return system;
  };
  /** The second half of the bones has a price everywhere. */
  const halfPriced = (price: number) => {
    const priced = scope.u8(n * m);
    priced.view.forEach((_, k) => {
      priced.view[k] = k % m >= m / 2 ? 1 : 0;
    });
    return { priced, price, visible: VISIBLE };
  };
  const searches = {
    swaps: (system: SkinningSystem, price: number) => system.solveWeightsBySwaps(3, 0, halfPriced(price)),
    candidates: (system: SkinningSystem, price: number) =>
      system.solveWeightsAmong(candidates, m, undefined, halfPriced(price)),
  };
  /** Visible weights of priced bones at vertex i, and of all. */
  const visibleAt = (system: SkinningSystem, i: number) => {
    const slots = Array.from({ length: K }, (_, s) => i * K + s).filter((s) => system.weights.view[s] >= VISIBLE);
    return { priced: slots.filter((s) => system.boneIndices.view[s] >= m / 2).length, all: slots.length };
  };

  it('caps a weight where its price is above what that costs, on one vertex by hand', () => {
    const all = scope.i32From([0, 1]);
    const priced = scope.u8(2);
    priced.view[1] = 1;
    // Weight 0.05 is exact; held at 0.00999 it leaves (0.05 − 0.00999)² = 0.0016.
    for (const [price, weight] of [
      [0.001, 0.05],
      [0.002, 0.00999],
    ]) {
      const system = twoBones(numerics, 0.05);
      system.solveWeightsAmong(all, 2, undefined, { priced, price, visible: VISIBLE });
      const slot = system.boneIndices.view.indexOf(1);
      expect(system.weights.view[slot]).toBeCloseTo(weight, 9);
      expect(system.totalError()).toBeCloseTo((0.05 - weight) ** 2, 12);
      system.dispose();
    }
    // A vertex that follows the priced bone alone has no other.
    const system = twoBones(numerics, 1);
    system.solveWeightsAmong(scope.i32From([1, -1]), 2, undefined, { priced, price: 9, visible: VISIBLE });
    expect(Array.from(system.weights.view)).toEqual([1, 0]);
    system.dispose();
  });

  it.each(Object.entries(searches))('changes nothing by %s where the price is zero', (_, search) => {
    const [plain, priced] = [inexact(), inexact()];
    search(priced, 0);
    if (search === searches.swaps) plain.solveWeightsBySwaps(3, 0);
    else plain.solveWeightsAmong(candidates, m);
    expect(priced.weights.view).toEqual(plain.weights.view);
    plain.dispose();
    priced.dispose();
  });

  it.each(Object.entries(searches))(
    'leaves weights convex and the error true by %s, and none to pay at a high price',
    (_, search) => {
      const system = inexact();
      search(system, 1e6);
      for (let i = 0; i < n; i++) {
        const row = system.weights.view.subarray(i * K, (i + 1) * K);
        expect(row.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 12);
        expect(Math.min(...row)).toBeGreaterThanOrEqual(0);
        const trajectory = cloud.trajectories.subarray(i * 3 * S, (i + 1) * 3 * S);
        const bones = system.boneIndices.view.subarray(i * K, (i + 1) * K);
        const rest = cloud.rest.subarray(3 * i, 3 * i + 3);
        expect(system.error.view[i]).toBeCloseTo(
          plainError(rest, trajectory, system.transforms.view, m, bones, row),
          9,
        );
        const { priced, all } = visibleAt(system, i);
        // Where the search has found priced bones alone, one of them has to take the weight.
        expect(priced).toBeLessThanOrEqual(all === 1 ? 1 : 0);
      }
      system.dispose();
    },
  );

  it.each(Object.entries(searches))('lowers the sum of error and prices by %s', (_, search) => {
    const [plain, priced] = [inexact(), inexact()];
    search(plain, 0);
    const price = (30 * plain.totalError()) / n;
    search(priced, price);
    const cost = (system: SkinningSystem, i: number) => system.error.view[i] + price * visibleAt(system, i).priced;
    let lower = 0;
    for (let i = 0; i < n; i++) {
      if (search === searches.candidates) expect(cost(priced, i)).toBeLessThanOrEqual(cost(plain, i) + 1e-12);
      if (cost(priced, i) < cost(plain, i) - 1e-9) lower++;
    }
    expect(lower).toBeGreaterThan(n / 10);
    expect(priced.totalError()).toBeGreaterThan(plain.totalError());
    plain.dispose();
    priced.dispose();
  });
});
