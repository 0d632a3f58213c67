import { mirrorMotion } from '@pelt/skin/puppet';
import { PERFORMER_JOINTS, performerPose } from '@pelt/testkit';

const motion = {
  name: 'wave',
  joints: PERFORMER_JOINTS,
  times: Float64Array.of(0),
  positions: performerPose({ leftShoulder: { degrees: [0, 0, 90] } }),
  confidence: new Float32Array(PERFORMER_JOINTS.length).fill(1),
};
const { joints, positions } = mirrorMotion(motion);
const height = (name: string) => positions[3 * joints.indexOf(name) + 1];
if (!(height('rightWrist') > height('leftWrist'))) throw new Error('the other arm is raised');
