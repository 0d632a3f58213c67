import { MEDIAPIPE_JOINTS } from '@pelt/io';
import { describe, expect, it } from 'vitest';
import { heldPose, limbsOf, mirrored, otherSide, type PerformerFrame } from '../../src/store/performer.ts';

const other = otherSide(MEDIAPIPE_JOINTS);
const J = MEDIAPIPE_JOINTS.length;

function frame(time: number, x: number, sure = 1): PerformerFrame {
  return {
    time,
    joints: Float32Array.from({ length: 3 * J }, (_, k) => x + k),
    confidence: new Float32Array(J).fill(sure),
    picture: new Float32Array(2 * J),
  };
}

describe('a performer', () => {
  it('has another side for every joint, and comes back by going there twice', () => {
    expect(MEDIAPIPE_JOINTS[other[MEDIAPIPE_JOINTS.indexOf('leftWrist')]]).toBe('rightWrist');
    expect(MEDIAPIPE_JOINTS[other[MEDIAPIPE_JOINTS.indexOf('mouthLeft')]]).toBe('mouthRight');
    expect(other[0]).toBe(0);
    expect(other.map((j) => other[j])).toEqual(Array.from({ length: J }, (_, j) => j));
  });

  it('is mirrored: left is right, and x is turned round', () => {
    const before = frame(1, 0);
    const after = mirrored(before, other);
    const [left, right] = ['leftWrist', 'rightWrist'].map((name) => MEDIAPIPE_JOINTS.indexOf(name));
    expect(after.joints[3 * left]).toBe(-before.joints[3 * right]);
    expect(after.joints[3 * left + 1]).toBe(before.joints[3 * right + 1]);
    expect(mirrored(after, other).joints).toEqual(before.joints);
  });

  it('holds the mean of the frames in which it is seen', () => {
    expect(heldPose([frame(0, 1), frame(1, 3), frame(2, 100, 0)], 0.3)?.[0]).toBeCloseTo(2, 6);
    expect(heldPose([frame(0, 1, 0)], 0.3)).toBeUndefined();
    expect(heldPose([], 0.3)).toBeUndefined();
  });

  it('is drawn with the limbs that a source knows', () => {
    expect(limbsOf(MEDIAPIPE_JOINTS).length).toBeGreaterThan(12);
    expect(limbsOf(['leftHip', 'leftKnee'])).toEqual([[0, 1]]);
    expect(limbsOf([])).toEqual([]);
  });
});
