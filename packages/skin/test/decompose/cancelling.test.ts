import { openNumerics } from '@pelt/math';
import { creatureScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { type DecomposeOptions, decompose, eigenSkin } from '../../src/decompose/index.ts';
import { expectCancels } from '../expect-cancels.ts';

const numerics = await openNumerics();
afterAll(() => numerics.close());

describe('cancelling a decomposition', () => {
  const scene = creatureScene({ frames: 36, detail: 0.03 });
  const { sequence } = scene;

  it.each<[string, Partial<DecomposeOptions>]>([
    ['rounds of SSDR', { bones: 14, rounds: 60 }],
    ['SMA', { method: 'sma', bones: 12 }],
    ['LSSP', { method: 'lssp', bones: 12 }],
    ['the search for the fewest bones', { maxError: 6, rounds: 16 }],
    ['a dense fit from two starts', { bones: 6, weights: 6, rounds: 60 }],
    ['bones for locked weights', { locked: { part: 'weights', rig: scene.rig } }],
  ])('stops %s within a second of processor time, and leaves nothing behind', (_, options) => {
    expectCancels(numerics, (run) => decompose(sequence, options, run));
    // The kernels work as before.
    expect(decompose(sequence, { bones: 2, rounds: 12 }, { numerics }).rig.bones.length).toBe(2);
  });

  it('stops EigenSkin', () => {
    const { rig, clip } = decompose(sequence, { bones: 4, rounds: 12 }, { numerics });
    expectCancels(numerics, (run) => eigenSkin({ sequence, rig, clip }, { rank: 12 }, run));
  });
});
