import type { SkinningSystem } from '@pelt/kernels';
import { openNumerics } from '@pelt/math';
import type { Progress } from '@pelt/model';
import { creatureScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { breathe } from '../../src/decompose/breathing.ts';
import { FitProblem } from '../../src/decompose/fit-problem.ts';
import { type BoneKind, DECOMPOSE_DEFAULTS, type DecomposeOptions } from '../../src/decompose/options.ts';
import { clusterSeeding } from '../../src/decompose/plan.ts';
import { startFromClusters } from '../../src/shared/search/cluster-start.ts';

const numerics = await openNumerics({ threads: 1 });
afterAll(() => numerics.close());

const BONES = 6;

describe('breathing', () => {
  const { sequence } = creatureScene({ frames: 24, detail: 0.045 });
  const OPTIONS: DecomposeOptions = { ...DECOMPOSE_DEFAULTS, restPose: 'keep' };

  function settled(problem: FitProblem, kind: BoneKind, weights = OPTIONS.weights): SkinningSystem {
    const system = problem.system(BONES, weights);
    startFromClusters(system, numerics, problem.graph, clusterSeeding(problem.plan), undefined);
    problem.descend(system, kind, { ...OPTIONS, rounds: 30 }, undefined, { settle: false });
    return system;
  }

  it.each(['rigid', 'affine'] as const)('never raises the error of %s bones, and keeps their number', (kind) => {
    const problem = FitProblem.of(sequence, { numerics });
    const before = numerics.allocatedBytes;
    const start = settled(problem, kind);
    const error = start.totalError();
    const { system, iterations } = breathe(problem, start, kind, OPTIONS, undefined);
    expect([system.m, system.K]).toEqual([BONES, OPTIONS.weights]);
    expect(system.totalError()).toBeLessThanOrEqual(error);
    expect(iterations).toBeGreaterThan(0);
    system.dispose();
    expect(numerics.allocatedBytes).toBe(before);
  });

  it('reports no error above that of the fit it began with, whatever bones it tries', () => {
    const problem = FitProblem.of(sequence, { numerics });
    const start = settled(problem, 'rigid');
    const first = problem.eRms(start.totalError());
    const errors: number[] = [];
    const onProgress = ({ eRms = Number.NaN }: Progress) => errors.push(eRms);
    const { system } = breathe(problem, start, 'rigid', OPTIONS, { onProgress });
    expect(errors.length).toBeGreaterThan(20);
    expect(errors[0]).toBeCloseTo(first, 10);
    for (const error of errors) expect(error).toBeLessThanOrEqual(first);
    // Nor one of more bones, which would be below that of the result.
    expect(Math.min(...errors)).toBeGreaterThan(0.99 * problem.eRms(system.totalError()));
    system.dispose();
  });

  it('leaves the local minimum of a fit whose bones are nearly all in one place', () => {
    const problem = FitProblem.of(sequence, { numerics });
    const good = settled(problem, 'rigid', 1);
    // Two bones that move the character, and four that divide a patch among them.
    const start = problem.system(BONES, 1);
    const { bones, weights } = start.editWeights();
    for (let i = 0; i < problem.n; i++) {
      bones[i] = i < 40 ? 2 + (i % 4) : i % 2;
      weights[i] = 1;
    }
    start.solveRigidBones(1);
    start.solveWeightsBySwaps(0, 0);
    const bad = start.totalError();
    const { system } = breathe(problem, start, 'rigid', { ...OPTIONS, weights: 1 }, undefined);
    expect(bad).toBeGreaterThan(3 * good.totalError());
    expect(system.totalError()).toBeLessThan(1.2 * good.totalError());
    system.dispose();
    good.dispose();
  });

  it('does nothing where the mesh has no vertices for another bone', () => {
    const problem = FitProblem.of(sequence, { numerics });
    const start = problem.system(Math.floor(problem.n / 20), 1);
    const { system, iterations } = breathe(problem, start, 'rigid', OPTIONS, undefined);
    expect(system).toBe(start);
    expect(iterations).toBe(0);
    system.dispose();
  });
});
