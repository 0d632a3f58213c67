import { suggestKeyPoses } from '@pelt/skin/puppet';
import { PERFORMER_JOINTS, performerPose } from '@pelt/testkit';

const poses = [0, 10, 80].map((angle) => [...performerPose({ leftShoulder: { degrees: [0, 0, angle] } })]);
const motion = {
  name: 'an arm is raised',
  joints: PERFORMER_JOINTS,
  times: Float64Array.of(0, 1, 2),
  positions: Float32Array.from(poses.flat()),
  confidence: new Float32Array(3 * PERFORMER_JOINTS.length).fill(1),
};
if (!suggestKeyPoses(motion, { count: 2 }).includes(2)) throw new Error('the raised arm is missing');
