import { openNumerics } from '@pelt/math';
import { CancelledError, type MeshSequence, validateRig } from '@pelt/model';
import { creatureScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { decompose } from '../../../src/index.ts';
import { HAS_LION, lionPoses } from '../lion-poses.ts';
import { movingBoxes } from '../moving-boxes.ts';

const numerics = await openNumerics({ threads: 2 });
afterAll(() => numerics.close());

describe("decompose with method 'lssp'", () => {
  const fit = (sequence: MeshSequence, bones: number, kernels = numerics) =>
    decompose(sequence, { method: 'lssp', bones }, { numerics: kernels });
  const turning = [0, 0.3, -0.4].map((speed) => (t: number) => ({ turn: speed * t, move: [0, 0, speed] as const }));

  it('has no error where the frames are the rest pose', () => {
    const still = movingBoxes(3, [() => ({ turn: 0, move: [0, 0, 0] })]);
    expect(fit(still, 1).error.eRms).toBeLessThan(1e-3);
    expect(fit(still, 4).error.eRms).toBeLessThan(1e-3);
  });

  it('recovers parts that move rigidly', () => {
    const { error, rig } = fit(movingBoxes(6, turning, { detail: 3 }), 3);
    expect(error.eRms).toBeLessThan(0.01);
    const { slots, weights } = rig.weights;
    for (let k = 0; k < weights.length; k += slots) expect(weights[k]).toBeCloseTo(1, 3);
  });

  it('gives convex weights, few of them, and proper rotations', () => {
    const { sequence } = creatureScene({ frames: 12, detail: 0.05 });
    const { rig, clip, error } = fit(sequence, 10);
    validateRig(rig);
    expect(rig.weights.slots).toBeLessThanOrEqual(4);
    expect(error.eRms).toBeLessThan(6);
    for (let k = 0; k < clip.transforms.length; k += 12) {
      const [a, b, c, , d, e, f, , g, h, i] = clip.transforms.subarray(k, k + 12);
      expect(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)).toBeCloseTo(1, 9);
    }
  });

  it('gives the same bits for one thread and two', async () => {
    const alone = await openNumerics({ threads: 1 });
    const { sequence } = creatureScene({ frames: 6, detail: 0.06 });
    const [one, two] = [alone, numerics].map((kernels) => fit(sequence, 6, kernels));
    expect(two.rig.weights).toEqual(one.rig.weights);
    expect(two.clip.transforms).toEqual(one.clip.transforms);
    alone.close();
  });

  it('takes more bones than parts, points without triangles and one vertex', () => {
    const boxes = movingBoxes(4, turning, { detail: 1 });
    const points = { ...boxes, rest: { ...boxes.rest, triangles: new Uint32Array(0) } };
    for (const sequence of [boxes, points]) expect(fit(sequence, 40).rig.bones.length).toBe(24);
    const point = { name: '', positions: Float32Array.of(1, 2, 3), triangles: new Uint32Array(0) };
    const moved = { name: '', rest: point, frames: Float32Array.of(2, 2, 3), times: Float64Array.of(0) };
    expect(fit(moved, 2).error.max).toBeLessThan(1e-5);
  });

  it('refuses what it cannot do, stops when it is told to, and keeps no memory', () => {
    const boxes = movingBoxes(3, turning);
    const before = numerics.allocatedBytes;
    // @ts-expect-error  the type has no such option, either
    expect(() => decompose(boxes, { method: 'lssp', maxError: 2 }, { numerics })).toThrow(
      /option 'maxError' has no effect on method 'lssp'; leave it out, or choose 'ssdr' or 'affine'/,
    );
    let asked = 0;
    const signal = {
      get aborted() {
        return ++asked > 12;
      },
    };
    expect(() => decompose(boxes, { method: 'lssp', bones: 3 }, { numerics, signal })).toThrow(CancelledError);
    fit(boxes, 3);
    expect(numerics.allocatedBytes).toBe(before);
  });

  it.skipIf(!HAS_LION)('does far better on the poses of a lion than published (needs the measured data)', () => {
    // Published: 7.7.
    expect(fit(lionPoses(), 21).error.eRms).toBeLessThan(4.5);
  });
});
