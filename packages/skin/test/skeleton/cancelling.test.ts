import { openNumerics } from '@pelt/math';
import { creatureScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { extractSkeleton, type SkeletonOptions } from '../../src/skeleton/index.ts';
import { expectCancels } from '../expect-cancels.ts';

const numerics = await openNumerics();
afterAll(() => numerics.close());

describe('cancelling the search for a skeleton', () => {
  const scene = creatureScene({ frames: 20, detail: 0.05 });

  it.each<[string, Partial<SkeletonOptions>]>([
    ['strict', { clusters: 16, rounds: 12, symmetry: true }],
    ['le-deng', { method: 'le-deng', clusters: 16, rounds: 12 }],
    ['schaefer-yuksel', { method: 'schaefer-yuksel', bones: 12 }],
    ['de-aguiar', { method: 'de-aguiar', bones: 12 }],
    ['hasler', { method: 'hasler', bones: 12 }],
    ['a given skeleton', { given: { bones: scene.rig.bones }, rounds: 24 }],
  ])('stops %s within a second of processor time, and leaves nothing behind', (_, options) => {
    expectCancels(numerics, (run) => extractSkeleton(scene.sequence, options, run));
    // The kernels work as before.
    const small = { given: { bones: scene.rig.bones }, rounds: 1 };
    expect(extractSkeleton(scene.sequence, small, { numerics }).rig.bones.length).toBe(scene.rig.bones.length);
  });
});
