import { publishedSsdr } from '@pelt/baselines';
import { openNumerics } from '@pelt/math';
import { CancelledError, InputError, type MeshSequence, UsageError, validateClip, validateRig } from '@pelt/model';
import { decompose } from '@pelt/skin/decompose';
import { creatureScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';

const numerics = await openNumerics();
afterAll(() => numerics.close());

describe('publishedSsdr', () => {
  const fit = (sequence: MeshSequence, options: Parameters<typeof publishedSsdr>[1] = {}) =>
    publishedSsdr(sequence, options, { numerics });

  const { sequence } = creatureScene({ frames: 8, detail: 0.08 });
  const still: MeshSequence = {
    ...sequence,
    frames: Float32Array.from([...sequence.rest.positions, ...sequence.rest.positions]),
    times: Float64Array.of(0, 1),
  };

  it('gives rest for rest', () => {
    const { rig, clip, error } = fit(still, { bones: 3 });
    validateRig(rig);
    validateClip(clip, rig.bones.length);
    expect(error.eRms).toBeLessThan(1e-3);
  });

  it('recovers parts that move rigidly, at any scale and place', () => {
    const parts = [0, 1, 2];
    // Three tetrahedra; part k rises by k in frame t.
    const corners = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
    const at = (t: number) =>
      parts.flatMap((k) => corners.map((x, c) => x + (c % 3 === 0 ? 4 * k : 0) + (c % 3 === 1 ? t * k : 0)));
    const triangles = Uint32Array.from(
      parts.flatMap((k) => [0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2].map((v) => v + 4 * k)),
    );
    for (const [scale, shift] of [
      [1, 0],
      [1e-3, 0],
      [1e3, 1e4],
    ]) {
      const placed = (t: number) => at(t).map((x) => scale * x + shift);
      const moved: MeshSequence = {
        name: '',
        rest: { name: '', positions: Float32Array.from(placed(0)), triangles },
        frames: Float32Array.from([0, 1, 2].flatMap(placed)),
        times: Float64Array.of(0, 1, 2),
      };
      const errors = [1, 2, 3, 4, 5].map((seed) => fit(moved, { bones: 3, seed }).error.eRms);
      // Random seeds may fall into one part; of several starts one finds all.
      expect(Math.min(...errors)).toBeLessThan(0.05);
    }
  });

  it('keeps to the number of bones and weights, with convex weights', () => {
    const { rig } = fit(sequence, { bones: 6, weights: 2 });
    expect(rig.bones).toHaveLength(6);
    expect(rig.weights.slots).toBe(2);
    validateRig(rig);
  });

  it('keeps the rest pose where asked to, and is no better for it', () => {
    const kept = fit(sequence, { bones: 6, restPose: 'keep' });
    const corrected = fit(sequence, { bones: 6 });
    expect(Math.max(...kept.rig.mesh.positions.map((x, k) => Math.abs(x - sequence.rest.positions[k])))).toBeLessThan(
      1e-6,
    );
    expect(corrected.error.eRms).toBeLessThanOrEqual(kept.error.eRms * 1.0001);
  });

  it('gives the same for the same seed, and is beaten by the descent that grew from it', () => {
    const one = fit(sequence, { bones: 8, restPose: 'keep' });
    expect(fit(sequence, { bones: 8, restPose: 'keep' })).toEqual(one);
    const own = decompose(sequence, { bones: 8, restPose: 'keep' }, { numerics });
    expect(own.error.eRms).toBeLessThan(one.error.eRms);
    // Yet it is a fit: the whole body as one bone is several times worse.
    expect(one.error.eRms).toBeLessThan(0.5 * fit(sequence, { bones: 1 }).error.eRms);
  });

  it('takes degenerate input, and refuses what makes no sense', () => {
    const point = { name: '', positions: Float32Array.of(1, 2, 3), triangles: new Uint32Array(0) };
    const moved = { name: '', rest: point, frames: Float32Array.of(2, 2, 3), times: Float64Array.of(0) };
    expect(fit(moved, { bones: 4 }).error.max).toBeLessThan(1e-5);
    const nothing = { ...moved, rest: { ...point, positions: new Float32Array(0) }, frames: new Float32Array(0) };
    expect(() => fit(nothing)).toThrow(InputError);
    expect(() => fit(sequence, { bones: 0 })).toThrow(UsageError);
    expect(() => fit(sequence, { weights: 1.5 })).toThrow(/weights is 1.5/);
    expect(() => fit(sequence, { rounds: 3 } as never)).toThrow(/unknown option 'rounds'/);
  });

  it('stops when it is told to, and keeps no memory', () => {
    const before = numerics.allocatedBytes;
    fit(sequence, { bones: 4 });
    let asked = 0;
    const signal = {
      get aborted() {
        return ++asked > 5;
      },
    };
    expect(() => publishedSsdr(sequence, { bones: 4 }, { numerics, signal })).toThrow(CancelledError);
    expect(numerics.allocatedBytes).toBe(before);
  });
});
