/** What a fit shows of itself between rounds: valid rigs, on the caller's vertices, at no cost to the result. */
import { openNumerics } from '@pelt/math';
import { type Snapshot, validateClip, validateRig, vertexCount } from '@pelt/model';
import { armScene, chainScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { decompose, linearSequenceErrors } from '../../src/decompose/index.ts';
import { extractSkeleton } from '../../src/skeleton/index.ts';

describe('onSnapshot', () => {
  it('gives a rig per round that plays the sequence ever better, and changes nothing of the result', async () => {
    const { sequence } = armScene({ frames: 8 });
    const numerics = await openNumerics({ threads: 1 });
    const seen: Snapshot[] = [];
    const watched = decompose(sequence, { bones: 5 }, { numerics, onSnapshot: (take) => seen.push(take()) });
    const alone = decompose(sequence, { bones: 5 }, { numerics });
    numerics.close();

    expect(seen.length).toBeGreaterThan(5);
    for (const { rig, clip } of seen) {
      validateRig(rig);
      validateClip(clip, rig.bones.length);
      expect(vertexCount(rig.mesh)).toBe(vertexCount(sequence.rest));
    }
    const errors = seen.map(({ rig, clip }) => linearSequenceErrors({ sequence, rig, clip }).eRms);
    expect(errors.at(-1)).toBeLessThan(errors[0]);
    expect(errors.at(-1)).toBeLessThan(1.2 * watched.error.eRms);
    expect(watched.clip.transforms).toEqual(alone.clip.transforms);
    expect(watched.rig.weights).toEqual(alone.rig.weights);
  });

  it('is not called for a copy that nobody takes', async () => {
    const { sequence } = chainScene({ joints: ['hinge'], frames: 6 });
    const numerics = await openNumerics({ threads: 1 });
    let rounds = 0;
    extractSkeleton(sequence, {}, { numerics, onSnapshot: () => rounds++ });
    numerics.close();
    expect(rounds).toBeGreaterThan(0);
  });
});
