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
const rest = () => poseFromJoints(LEG, {}).transforms;
const leg = new TwoBoneLimb(LEG, [2, 3, 4], [rest()]);

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

  it.each([0, 2, -2, -6])('bends a knee that is %s° from straight to the front, not backwards', (degrees) => {
    // At rest the knee is bent by 11.4°; it is straightened, and a little beyond.
    const straight = (2 * Math.atan2(0.1, 1) * 180) / Math.PI;
    const pose = poseFromJoints(LEG, { shin: { degrees: [degrees - straight, 0, 0] } }).transforms;
    leg.reach(pose, Float64Array.of(0, 0.3, 0));
    const [, , hip, knee, foot] = joints(pose);
    // The knee is in front, +Z, of the line from hip to foot.
    const share = (hip[1] - knee[1]) / (hip[1] - foot[1]);
    expect(knee[2] - (hip[2] + share * (foot[2] - hip[2]))).toBeGreaterThan(0.2);
    expect(knee[0]).toBeCloseTo(0, 6);
  });

  it('takes the hinge it is given where no pose shows one', () => {
    const straight = LEG.map((bone, j) => (j === 3 ? boneAt('shin', 2, 1, 0) : bone));
    const pose = poseFromJoints(straight, {}).transforms;
    const backwards = new TwoBoneLimb(straight, [2, 3, 4], [pose], { hinge: [1, 0, 0] });
    backwards.reach(pose, Float64Array.of(0, 0.3, 0));
    const out = new Float64Array(3);
    posedOrigin(straight[3], pose, 36, out);
    expect(out[2]).toBeLessThan(-0.2);
  });

  it('does not snap straight', () => {
    // A foot that is pulled down steadily, through the full extension of the leg.
    const bends = Array.from({ length: 60 }, (_, k) => {
      const pose = poseFromJoints(LEG, { shin: { degrees: [20, 0, 0] } }).transforms;
      leg.reach(pose, Float64Array.of(0, -0.003 * k, 0));
      const [, , hip, knee, foot] = joints(pose);
      return distance(hip, foot) / (distance(hip, knee) + distance(knee, foot));
    });
    const steps = bends.slice(1).map((value, k) => Math.abs(value - bends[k]));
    expect(Math.max(...bends)).toBeLessThan(1);
    expect(Math.max(...steps)).toBeLessThan(0.003);
  });

  it('leaves a limb without length or bend finite', () => {
    const pose = poseFromJoints(LEG, { thigh: { scale: [0, 0, 0] } }).transforms;
    leg.reach(pose, Float64Array.of(0.1, 0.1, 0));
    expect(pose.every(Number.isFinite)).toBe(true);
  });

  it('needs two bones with a length below the root', () => {
    expect(TwoBoneLimb.chainTo(LEG, 2)).toBeUndefined();
    expect(TwoBoneLimb.chainTo(LEG, 3)).toBeUndefined();
    expect(TwoBoneLimb.chainTo(LEG, 4)).toEqual([2, 3, 4]);
    expect(TwoBoneLimb.chainTo(LEG, 5)).toBeDefined();
  });
});
