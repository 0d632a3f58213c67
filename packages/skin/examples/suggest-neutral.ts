import { createPuppet, suggestNeutral } from '@pelt/skin/puppet';
import { PERFORMER_BONES, PERFORMER_JOINTS, performerPose, stickRig } from '@pelt/testkit';

const poses = [performerPose({ spine: { degrees: [40, 0, 0] } }), performerPose(), performerPose()];
const motion = {
  name: 'a bow',
  joints: PERFORMER_JOINTS,
  times: Float64Array.of(0, 1, 2),
  positions: Float32Array.from(poses.flatMap((pose) => [...pose])),
  confidence: new Float32Array(3 * PERFORMER_JOINTS.length).fill(1),
};
const neutral = suggestNeutral(motion);
const character = stickRig('man', PERFORMER_BONES);
// A humanoid needs no pairs.
const puppet = createPuppet({ character, performer: motion.joints, neutral });
if (puppet.humanoid?.bones.leftKnee !== 'leftKnee') throw new Error('the left knee was not recognised');
puppet.update(poses[0], 0);
