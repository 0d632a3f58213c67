import { Random } from '@pelt/math';
import { type Bone, poseFromJoints } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { posedOrigin } from '../../../src/puppet/runtime/local-pose.ts';
import { TwoBoneLimb } from '../../../src/puppet/runtime/two-bone.ts';
import { expectClose } from '../expect-close.ts';

const boneAt = (name: string, parent: number, y: number, z: number): Bone => ({
  name,
  parent,
  rest: Float64Array.of(1, 0, 0, 0, 0, 1, 0, y, 0, 0, 1, z),
});
/** A leg, bent a little at the knee, with a joint at the hip that has no length. */
const LEG = [
  boneAt('hips', -1, 2.2, 0),
  boneAt('socket', 0, 2, 0),
  boneAt('thigh', 1, 2, 0),
  boneAt('shin', 2, 1, 0.1),
  boneAt('foot', 3, 0, 0),
  boneAt('toes', 4, 0, 0.3),
];

function joints(transforms: Float64Array): number[][] {
  return LEG.map((bone, j) => {
    const out = new Float64Array(3);
    posedOrigin(bone, transforms, 12 * j, out);
    return [...out];
  });
}

const distance = (a: number[], b: number[]) => Math.hypot(...a.map((value, k) => value - b[k]));
const leg = TwoBoneLimb.endingIn(LEG, 4) as TwoBoneLimb;
const rest = () => poseFromJoints(LEG, {}).transforms;

describe('TwoBoneLimb', () => {
  it('changes nothing for a shift of 0', () => {
    const pose = rest();
    leg.reach(pose, new Float64Array(3));
    expectClose(pose, rest(), 1e-9);
  });

  it('brings the foot where it is asked, keeps lengths and the foot’s orientation', () => {
    const random = new Random(21);
    for (let round = 0; round < 50; round++) {
      const pose = poseFromJoints(LEG, {
        thigh: { degrees: [20 * random.normal(), 0, 10 * random.normal()] },
        shin: { degrees: [15, 0, 0] },
        foot: { degrees: [10 * random.normal(), 30, 0] },
      }).transforms;
      const before = joints(pose);
      const orientation = pose.slice(48, 60).filter((_, k) => k % 4 !== 3);
      // Upwards, so that it is within reach.
      const shift = Float64Array.from({ length: 3 }, () => 0.05 * random.normal());
      shift[1] = 0.1 + Math.abs(shift[1]);
      leg.reach(pose, shift);
      const after = joints(pose);
      expectClose(
        after[4],
        before[4].map((value, k) => value + shift[k]),
        1e-9,
      );
      for (const [a, b] of [
        [2, 3],
        [3, 4],
        [4, 5],
      ]) {
        expect(distance(after[a], after[b])).toBeCloseTo(distance(before[a], before[b]), 9);
      }
      expectClose(
        pose.slice(48, 60).filter((_, k) => k % 4 !== 3),
        orientation,
        1e-9,
      );
      expectClose(after[2], before[2], 1e-12);
    }
  });

  it('reaches as far as it can', () => {
    const pose = rest();
    leg.reach(pose, Float64Array.of(0, -5, 0));
    const [, , hip, knee, foot] = joints(pose);
    expect(distance(hip, foot)).toBeGreaterThan(0.999 * (distance(hip, knee) + distance(knee, foot)));
    expect(foot[0]).toBeCloseTo(0, 9);
    expect(foot[2]).toBeCloseTo(0, 2);
  });

  it('leaves a limb without length or bend finite', () => {
    const pose = poseFromJoints(LEG, { thigh: { scale: [0, 0, 0] } }).transforms;
    leg.reach(pose, Float64Array.of(0.1, 0.1, 0));
    expect(pose.every(Number.isFinite)).toBe(true);
  });

  it('needs two bones with a length below the root', () => {
    expect(TwoBoneLimb.endingIn(LEG, 2)).toBeUndefined();
    expect(TwoBoneLimb.endingIn(LEG, 3)).toBeUndefined();
    expect(TwoBoneLimb.endingIn(LEG, 5)).toBeDefined();
  });
});
