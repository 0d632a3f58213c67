import { CancelledError, type Motion } from '@pelt/model';
import { PERFORMER_JOINTS, PERFORMER_POSES, performerPose } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { suggestNeutral } from '../../../../src/puppet/runtime/humanoid/suggest-neutral.ts';

function motionOf(poses: readonly Float32Array[]): Motion {
  return {
    name: 'm',
    joints: PERFORMER_JOINTS,
    positions: Float32Array.from(poses.flatMap((pose) => [...pose])),
    confidence: new Float32Array(poses.length * PERFORMER_JOINTS.length).fill(1),
    times: Float64Array.from(poses, (_, t) => t / 30),
  };
}
const standing = performerPose(PERFORMER_POSES.armsStraight);
const crouching = performerPose(PERFORMER_POSES.crouch);
const bowing = performerPose(PERFORMER_POSES.bow);

describe('suggestNeutral', () => {
  it('finds the performer standing, whatever the arms do', () => {
    expect([...(suggestNeutral(motionOf([crouching, bowing, standing, standing])) ?? [])]).toEqual([...standing]);
  });

  it('does not take a jump or a glide for it', () => {
    const airborne = performerPose({}, { at: [0, 0.3, 0] });
    const gliding = performerPose({}, { at: [0.3, 0, 0] });
    const motion = motionOf([airborne, gliding, standing, standing, airborne]);
    expect([...(suggestNeutral(motion) ?? [])]).toEqual([...standing]);
  });

  it('suggests nothing where nobody stands, is complete, or is a person', () => {
    expect(suggestNeutral(motionOf([crouching, bowing]))).toBeUndefined();
    expect(suggestNeutral(motionOf([crouching]), { limit: 180 })).toBeDefined();
    const lost = motionOf([standing]);
    lost.confidence.fill(0);
    expect(suggestNeutral(lost)).toBeUndefined();
    const other = { ...motionOf([standing]), joints: PERFORMER_JOINTS.map((name) => `${name} of a dog`) };
    expect(suggestNeutral(other)).toBeUndefined();
  });

  it('can be stopped', () => {
    const signal = AbortSignal.abort();
    expect(() => suggestNeutral(motionOf([standing]), {}, { signal })).toThrow(CancelledError);
  });
});
