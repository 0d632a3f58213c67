import {
  countStates,
  emitTemplate,
  readBatch,
  readVariation,
  splitFit,
  summarise,
  summaryPage,
  sweep,
  thumbnail,
} from '@pelt/farm';

// Three fits of one animation, one a line.
const fit = { command: 'fit', inputs: ['rest.obj', 'clip.pc2'], output: 'out/horse.glb' };
const lines = await sweep(fit, [readVariation('bones=8,12,20')]);
const jobs = await readBatch(lines.map((line) => JSON.stringify(line)).join('\n'), 'jobs.jsonl');
if (jobs[2].output !== 'out/horse-bones-20.glb') throw new Error('values are a part of the names');

// One mesh that is larger than memory: bones, four parts of the weights beside each other, and what joins them.
if (splitFit(fit, 4).length !== 6) throw new Error('six jobs');

// For a farm manager of one's own.
if (!emitTemplate('slurm', 'jobs.jsonl', [1, 2, 3]).includes('--array=1-3')) throw new Error('one task a line');

// What a batch came to, as a table and as a page.
const states = jobs.map(({ id, output }, k) => ({
  id,
  command: 'fit',
  output,
  state: 'done' as const,
  report: { error: { eRms: 3 - k } },
}));
if (countStates(states).done !== 3) throw new Error('all of them');
const rows = summarise(states);
if (rows[0].id !== 'bones-8') throw new Error('the largest error comes first');
const picture = thumbnail({
  positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
  triangles: Uint32Array.of(0, 1, 2),
});
if (!summaryPage(rows, new Map([['bones-8', picture]]), 'horse').includes('image/png'))
  throw new Error('with its picture');
