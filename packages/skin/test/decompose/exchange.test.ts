import { openNumerics } from '@pelt/math';
import { armScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { breathe } from '../../src/decompose/breathing.ts';
import { exchangeAmong, exchangeParts } from '../../src/decompose/exchange.ts';
import { FitProblem } from '../../src/decompose/fit-problem.ts';
import { DECOMPOSE_DEFAULTS } from '../../src/decompose/options.ts';
import { clusterSeeding, FIT_PLAN } from '../../src/decompose/plan.ts';
import { startFromClusters } from '../../src/shared/search/cluster-start.ts';

const numerics = await openNumerics();
afterAll(() => numerics.close());

const { sequence } = armScene({ frames: 8 });
const problem = FitProblem.of(sequence, { numerics });
const options = { ...DECOMPOSE_DEFAULTS, restPose: 'keep', weights: 4, rounds: 20 } as const;

/** A fit of six bones whose clusters begin with patches of so many vertices. */
function fitFrom(vertices: number) {
  const system = problem.system(6, 4);
  startFromClusters(system, numerics, problem.graph, { ...clusterSeeding(FIT_PLAN), vertices }, undefined);
  problem.descend(system, 'rigid', options, undefined, { settle: false });
  return system;
}

describe('an exchange of parts', () => {
  it('changes nothing between a fit and itself', () => {
    const [one, same] = [fitFrom(20), fitFrom(20)];
    const before = one.transforms.view.slice();
    const { system, iterations } = exchangeParts(problem, one, same, 'rigid', options, undefined);
    expect(system).toBe(one);
    expect(iterations).toBe(0);
    expect(system.transforms.view).toEqual(before);
    one.dispose();
    same.dispose();
  });

  it('never raises the error, keeps the number of bones, and leaves no memory behind', () => {
    const before = numerics.allocatedBytes;
    const fits = [fitFrom(20), fitFrom(8), fitFrom(45)];
    const least = Math.min(...fits.map((fit) => fit.totalError()));
    const { system } = exchangeAmong(problem, fits, 'rigid', options, undefined);
    expect(system.m).toBe(6);
    system.measureError();
    expect(system.totalError()).toBeLessThanOrEqual(least * (1 + 1e-9));
    const breathed = breathe(problem, system, 'rigid', options, undefined).system;
    breathed.dispose();
    expect(numerics.allocatedBytes).toBe(before);
  });

  it('brings back a part that a fit lost', () => {
    const good = fitFrom(20);
    const bad = fitFrom(20);
    // One bone of the fit moves as another.
    const transforms = bad.editTransforms();
    for (let t = 0; t < bad.S; t++) transforms.copyWithin((t * 6 + 2) * 12, (t * 6 + 1) * 12, (t * 6 + 2) * 12);
    bad.solveWeightsBySwaps(3, 1e-4);
    const lost = bad.totalError();
    expect(lost).toBeGreaterThan(1.2 * good.totalError());
    const { system } = exchangeParts(problem, bad, good, 'rigid', options, undefined);
    expect(system.totalError()).toBeLessThan(1.1 * good.totalError());
    system.dispose();
    good.dispose();
  });
});
