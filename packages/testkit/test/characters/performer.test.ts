import { describe, expect, it } from 'vitest';
import { PERFORMER_JOINTS, PERFORMER_POSES, performerPose } from '../../src/index.ts';

function at(pose: Float32Array, name: string): number[] {
  const j = 3 * PERFORMER_JOINTS.indexOf(name);
  return [...pose.subarray(j, j + 3)];
}

const distance = (a: number[], b: number[]) => Math.hypot(...a.map((value, k) => value - b[k]));

describe('performerPose', () => {
  it('stands upright, the left hand at +X', () => {
    const pose = performerPose();
    expect(at(pose, 'head')[1]).toBeGreaterThan(1.6);
    expect(at(pose, 'leftHand')[0]).toBeGreaterThan(0.15);
    expect(at(pose, 'leftToes')[2]).toBeGreaterThan(at(pose, 'leftAnkle')[2]);
  });

  it('takes the poses that are named', () => {
    const straight = performerPose(PERFORMER_POSES.armsStraight);
    expect(at(straight, 'leftWrist')[0]).toBeGreaterThan(0.65);
    expect(at(straight, 'rightWrist')[0]).toBeLessThan(-0.65);
    expect(at(performerPose(PERFORMER_POSES.armsFront), 'leftWrist')[2]).toBeGreaterThan(0.5);
    expect(at(performerPose(PERFORMER_POSES.rightArmUp), 'rightWrist')[1]).toBeGreaterThan(1.9);
    expect(at(performerPose(PERFORMER_POSES.leftStep), 'leftAnkle')[2]).toBeGreaterThan(0.2);
    expect(at(performerPose(PERFORMER_POSES.bow), 'head')[2]).toBeGreaterThan(0.4);
    expect(at(performerPose(PERFORMER_POSES.leanLeft), 'head')[0]).toBeGreaterThan(0.2);
  });

  it('keeps the length of limbs', () => {
    const rest = performerPose();
    for (const pose of Object.values(PERFORMER_POSES).map((change) => performerPose(change))) {
      for (const [a, b] of [
        ['leftShoulder', 'leftElbow'],
        ['rightElbow', 'rightWrist'],
        ['leftHip', 'leftKnee'],
        ['rightKnee', 'rightAnkle'],
        ['hips', 'spine'],
      ]) {
        expect(distance(at(pose, a), at(pose, b))).toBeCloseTo(distance(at(rest, a), at(rest, b)), 6);
      }
    }
  });

  it('is placed, turned and sized', () => {
    const placed = performerPose({}, { at: [5, 0, 1], headingDegrees: 90, size: 2 });
    const rest = performerPose();
    // Facing +X, the left side points to −Z.
    expect(at(placed, 'leftShoulder')[0]).toBeCloseTo(5, 5);
    expect(at(placed, 'leftShoulder')[2]).toBeCloseTo(1 - 2 * at(rest, 'leftShoulder')[0], 5);
    expect(at(placed, 'leftShoulder')[1]).toBeCloseTo(2 * at(rest, 'leftShoulder')[1], 5);
  });
});
