import { poseAt } from '@pelt/model';
import { AddedJoints } from '@pelt/skin/envelope/runtime';
import { elbowScene } from '@pelt/testkit';

const { rig, clip } = elbowScene({ frames: 2, rings: 5, sides: 4 });
const joints = new AddedJoints(rig.bones, new Float64Array(3 * rig.bones.length));
const transforms = joints.extend(poseAt(clip, 1, 2).transforms, new Float64Array(12 * joints.bones.length));
// Two bones with one joint, which adds three.
if (transforms.length !== 60) throw new Error(`${joints.bones.length} bones`);
