import {
  findBodyJoints,
  jointsAt,
  type Motion,
  nameBodyJoints,
  type SkeletonMotion,
  uniformTimes,
  validateMotion,
  validateSkeletonMotion,
} from '@pelt/model';

// Names of capture suites become the common names of the body's joints.
const names = ['mixamorig:Hips', 'mixamorig:LeftUpLeg', 'tail'];
if (findBodyJoints(names)[1] !== 'leftHip' || findBodyJoints(names)[2] !== undefined) throw new Error('no tail');
const joints = nameBodyJoints(names);
if (joints.join() !== 'hips,leftHip,tail') throw new Error('other names stay');

// Joint positions over time: S × J × 3, with a confidence for each.
const motion: Motion = {
  name: 'step',
  joints,
  positions: Float32Array.of(0, 1, 0, 0.1, 0.9, 0, 0, 1, -0.2, 0, 1, 0.1, 0.1, 0.9, 0.1, 0, 1, -0.1),
  confidence: new Float32Array(6).fill(1),
  times: uniformTimes(2, 30),
};
validateMotion(motion);
if (Math.fround(0.1) !== jointsAt(motion, 1)[2]) throw new Error('the hips moved along z');

// The same kind of thing by rotations, as BVH has it.
const skeleton: SkeletonMotion = {
  name: 'still',
  joints: [{ name: 'hips', parent: -1, offset: [0, 1, 0] }],
  times: uniformTimes(1, 30),
  rotations: Float64Array.of(0, 0, 0, 1),
  translations: Float64Array.of(0, 1, 0),
};
validateSkeletonMotion(skeleton);
