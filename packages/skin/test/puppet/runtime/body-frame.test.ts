import { PERFORMER_JOINTS, PERFORMER_POSES, performerPose } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { BodyFrame } from '../../../src/puppet/runtime/body-frame.ts';

function measure(positions: Float32Array, joints: readonly string[] = PERFORMER_JOINTS): BodyFrame {
  const frame = new BodyFrame(joints);
  frame.measure(positions);
  return frame;
}

describe('BodyFrame', () => {
  it('finds a performer of usual size at the origin, facing +Z', () => {
    const frame = measure(performerPose());
    expect(frame.heading).toBeCloseTo(0, 6);
    expect(frame.size).toBeCloseTo(1, 1);
    expect([...frame.origin].map((value) => Number(value.toFixed(5)))).toEqual([0, 0.92, 0]);
    expect(frame.lowest).toBeCloseTo(0.02, 5);
    expect(frame.chestOrigin[1]).toBeCloseTo(1.42, 5);
    [1, 0, 0, 0, 1, 0, 0, 0, 1].forEach((value, k) => {
      expect(frame.bodyAxes[k]).toBeCloseTo(value, 5);
      expect(frame.chestAxes[k]).toBeCloseTo(value, 5);
    });
  });

  it('follows place, heading and size, whatever the pose', () => {
    for (const pose of [
      PERFORMER_POSES.stand,
      PERFORMER_POSES.armsUp,
      PERFORMER_POSES.crouch,
      PERFORMER_POSES.leftStep,
    ]) {
      const plain = measure(performerPose(pose));
      const placed = measure(performerPose(pose, { at: [3, 1, -2], headingDegrees: 130, size: 0.7 }));
      expect(placed.heading - plain.heading).toBeCloseTo((130 * Math.PI) / 180, 4);
      expect(placed.size / plain.size).toBeCloseTo(0.7, 4);
      expect(plain.size).toBeCloseTo(measure(performerPose()).size, 5);
    }
  });

  it('counts turns, until it is reset', () => {
    const frame = new BodyFrame(PERFORMER_JOINTS);
    for (let degrees = 0; degrees <= 800; degrees += 20) frame.measure(performerPose({}, { headingDegrees: degrees }));
    expect(frame.heading).toBeCloseTo((800 * Math.PI) / 180, 4);
    frame.reset();
    frame.measure(performerPose({}, { headingDegrees: 80 }));
    expect(frame.heading).toBeCloseTo((80 * Math.PI) / 180, 4);
  });

  it('is not turned by hips and shoulders that turn against each other', () => {
    const twisted = measure(performerPose({ hips: { degrees: [0, 10, 0] }, spine: { degrees: [0, -20, 0] } }));
    expect(Math.abs(twisted.heading)).toBeLessThan((5 * Math.PI) / 180);
  });

  it('gives the chest its lean and twist', () => {
    const bowed = measure(performerPose({ spine: { degrees: [30, 0, 0] } }));
    const angle = Math.atan2(bowed.chestAxes[5], bowed.chestAxes[4]);
    expect((angle * 180) / Math.PI).toBeCloseTo(30, 4);
    for (let r = 0; r < 9; r += 3) {
      for (let q = 0; q < 9; q += 3) {
        let dot = 0;
        for (let k = 0; k < 3; k++) dot += bowed.chestAxes[r + k] * bowed.chestAxes[q + k];
        expect(dot).toBeCloseTo(Number(r === q), 9);
      }
    }
  });

  it('does with the joints there are', () => {
    const few = ['hips', 'neck', 'leftElbow', 'leftShoulder'];
    const pose = performerPose();
    const positions = Float32Array.from(
      few.flatMap((name) => [...pose.subarray(3 * PERFORMER_JOINTS.indexOf(name)).slice(0, 3)]),
    );
    const frame = measure(positions, few);
    expect([...frame.origin]).toEqual([0, Math.fround(0.95), 0]);
    expect(frame.heading).toBe(0);
    expect(frame.size).toBeCloseTo(0.29 / 0.29, 1);
    // Joints that are no body's: the middle, and the spread of the first pose for ever.
    const cloud = new BodyFrame(['a', 'b']);
    cloud.measure(Float32Array.of(-2, 0, 0, 2, 0, 0));
    expect(cloud.size).toBe(2);
    cloud.measure(Float32Array.of(-4, 1, 0, 4, 1, 0));
    expect(cloud.size).toBe(2);
    expect([...cloud.origin]).toEqual([0, 1, 0]);
  });

  it('keeps what a pose does not tell', () => {
    const frame = new BodyFrame(PERFORMER_JOINTS);
    frame.measure(performerPose({}, { headingDegrees: 40 }));
    // Upside down there is no heading.
    frame.measure(performerPose({ hips: { degrees: [0, 0, 180] } }));
    expect(frame.heading).toBeCloseTo((40 * Math.PI) / 180, 4);
    frame.measure(new Float32Array(PERFORMER_JOINTS.length * 3));
    expect(frame.heading).toBeCloseTo((40 * Math.PI) / 180, 4);
    expect(frame.chestAxes.every(Number.isFinite)).toBe(true);
    expect(frame.size).toBeGreaterThan(0);
  });

  it('has a heading when it lies on the side, and a tilt', () => {
    const frame = new BodyFrame(PERFORMER_JOINTS);
    frame.measure(performerPose({ hips: { degrees: [0, 0, 40] } }, { headingDegrees: 30 }));
    expect(frame.heading).toBeCloseTo((30 * Math.PI) / 180, 2);
    expect(frame.isTilted).toBe(false);
    frame.measure(performerPose({ hips: { degrees: [0, 0, 90] } }, { headingDegrees: 30 }));
    expect(frame.heading).toBeCloseTo((30 * Math.PI) / 180, 2);
    expect(frame.isTilted).toBe(true);
    // Left is up, up is right.
    expect(frame.tilt[3]).toBeCloseTo(1, 2);
    expect(frame.tilt[1]).toBeCloseTo(-1, 2);
  });

  it('measures the size by limbs that are tracked, and remembers the others', () => {
    const frame = new BodyFrame(PERFORMER_JOINTS);
    const standing = performerPose();
    frame.measure(standing);
    const { size } = frame;
    // A lost wrist stays where it was while the body goes on.
    const lost = new Uint8Array(PERFORMER_JOINTS.length);
    const wrist = PERFORMER_JOINTS.indexOf('leftWrist');
    lost[wrist] = 1;
    const gone = performerPose({}, { at: [2, 0, 0] });
    gone.set(standing.subarray(3 * wrist, 3 * wrist + 3), 3 * wrist);
    frame.measure(gone, undefined, lost);
    expect(frame.size).toBeCloseTo(size, 6);
  });

  it('knows when it has seen enough to place a body', () => {
    const frame = new BodyFrame(PERFORMER_JOINTS);
    const seen = new Uint8Array(PERFORMER_JOINTS.length);
    expect(frame.isPlaced(seen)).toBe(false);
    for (const name of ['leftHip', 'rightHip', 'leftShoulder', 'rightShoulder'])
      seen[PERFORMER_JOINTS.indexOf(name)] = 1;
    expect(frame.isPlaced(seen)).toBe(true);
    // Limbs that have not been seen do not count for the size.
    frame.measure(performerPose(), seen);
    expect(frame.size).toBeCloseTo(1, 1);
  });
});
