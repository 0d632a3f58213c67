import { studyProjections } from '@pelt/skin/puppet';
import { PERFORMER_JOINTS, performerPose } from '@pelt/testkit';

const poses = Array.from({ length: 30 }, (_, t) =>
  performerPose({ leftShoulder: { degrees: [0, 0, 5 * t] }, rightHip: { degrees: [-40 * Math.sin(t / 5), 0, 0] } }),
);
const motion = {
  name: 'wave',
  joints: PERFORMER_JOINTS,
  positions: Float32Array.from(poses.flatMap((pose) => [...pose])),
  confidence: new Float32Array(poses.length * PERFORMER_JOINTS.length).fill(1),
  times: Float64Array.from(poses, (_, t) => t / 30),
};
const tables = studyProjections({ motion }, { count: 4 });
const positive = tables.find(({ title }) => title === 'Weights, positive');
if (!positive?.rows.every(({ values }) => values.every((weight) => weight >= 0)))
  throw new Error('a weight is negative');
