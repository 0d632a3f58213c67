import { openNumerics } from '@pelt/math';
import { type Bone, type Clip, type Dynamics, IDENTITY_TRANSFORM, InputError, uniformTimes } from '@pelt/model';
import { afterAll, describe, expect, test } from 'vitest';
import { standardMotions, suggestMotions } from '../../src/dynamics/index.ts';

const numerics = await openNumerics({ threads: 1 });
afterAll(() => numerics.close());

const bones: Bone[] = [{ name: 'hips', parent: -1, rest: Float64Array.from(IDENTITY_TRANSFORM) }];

/** The hips, shifted along an axis as a sine of so many hertz. */
function shifting(name: string, axis: 0 | 1 | 2, hertz: number, seconds = 2): Clip {
  const times = uniformTimes(seconds * 30 + 1, 30);
  const transforms = new Float64Array(12 * times.length);
  times.forEach((time, t) => {
    transforms.set(IDENTITY_TRANSFORM, 12 * t);
    transforms[12 * t + 4 * axis + 3] = (0.1 / hertz) * Math.sin(2 * Math.PI * hertz * time);
  });
  return { name, times, transforms };
}

const dynamics = {
  gravity: Float64Array.of(0, -1, 0),
  drivers: Uint16Array.of(0),
  posed: new Uint16Array(0),
  speeds: Float64Array.of(0.6, 2),
  poles: Float64Array.of(2 * Math.PI * 2, 0.1, 1),
} as unknown as Dynamics;

describe('suggestMotions', () => {
  test('what was learnt from is usual, and another axis is not', () => {
    const learnt = [shifting('x', 0, 1)];
    const offered = [shifting('x again', 0, 1), shifting('y', 1, 1)];
    const found = suggestMotions({ bones, learnt, offered, dynamics }, { seconds: 4 }, { numerics });
    expect(found.map(({ clip }) => clip)).toEqual(['y', 'x again']);
    expect(found[0].variance).toBeGreaterThan(10);
    expect(found[1].variance).toBeGreaterThan(0.5);
    expect(found[1].variance).toBeLessThan(1.5);
    for (const { from, to, pose } of found) expect([from <= pose, pose <= to]).toEqual([true, true]);
  });

  test('another rate of the same motion is new to what resonates', () => {
    const data = {
      bones,
      learnt: [shifting('slow', 0, 0.5)],
      offered: [shifting('slow', 0, 0.5), shifting('fast', 0, 2)],
    };
    const [first] = suggestMotions({ ...data, dynamics }, { seconds: 1 }, { numerics });
    expect(first.clip).toBe('fast');
    // Poses alone: a shift of the root is none.
    expect(suggestMotions(data, { seconds: 1 }, { numerics })).toEqual([]);
  });

  test('two takes of the same do not come before a third that differs', () => {
    const offered = [shifting('y', 1, 1), shifting('y again', 1, 1), shifting('z', 2, 1)];
    const found = suggestMotions({ bones, learnt: [shifting('x', 0, 1)], offered, dynamics }, {}, { numerics });
    expect(
      found
        .slice(0, 2)
        .map(({ clip }) => clip[0])
        .sort(),
    ).toEqual(['y', 'z']);
  });

  test('long clips are cut into windows, and ten seconds are enough', () => {
    const offered = [shifting('y', 1, 1, 30)];
    const found = suggestMotions({ bones, learnt: [shifting('x', 0, 1)], offered, dynamics }, {}, { numerics });
    expect(found).toHaveLength(5);
    for (const { from, to } of found) expect(to - from).toBeCloseTo(2, 6);
  });

  test('refuses to judge without anything known, and offers nothing where nothing is offered', () => {
    const learnt = [shifting('x', 0, 1)];
    expect(() => suggestMotions({ bones, learnt: [], offered: learnt }, {}, { numerics })).toThrow(InputError);
    expect(suggestMotions({ bones, learnt, offered: [] }, {}, { numerics })).toEqual([]);
  });
});

describe('standardMotions', () => {
  test('begin at rest, and are no faster than what was learnt from', () => {
    const motions = standardMotions(bones, dynamics);
    expect(motions.map(({ name }) => name)).toContain('turn hips about z at 4 Hz');
    for (const { times, transforms } of motions) {
      expect(Array.from(transforms.subarray(0, 12))).toEqual(Array.from(IDENTITY_TRANSFORM));
      for (let t = 1; t < times.length; t++) {
        const moved = [3, 7, 11].map((k) => transforms[12 * t + k] - transforms[12 * t - 12 + k]);
        expect(30 * Math.hypot(...moved)).toBeLessThan(1.1 * 0.6);
      }
    }
  });
});
