import { MemoryFiles, MemoryOutputs, runJob } from '@pelt/jobs';

// Three frames of a square whose right half folds up, as files in memory.
const frame = (z: number) =>
  new TextEncoder().encode(`v 0 0 0\nv 0 1 0\nv 1 0 0\nv 1 1 0\nv 2 0 ${z}\nv 2 1 ${z}\nf 1 3 4 2\nf 3 5 6 4\n`);
const files = new MemoryFiles({ 'frames/1.obj': frame(0), 'frames/2.obj': frame(0.5), 'frames/3.obj': frame(1) });
const outputs = new MemoryOutputs();

const report = await runJob(
  { command: 'fit', inputs: ['frames'], output: 'fold.glb', options: { bones: 2 } },
  { files, outputs, onWarning: console.warn },
);
if (report.input.frames !== 3) throw new Error('a folder of frames is one animation');
if (outputs.files.get('fold.glb')?.length !== report.output.bytes) throw new Error('the file is in the outputs');
