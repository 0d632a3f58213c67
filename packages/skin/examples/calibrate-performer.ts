import { calibratePerformer, createPuppet, startHeading, uprightMotion } from '@pelt/skin/puppet';
import { PERFORMER_BONES, PERFORMER_JOINTS, performerPose, stickRig } from '@pelt/testkit';

// A performer who stands for a second before a camera, turned away from it by 40°.
const frames = Array.from({ length: 31 }, () => performerPose({}, { headingDegrees: 40 }));
const seen = {
  name: 'standing',
  joints: PERFORMER_JOINTS,
  times: Float64Array.from(frames, (_, t) => t / 30),
  positions: Float32Array.from(frames.flatMap((pose) => [...pose])),
  confidence: new Float32Array(frames.length * PERFORMER_JOINTS.length).fill(1),
  camera: 'picture' as const,
};
const found = calibratePerformer(seen);
if (!found || Math.abs(found.yaw - 40) > 0.1) throw new Error('the performer is turned by 40 degrees');
const { motion, calibration } = uprightMotion(seen, found);
if (Math.abs(startHeading(motion)) > 1e-3) throw new Error('the performer faces forward now');
const puppet = createPuppet({
  character: stickRig('man', PERFORMER_BONES),
  performer: motion.joints,
  calibration,
  camera: motion.camera,
});
puppet.update(motion.positions.subarray(0, 3 * PERFORMER_JOINTS.length), 0);
