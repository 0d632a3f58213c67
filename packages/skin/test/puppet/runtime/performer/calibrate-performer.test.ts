import { Random } from '@pelt/math';
import { InputError, jointsAt, type Motion, UsageError } from '@pelt/model';
import { PERFORMER_JOINTS, performerPose } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { calibratePerformer, startHeading, uprightMotion } from '../../../../src/puppet/index.ts';

const FPS = 30;

function motionOf(poses: readonly Float32Array[]): Motion {
  return {
    name: 'made',
    joints: PERFORMER_JOINTS,
    positions: Float32Array.from(poses.flatMap((pose) => [...pose])),
    confidence: new Float32Array(poses.length * PERFORMER_JOINTS.length).fill(1),
    times: Float64Array.from(poses, (_, t) => t / FPS),
    camera: 'picture',
  };
}

const standing = (seconds: number, headingDegrees = 0) =>
  Array.from({ length: Math.round(seconds * FPS) + 1 }, () => performerPose({}, { headingDegrees }));

/** As a camera that looks down by an angle sees it, with noise in metres. */
function seenFrom(motion: Motion, degrees: number, noise = 0): Motion {
  const random = new Random(3);
  const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const positions = motion.positions.slice();
  for (let k = 0; k < positions.length; k += 3) {
    const [x, y, z] = motion.positions.subarray(k, k + 3);
    positions.set(
      [x, c * y - s * z, s * y + c * z].map((value) => value + noise * random.normal()),
      k,
    );
  }
  return { ...motion, positions };
}

describe('calibratePerformer', () => {
  it('changes nothing for a performer who stands upright and faces the camera', () => {
    const found = calibratePerformer(motionOf(standing(1)));
    expect(found?.yaw).toBeCloseTo(0, 2);
    expect(found?.tilt).toBeLessThan(1);
    expect(found?.rotation[0]).toBeCloseTo(1, 4);
  });

  it('finds a heading and a tilt within three and two degrees under a centimetre of noise', () => {
    const found = calibratePerformer(seenFrom(motionOf(standing(1.5, -47)), 18, 0.01));
    expect(Math.abs((found?.yaw ?? 0) + 47)).toBeLessThan(3);
    expect(Math.abs((found?.tilt ?? 0) - 18)).toBeLessThan(2);
  });

  it('puts the performer upright and forward, at the lengths that limbs have', () => {
    const seen = seenFrom(motionOf(standing(1, 70)), -12);
    const found = calibratePerformer(seen);
    if (!found) throw new Error('nobody stands');
    const { motion } = uprightMotion(seen, found);
    const expected = performerPose();
    const placed = jointsAt(motion, 5);
    const hips = 3 * PERFORMER_JOINTS.indexOf('hips');
    const far = expected.map((value, k) => {
      const axis = k % 3;
      return Math.abs(placed[k] - placed[hips + axis] - (value - expected[hips + axis]));
    });
    // The line from ankles to shoulders of this performer leans by less than a degree.
    expect(Math.max(...far)).toBeLessThan(0.02);
    expect(found.lengths[0]).toBeCloseTo(0.29, 2);
  });

  it('finds the second in which a performer stands among others', () => {
    const bows = Array.from({ length: 40 }, (_, t) => performerPose({ spine: { degrees: [60 + t / 4, 0, 0] } }));
    const found = calibratePerformer(motionOf([...bows, ...standing(1.2), ...bows]));
    expect(found?.from).toBeGreaterThan(39 / FPS);
    expect(found?.to).toBeLessThan((40 + 37) / FPS + 1e-6);
  });

  it('finds nobody who walks, lies or is not there', () => {
    const lies = performerPose({ hips: { degrees: [-90, 0, 0] } });
    expect(calibratePerformer(motionOf(Array.from({ length: 40 }, () => lies)))).toBeUndefined();
    const strides = Array.from({ length: 60 }, (_, t) =>
      performerPose({
        leftHip: { degrees: [40 * Math.sin(t / 3), 0, 0] },
        rightHip: { degrees: [-40 * Math.sin(t / 3), 0, 0] },
      }),
    );
    expect(calibratePerformer(motionOf(strides))).toBeUndefined();
    const hands = { ...motionOf(standing(1)), joints: PERFORMER_JOINTS.map((name) => `no ${name}`) };
    expect(calibratePerformer(hands)).toBeUndefined();
    expect(() => calibratePerformer(hands, { frame: 0 })).toThrow(InputError);
  });

  it('takes a given frame, and a given direction', () => {
    const turned = motionOf([...standing(1, 30), ...standing(1, -30)]);
    expect(calibratePerformer(turned, { frame: 50 })?.yaw).toBeCloseTo(-30, 1);
    expect(calibratePerformer(turned, { frame: 50, forward: 'camera' })?.yaw).toBe(0);
    expect(calibratePerformer(turned, { frame: 5, forward: 12 })?.yaw).toBeCloseTo(12, 6);
    expect(() => calibratePerformer(turned, { frame: 1e6 })).toThrow(UsageError);
    expect(() => calibratePerformer(turned, { forward: Number.NaN })).toThrow(UsageError);
  });
});

describe('startHeading', () => {
  it('is that of the first frame, but for a reference pose before the motion', () => {
    expect((startHeading(motionOf(standing(1, 25))) * 180) / Math.PI).toBeCloseTo(25, 2);
    const sways = Array.from({ length: 30 }, (_, t) =>
      performerPose({ spine: { degrees: [t / 5, 0, 0] } }, { headingDegrees: 120 }),
    );
    expect((startHeading(motionOf([performerPose(), ...sways])) * 180) / Math.PI).toBeCloseTo(120, 0);
  });
});
