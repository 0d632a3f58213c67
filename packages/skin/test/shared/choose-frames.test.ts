import { openNumerics } from '@pelt/math';
import type { MeshSequence } from '@pelt/model';
import { afterAll, describe, expect, it } from 'vitest';
import { chooseFrames } from '../../src/shared/choose-frames.ts';
import { prepareTrajectories } from '../../src/shared/trajectories.ts';

const numerics = await openNumerics({ threads: 1 });
afterAll(() => numerics.close());

describe('chooseFrames', () => {
  /** A triangle whose tip is at these heights, one per frame. */
  function chosen(heights: readonly number[], count: number): number[] {
    const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0.5, 0.5, 0);
    const frames = Float32Array.from(heights.flatMap((z) => [0, 0, 0, 1, 0, 0, 0, 1, 0, 0.5, 0.5, z]));
    const sequence: MeshSequence = {
      name: '',
      rest: { name: '', positions, triangles: Uint32Array.of(0, 1, 3, 1, 2, 3) },
      frames,
      times: Float64Array.from(heights, (_, t) => t),
    };
    return Array.from(chooseFrames(prepareTrajectories(sequence, numerics).trajectories, count));
  }

  it('takes all frames where they are few enough', () => {
    expect(chosen([0, 1, 2], 3)).toEqual([0, 1, 2]);
    expect(chosen([0, 1, 2], 9)).toEqual([0, 1, 2]);
  });

  it('begins with the frame farthest from rest, then goes on with the one farthest from rest and from those chosen', () => {
    // −3 is farthest from the rest pose at 0, then 2; of the others, which are between, 0.2 is farthest from rest.
    expect(chosen([0, 0.1, 2, 0.05, -3, 0.2], 1)).toEqual([4]);
    expect(chosen([0, 0.1, 2, 0.05, -3, 0.2], 2)).toEqual([2, 4]);
    expect(chosen([0, 0.1, 2, 0.05, -3, 0.2], 3)).toEqual([2, 4, 5]);
  });

  it('finds a gesture of one frame among many of idling', () => {
    const heights = Array.from({ length: 60 }, (_, t) => (t === 37 ? 1 : 0.001 * Math.sin(t)));
    expect(chosen(heights, 4)).toContain(37);
  });

  it('takes fewer where all others are equal to one of them', () => {
    const frames = chosen([1, 1, 1, 1, 1, 1], 3);
    expect(frames.length).toBeGreaterThan(0);
    expect(frames.length).toBeLessThanOrEqual(3);
  });
});
