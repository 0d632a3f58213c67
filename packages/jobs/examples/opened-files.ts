import { writeSkinnedGlb } from '@pelt/io';
import { AnimationFile, MemoryFiles, MemoryOutputs, OpenedFiles, openAnimation, runJob } from '@pelt/jobs';

// A triangle with one bone, which moves up.
const moved = (y: number) => [1, 0, 0, 0, 0, 1, 0, y, 0, 0, 1, 0];
const rig = {
  name: 'lift',
  mesh: { name: 'lift', positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), triangles: Uint32Array.of(0, 1, 2) },
  bones: [{ name: 'lift', parent: -1, rest: Float64Array.from(moved(0)) }],
  weights: { slots: 1, bones: new Uint16Array(3), weights: Float32Array.of(1, 1, 1) },
};
const clip = { name: 'up', times: Float64Array.of(0, 1), transforms: Float64Array.of(...moved(0), ...moved(1)) };
const files = new MemoryFiles({ 'lift.glb': (await writeSkinnedGlb({ rig, clips: [clip] })).bytes });

// The job and whoever shows its input share what was read.
const opened = new OpenedFiles();
await runJob(
  { command: 'convert', inputs: ['lift.glb'], output: 'lift.mdd' },
  { files, opened, outputs: new MemoryOutputs() },
);
const { sequence } = await openAnimation(['lift.glb'], {}, { files, opened });
if (sequence.times.length !== 2) throw new Error('two frames');

const file = await opened.open({ path: 'lift.glb', format: 'glb', bytes: 0 }, { files, warn: console.warn });
if (!(file instanceof AnimationFile) || file.clips.join() !== 'up') throw new Error('one clip');
