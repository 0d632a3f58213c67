import { openNumerics } from '@pelt/math';
import { frameAt, poseAt } from '@pelt/model';
import { deformLinear, trainAddedJoints } from '@pelt/skin';
import { elbowScene } from '@pelt/testkit';

const numerics = await openNumerics();
const scene = elbowScene({ frames: 5, rings: 15, sides: 8 });
const { rig, joints } = trainAddedJoints(scene, {}, { numerics });
const pose = joints.extend(poseAt(scene.clip, 4, 2).transforms, new Float64Array(12 * rig.bones.length));
const posed = deformLinear(rig.mesh.positions, rig.weights, pose, new Float32Array(rig.mesh.positions.length));
const truth = frameAt(scene.sequence, 4);
if (posed.some((value, k) => Math.abs(value - truth[k]) > 0.1)) throw new Error('far from the example');
numerics.close();
