import { SkinningSystem } from '@pelt/kernels';
import { type Numerics, openNumerics } from '@pelt/math';
import { creatureScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { decompose } from '../../src/decompose/index.ts';
import { RestPoseStep } from '../../src/shared/rest-pose.ts';

const numerics = await openNumerics({ threads: 1 });
afterAll(() => numerics.close());

/**
 * One vertex at x = 1 and one bone that stands still. Frame one has the vertex at x = 2, frame two at x = 4, so that its
 * best place is x = 3.
 */
function still(numerics: Numerics): SkinningSystem {
  const identity = Float64Array.from({ length: 36 }, (_, k) => (k % 7 === 0 ? 1 : 0));
  const coefficients = Float64Array.of(2, 0, 0, 4, 0, 0);
  const trajectories = { rest: Float64Array.of(1, 0, 0), basis: identity, coefficients };
  const system = new SkinningSystem(numerics, { ...trajectories, squaredNorms: Float64Array.of(20) }, 1, 1);
  const transforms = system.editTransforms();
  for (let t = 0; t < 2; t++) transforms.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], 12 * t);
  system.editWeights().weights[0] = 1;
  system.measureError();
  return system;
}

describe('the rest pose of a fit', () => {
  it('moves as its mode says, on one vertex by hand', () => {
    const places = (['keep', 'free', 'near'] as const).map((mode) => {
      const system = still(numerics);
      const step = new RestPoseStep(system, mode);
      for (let round = 0; round < 40; round++) {
        step.correct();
        system.measureError();
      }
      const error = system.totalError();
      const x = system.rest.view[0];
      expect(step.merit(error)).toBeCloseTo(mode === 'near' ? Math.max(error, 2 * (x - 1) ** 2) : error, 9);
      step.enforce();
      expect(system.rest.view[0]).toBeCloseTo(x, 2);
      system.dispose();
      return x;
    });
    expect(places[0]).toBe(1);
    // minimise (x − 2)² + (x − 4)² + (x − 1)²
    expect(places[1]).toBeCloseTo(7 / 3, 12);
    // 2(x − 1)² = (x − 2)² + (x − 4)²
    expect(places[2]).toBeCloseTo(18 / 8, 1);
  });

  it('is shortened to the limit where it is beyond', () => {
    const system = still(numerics);
    system.editRest()[0] = 3;
    new RestPoseStep(system, 'near').enforce();
    expect(2 * system.restDisplacement()).toBeLessThan(system.totalError());
    expect(system.rest.view[0]).toBeCloseTo(18 / 8, 1);
    system.dispose();
  });

  it('stays within the RMS error of the frames by default, and lowers the error', () => {
    const { sequence } = creatureScene({ frames: 8, detail: 0.08 });
    const [keep, near, free] = (['keep', 'near', 'free'] as const).map((restPose) =>
      decompose(sequence, { bones: 5, restPose, rounds: 30 }, { numerics }),
    );
    expect(keep.restMoved).toEqual({ eRms: 0, max: 0 });
    expect(keep.rig.mesh.positions).toEqual(sequence.rest.positions);
    expect(near.restMoved.eRms).toBeGreaterThan(0);
    expect(near.restMoved.eRms).toBeLessThanOrEqual(near.error.eRms);
    expect(near.restMoved.max).toBeGreaterThan(0);
    expect(near.error.eRms).toBeLessThan(keep.error.eRms);
    expect(free.error.eRms).toBeLessThan(keep.error.eRms);
  });
});
