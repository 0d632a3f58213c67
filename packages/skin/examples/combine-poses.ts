import { type Bone, poseFromJoints } from '@pelt/model';
import { combinePoses, jointMask } from '@pelt/skin/play/runtime';

const at = (x: number) => Float64Array.of(1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0);
const bones: Bone[] = [
  { name: 'trunk', parent: -1, rest: at(0) },
  { name: 'arm', parent: 0, rest: at(1) },
  { name: 'hand', parent: 1, rest: at(2) },
];

// A clip turns the trunk; on top of it a driver of the arm raises that and leaves the trunk to the clip.
const clip = poseFromJoints(bones, { trunk: { degrees: [0, 90, 0] } });
const driver = poseFromJoints(bones, { arm: { degrees: [0, 0, 45] }, trunk: { degrees: [30, 0, 0] } });
const mask = jointMask(bones, ['arm']); // the hand is below it
const pose = combinePoses(bones, [clip, { ...driver, mask }], new Float64Array(36));

const wanted = poseFromJoints(bones, { trunk: { degrees: [0, 90, 0] }, arm: { degrees: [0, 0, 45] } }).transforms;
if (pose.some((value, k) => Math.abs(value - wanted[k]) > 1e-12)) throw new Error('both drivers at once');
