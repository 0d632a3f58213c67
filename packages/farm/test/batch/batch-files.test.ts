/** Batches as text: reading, sweeping, templates, pages, pictures. */
import { inflateSync } from 'node:zlib';
import { armScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { emitTemplate } from '../../src/batch/emit.ts';
import { readBatch } from '../../src/batch/read-batch.ts';
import { splitFit } from '../../src/batch/split-fit.ts';
import { summarise } from '../../src/batch/summary.ts';
import { summaryPage } from '../../src/batch/summary-page.ts';
import { readVariation, sweep } from '../../src/batch/sweep.ts';
import { thumbnail } from '../../src/batch/thumbnail.ts';

const line = (extra: object) => JSON.stringify({ command: 'convert', inputs: ['a.obj'], output: 'b.ply', ...extra });

describe('readBatch', () => {
  it('reads jobs, skipping comments and empty lines', async () => {
    const jobs = await readBatch(
      `# first\n\n${line({ id: 'a' })}\n${line({ id: 'b', output: 'c.ply', after: ['a'], priority: 5 })}\n`,
      'x',
    );
    expect(jobs.map(({ id, after, priority }) => ({ id, after, priority }))).toEqual([
      { id: 'a', after: [], priority: 0 },
      { id: 'b', after: ['a'], priority: 5 },
    ]);
  });

  it.each([
    ['', /has no jobs/],
    ['{', /line 1: not JSON/],
    ['[]', /line 1: a job is an object/],
    [line({ colour: 1 }), /has no 'colour'/],
    [line({ options: { nonsense: 1 } }), /line 1: convert: there is no option 'nonsense'/],
    [line({ priority: 'high' }), /priority is "high"/],
    [line({ after: 'a' }), /after is "a"/],
    [line({ after: ['z'] }), /there is no such job/],
    [`${line({ id: 'a' })}\n${line({ id: 'a', output: 'c.ply' })}`, /two jobs are called 'a'/],
    [`${line({ id: 'a' })}\n${line({ id: 'b' })}`, /both write 'b.ply'/],
    [`${line({ id: 'a', after: ['b'] })}\n${line({ id: 'b', output: 'c.ply', after: ['a'] })}`, /waits for itself/],
  ])('refuses %j', async (text, message) => {
    await expect(readBatch(text, 'jobs.jsonl')).rejects.toThrow(message);
  });
});

describe('sweep', () => {
  const fit = { command: 'fit', inputs: ['rest.obj', 'clip.pc2'], output: 'out/horse.glb', options: { weights: 4 } };

  it('makes a job of every combination, each with an output of its own', async () => {
    const jobs = await sweep(fit, ['bones=8,12', 'method=ssdr,lssp'].map(readVariation));
    expect(jobs).toHaveLength(4);
    expect(jobs[1]).toMatchObject({
      output: 'out/horse-bones-8-method-lssp.glb',
      options: { weights: 4, bones: 8, method: 'lssp' },
    });
    const read = await readBatch(jobs.map((job) => JSON.stringify(job)).join('\n'), 'sweep');
    expect(new Set(read.map(({ output }) => output)).size).toBe(4);
  });

  it('spells options as a command line does', () => {
    expect(readVariation('--max-error=0.5,2mm')).toEqual({ option: 'maxError', values: [0.5, '2mm'] });
  });

  it('refuses what the command does not have', async () => {
    await expect(sweep(fit, [readVariation('colour=red')])).rejects.toThrow(/has no such option/);
    expect(() => readVariation('bones')).toThrow(/such as bones=8,12,20/);
  });
});

describe('splitFit', () => {
  const fit = { command: 'fit', inputs: ['a.obj', 'a.pc2'], output: 'out/huge.glb', options: { bones: 20 } };

  it('makes parts that wait for the bones, and a job that joins them', async () => {
    const jobs = await readBatch(
      splitFit(fit, 3)
        .map((line) => JSON.stringify(line))
        .join('\n'),
      'split',
    );
    expect(jobs.map(({ id, after }) => [id, after.length])).toEqual([
      ['bones', 0],
      ['1/3', 1],
      ['2/3', 1],
      ['3/3', 1],
      ['join', 3],
    ]);
    expect(jobs[4].output).toBe('out/huge.glb');
    expect(jobs[4].request.options).toMatchObject({
      bones: 20,
      stage: 'join',
      from: ['out/huge-bones.part', 'out/huge-1of3.part', 'out/huge-2of3.part', 'out/huge-3of3.part'],
    });
  });

  it('is for fits', () => {
    expect(() => splitFit({ ...fit, command: 'reduce' }, 2)).toThrow("split is for fit; 'reduce' has no stages");
  });
});

describe('emitTemplate', () => {
  it('names every line of the batch', () => {
    expect(emitTemplate('slurm', 'jobs.jsonl', [1, 2, 3, 5])).toContain('--array=1-3,5\n');
    expect(emitTemplate('k8s', 'jobs.jsonl', [1, 3])).toContain('set -- 1 3\n');
    const { steps } = JSON.parse(emitTemplate('openjd', 'jobs.jsonl', [2, 4]));
    expect(steps[0].parameterSpace.taskParameterDefinitions[0].range).toEqual([2, 4]);
  });

  it('refuses names that a shell would read', () => {
    expect(() => emitTemplate('slurm', 'a"; rm -rf "', [1])).toThrow(/quotes/);
  });
});

describe('the summary', () => {
  const done = { command: 'fit', output: 'o.glb', state: 'done', seconds: 1, bytes: 1000 } as const;
  const rows = summarise([
    { ...done, id: 'small', report: { error: { eRms: 1 } } },
    { ...done, id: 'large', report: { after: { error: { eRms: 3 } } } },
    { ...done, id: 'none' },
    { ...done, id: '<b>bad</b>', state: 'failed', message: 'a & b' },
  ]);

  it('has the worst first', () => {
    expect(rows.map(({ id }) => id)).toEqual(['<b>bad</b>', 'large', 'small', 'none']);
  });

  it('is a page that shows names as text and loads nothing', () => {
    const page = summaryPage(rows, new Map([['small', new Uint8Array([1])]]), '<title>');
    expect(page).not.toContain('<b>bad');
    expect(page).toContain('&#60;b&#62;bad');
    expect(page).toContain('src="data:image/png;base64,AQ=="');
    expect(page.match(/https?:/g)).toBeNull();
  });
});

describe('thumbnail', () => {
  it('draws a mesh in the middle of a PNG', () => {
    const png = Buffer.from(thumbnail(armScene({ frames: 2 }).sequence.rest));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    const at = png.indexOf('IDAT');
    const rows = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
    const alpha = (x: number, y: number) => rows[y * (1 + 2 * width) + 2 + 2 * x];
    expect(alpha(width / 2, height / 2)).toBe(255);
    expect(alpha(0, 0)).toBe(0);
  });

  it('draws nothing of nothing', () => {
    const nothing = { positions: new Float32Array(0), triangles: new Uint32Array(0) };
    expect(thumbnail(nothing).length).toBeGreaterThan(50);
  });
});
