import { createPuppet, retargetMotion } from '@pelt/skin/puppet';
import { dogCharacter, PERFORMER_JOINTS, performerPose } from '@pelt/testkit';

const { rig, registration } = dogCharacter(0.1);
const performer = PERFORMER_JOINTS;
const puppet = createPuppet({ character: rig, pairs: registration, performer });
const motion = {
  name: 'still',
  joints: performer,
  times: Float64Array.of(0, 0.5),
  positions: Float32Array.from([...performerPose({}), ...performerPose({})]),
  confidence: new Float32Array(2 * performer.length).fill(1),
};
const clip = retargetMotion({ puppet, motion }, { name: 'standing' });
if (clip.transforms.length !== 2 * 12 * rig.bones.length) throw new Error('a frame is missing');
