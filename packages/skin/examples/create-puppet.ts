import { createPuppet } from '@pelt/skin/puppet';
import { dogCharacter, PERFORMER_JOINTS, performerPose } from '@pelt/testkit';

const { rig, registration } = dogCharacter(0.1);
const data = { character: rig, pairs: registration, performer: PERFORMER_JOINTS };
const puppet = createPuppet(data, { parts: 'body', contacts: 'auto' });
const { transforms } = puppet.update(performerPose({ leftElbow: { degrees: [0, 0, 40] } }), 0);
if (transforms.length !== 12 * rig.bones.length) throw new Error('not a pose of the dog');
