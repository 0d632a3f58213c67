import { distancesToOriginal, poseSubject, type ViewSubject } from '@pelt/jobs/view';

const subject: ViewSubject = {
  label: 'a point that rises',
  positions: Float32Array.of(0, 0, 0),
  triangles: new Uint32Array(0),
  parts: [],
  clips: [{ name: 'rise', times: Float64Array.of(0, 1), frames: Float32Array.of(0, 0, 0, 0, 2, 0) }],
};
const [, y] = poseSubject(subject, 0, 1, new Float32Array(3));
if (y !== 2) throw new Error('the second frame is two units up');

const late: ViewSubject = {
  ...subject,
  clips: [{ name: 'rise', times: Float64Array.of(0, 1), frames: Float32Array.of(0, 0, 0, 0, 1, 0) }],
  original: { places: Uint32Array.of(0), diagonal: 4 },
};
const [percent] = distancesToOriginal(late, subject, 0, 1);
if (percent !== 25) throw new Error('one unit below its place, of a diagonal of four');
