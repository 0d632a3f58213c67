import type { Clip, Rig } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { mirrorHelps } from '../../../src/pose/training/mirror-choice.ts';

/** A cross of points in the plane: a trunk, and four limbs with a bone each; limbs 0 and 1, 2 and 3 mirror each other in x. */
const ends = [
  [1, 1],
  [-1, 1],
  [1, -1],
  [-1, -1],
];
const positions: number[] = [0, 0, 0];
const bones: number[] = [4];
for (let limb = 0; limb < 4; limb++) {
  for (let k = 1; k <= 6; k++) {
    positions.push((k / 6) * ends[limb][0], (k / 6) * ends[limb][1], 0);
    bones.push(limb);
  }
}
const n = bones.length;
const rig: Rig = {
  name: 'cross',
  mesh: { name: 'cross', positions: Float32Array.from(positions), triangles: Uint32Array.of(0, 1, 2) },
  bones: ['a', 'b', 'c', 'd', 'trunk'].map((name) => ({ name, parent: -1, rest: transform(0) })),
  weights: { slots: 1, bones: Uint16Array.from(bones), weights: new Float32Array(n).fill(1) },
};

/** A limb that goes out of the plane, by its distance from the middle. */
function transform(slope: number, x = 0, y = 0): Float64Array {
  return Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, slope * x, slope * y, 1, 0);
}

function clipOf(slopes: readonly (readonly number[])[]): Clip {
  const transforms = slopes.flatMap((row) =>
    [...row, 0].flatMap((slope, limb) => [...transform(slope, ends[limb]?.[0], ends[limb]?.[1])]),
  );
  return { name: '', times: Float64Array.from(slopes.keys()), transforms: Float64Array.from(transforms) };
}

const mirrored = ([a, b, c, d]: readonly number[]) => [b, a, d, c];

describe('the choice of mirrored examples', () => {
  it('takes them where one side does what the other did', () => {
    const sculpts = [
      [0.3, 0, 0, 0],
      [0, 0.25, 0, 0],
      [0, 0, 0.3, 0],
      [0, 0, 0, 0.35],
    ];
    expect(mirrorHelps(rig, clipOf(sculpts), clipOf(sculpts.map(mirrored)))).toBe(true);
  });

  it('leaves them where sides differ in every example, as in a gallop', () => {
    const gait = [0.1, 0.2, 0.3, 0.4, 0.5].map((t) => [t, -0.4 * t, t * t, 0.5 - t]);
    expect(mirrorHelps(rig, clipOf(gait), clipOf(gait.map(mirrored)))).toBe(false);
  });

  it('has an answer for one example, and for none', () => {
    const one = [[0.3, 0, 0, 0]];
    expect(mirrorHelps(rig, clipOf(one), clipOf(one.map(mirrored)))).toBe(true);
    expect(mirrorHelps(rig, clipOf([]), clipOf([]))).toBe(true);
  });
});
