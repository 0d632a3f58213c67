import { poseAt } from '@pelt/model';
import { AddedJoints } from '@pelt/skin/envelope/runtime';
import { elbowScene } from '@pelt/testkit';

// Two bones with one joint become five: the given ones, a half-way joint and two that swell.
const { rig, clip } = elbowScene({ frames: 2, rings: 5, sides: 4 });
const joints = new AddedJoints(rig.bones, new Float64Array(6));
const pose = joints.extend(poseAt(clip, 1, 2).transforms, new Float64Array(12 * joints.bones.length));
if (joints.bones.length !== 5 || !pose.every(Number.isFinite)) throw new Error('three joints are added');
