import { readFileSync } from 'node:fs';
import { readMotion } from '@pelt/io';
import { Random } from '@pelt/math';
import { type Motion, UsageError } from '@pelt/model';
import { PERFORMER_JOINTS, PERFORMER_POSES, performerPose, realData } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { suggestKeyPoses } from '../../../src/puppet/training/key-poses.ts';

function motionOf(poses: Float32Array[]): Motion {
  return {
    name: 'm',
    joints: PERFORMER_JOINTS,
    positions: Float32Array.from(poses.flatMap((pose) => [...pose])),
    confidence: new Float32Array(poses.length * PERFORMER_JOINTS.length).fill(1),
    times: Float64Array.from(poses, (_, t) => t / 10),
  };
}

const raised = (degrees: number, place = {}) => performerPose({ leftShoulder: { degrees: [0, 0, degrees] } }, place);

describe('suggestKeyPoses', () => {
  it('takes the typical pose first, then the ends', () => {
    const motion = motionOf([0, 20, 40, 60, 80, 100].map((degrees) => raised(degrees)));
    const [first, ...others] = suggestKeyPoses(motion, { count: 3 });
    expect([2, 3]).toContain(first);
    expect(others.sort()).toEqual([0, 5]);
  });

  it('does not mind where the performer is, and stops when nothing is new', () => {
    const poses = [PERFORMER_POSES.stand, PERFORMER_POSES.armsUp].map((pose) => performerPose(pose));
    const moved = performerPose(PERFORMER_POSES.armsUp, { at: [3, 0, 3], headingDegrees: 50 });
    expect(suggestKeyPoses(motionOf([...poses, moved]), { count: 10 })).toHaveLength(2);
    expect(suggestKeyPoses(motionOf([poses[0]]), { count: 10 })).toEqual([0]);
  });

  it('passes over frames without hips or shoulders, and those that lack many joints, unless all do', () => {
    const J = PERFORMER_JOINTS.length;
    const motion = motionOf([0, 50, 100].map((degrees) => raised(degrees)));
    motion.confidence[2 * J + PERFORMER_JOINTS.indexOf('leftHip')] = 0;
    expect(suggestKeyPoses(motion, { count: 3 })).not.toContain(2);
    motion.confidence.fill(1);
    motion.confidence.fill(0, 2 * J, 2 * J + 8);
    expect(suggestKeyPoses(motion, { count: 3 })).not.toContain(2);
    motion.confidence.fill(0);
    expect(suggestKeyPoses(motion, { count: 3 })).toHaveLength(3);
  });

  it('spreads its choice over a recording with occlusions', () => {
    // An arm goes up and down, with noise; one or another joint is always lost, but for a moment.
    const random = new Random(5);
    const frames = Array.from({ length: 120 }, (_, t) =>
      raised(60 + 60 * Math.sin(t / 9)).map((value) => value + 0.01 * random.normal()),
    );
    const motion = motionOf(frames);
    const J = PERFORMER_JOINTS.length;
    const occluded = ['leftHand', 'rightHand', 'leftToes', 'rightToes'].map((name) => PERFORMER_JOINTS.indexOf(name));
    for (let t = 0; t < 120; t++) if (t < 50 || t > 56) motion.confidence[t * J + occluded[t % 4]] = 0;
    const chosen = suggestKeyPoses(motion, { count: 6 });
    expect(chosen).toHaveLength(6);
    const sorted = [...chosen].sort((a, b) => a - b);
    expect(Math.min(...sorted.slice(1).map((t, k) => t - sorted[k]))).toBeGreaterThan(1);
    expect(sorted[5] - sorted[0]).toBeGreaterThan(60);
  });

  it('refuses a number of poses that is none', () => {
    for (const count of [0, -1, 1.5, Number.NaN]) {
      expect(() => suggestKeyPoses(motionOf([raised(0)]), { count })).toThrow(UsageError);
    }
  });

  const walk = realData('motion/cmu-walk.bvh');
  it.skipIf(!walk)('covers a walk better the more poses it may take (needs the measured data)', () => {
    const motion = readMotion(readFileSync(walk as string), { name: 'cmu-walk.bvh' });
    const [four, twelve] = [suggestKeyPoses(motion, { count: 4 }), suggestKeyPoses(motion, { count: 12 })];
    expect(twelve.slice(0, 4)).toEqual(four);
    expect(new Set(twelve).size).toBe(12);
  });
});
