import { openNumerics } from '@pelt/math';
import { armScene, creatureScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { decompose, eigenSkin } from '../../src/index.ts';

const numerics = await openNumerics({ threads: 2 });
afterAll(() => numerics.close());

describe('EigenSkin', () => {
  it('has nothing to add where the rig gives the frames exactly', () => {
    const { sequence, rig, clip } = creatureScene({ frames: 6 });
    const { error, amounts } = eigenSkin({ sequence, rig, clip }, { rank: 2 }, { numerics });
    expect(error.eRms).toBeLessThan(1e-3);
    for (const amount of amounts) expect(Math.abs(amount)).toBeLessThan(1e-3);
  });

  it('lowers the error with every displacement, to nothing when there is one for every frame', () => {
    const { sequence } = armScene({ frames: 12 });
    const { rig, clip, error } = decompose(sequence, { bones: 3, rounds: 15 }, { numerics });
    const errors = [1, 2, 5, 12].map((rank) => eigenSkin({ sequence, rig, clip }, { rank }, { numerics }).error.eRms);
    expect(errors[0]).toBeLessThan(error.eRms);
    for (let k = 1; k < errors.length; k++) expect(errors[k]).toBeLessThan(errors[k - 1]);
    expect(errors[3]).toBeLessThan(0.02 * error.eRms);
  });

  it('gives unit displacements that do not repeat each other', () => {
    const { sequence } = armScene({ frames: 12 });
    const { rig, clip } = decompose(sequence, { bones: 3, rounds: 15 }, { numerics });
    const { deltas } = eigenSkin({ sequence, rig, clip }, { rank: 3 }, { numerics });
    const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, k) => sum + value * b[k], 0);
    for (const a of deltas) for (const b of deltas) expect(dot(a, b)).toBeCloseTo(a === b ? 1 : 0, 4);
  });

  it('takes more displacements than frames, and refuses none', () => {
    const { sequence, rig, clip } = creatureScene({ frames: 3 });
    expect(eigenSkin({ sequence, rig, clip }, { rank: 9 }, { numerics }).deltas.length).toBe(3);
    expect(() => eigenSkin({ sequence, rig, clip }, { rank: 0 }, { numerics })).toThrow(/rank is 0/);
  });
});
