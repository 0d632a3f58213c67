import { InputError, type MeshSequence, uniformTimes } from '@pelt/model';
import { swingScene } from '@pelt/testkit';
import { describe, expect, test } from 'vitest';
import { findDriver } from '../../src/dynamics/index.ts';

const TURN = [0, -1, 0, 1, 1, 0, 0, 2, 0, 0, 1, 3];
const STILL = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/** Points that follow a transform, but for those that also move by `wobble`. */
function moved(points: readonly number[][], T: readonly number[], wobble: (i: number) => number): number[] {
  return points.flatMap(([x, y, z], i) =>
    [0, 4, 8].map((r) => T[r] * x + T[r + 1] * y + T[r + 2] * z + T[r + 3] + wobble(i + r)),
  );
}

function sequenceOf(points: readonly number[][], frames: readonly (readonly number[])[]): MeshSequence {
  const triangles = Uint32Array.from({ length: 3 * (points.length - 2) }, (_, k) => Math.floor(k / 3) + (k % 3));
  const rest = { name: 'part', positions: Float32Array.from(points.flat()), triangles };
  return { name: 'clip', rest, frames: Float32Array.from(frames.flat()), times: uniformTimes(frames.length, 24) };
}

/** A plate of 3 × 4 points, and 88 points above it. */
const POINTS = Array.from({ length: 100 }, (_, i) =>
  i < 12 ? [i % 3, Math.floor(i / 3), 0] : [(i * 7) % 3, ((i * 5) % 17) / 4, 1 + i / 20],
);

describe('findDriver', () => {
  test('a rigid body moves with its driver, exactly', () => {
    const sequence = sequenceOf(POINTS, [moved(POINTS, STILL, () => 0), moved(POINTS, TURN, () => 0)]);
    const { rig, clip } = findDriver(sequence);
    expect(rig.bones.length).toBe(1);
    Array.from(clip.transforms).forEach((x, k) => {
      expect(x).toBeCloseTo([...STILL, ...TURN][k], 5);
    });
  });

  test('jelly is driven by its plate, found or named', () => {
    const turned = (t: number) => {
      const [c, d] = [Math.cos(0.1 * t), Math.sin(0.1 * t)];
      return [c, -d, 0, 0.05 * t, d, c, 0, 0, 0, 0, 1, 0];
    };
    const frames = Array.from({ length: 12 }, (_, t) =>
      moved(POINTS, turned(t), () => 0).map((x, k) => (k < 36 ? x : x + 0.3 * Math.sin(2 * t + k))),
    );
    const sequence = sequenceOf(POINTS, frames);
    const found = findDriver(sequence);
    expect(Array.from(found.vertices).every((i) => i < 12)).toBe(true);
    const named = findDriver(sequence, Uint32Array.of(0, 1, 2, 5, 9));
    for (const { clip } of [found, named]) {
      clip.transforms.subarray(12 * 11).forEach((x, k) => {
        expect(x).toBeCloseTo(turned(11)[k], 2);
      });
    }
  });

  test.each(['tail', 'ear'] as const)('the %s is driven by the joint that it hangs on', (name) => {
    const take = swingScene(name).take({ kind: 'turn', seed: 2, strength: 0.5 }, { seconds: 1, fps: 24 });
    const { clip, vertices } = findDriver(take.sequence);
    // Its first rings, of which the first do not bend.
    expect(Math.max(...vertices)).toBeLessThan(0.25 * (take.sequence.rest.positions.length / 3));
    const m = take.clip.transforms.length / clip.transforms.length;
    clip.transforms.forEach((x, k) => {
      const carrier = take.clip.transforms[12 * (Math.floor(k / 12) * m + m - 1) + (k % 12)];
      expect(Math.abs(x - carrier)).toBeLessThan(0.1);
    });
  });

  test('refuses what nothing drives', () => {
    const one = sequenceOf(POINTS, [POINTS.flat()]);
    expect(() => findDriver(one)).toThrow(InputError);
    const two = sequenceOf(POINTS, [POINTS.flat(), POINTS.flat()]);
    expect(() => findDriver(two, Uint32Array.of(1, 2))).toThrow(/3 or more/);
    expect(() => findDriver(two, Uint32Array.of(1, 2, 700))).toThrow(InputError);
  });
});
