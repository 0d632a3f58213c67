import { inflateSync } from 'node:zlib';
import { writeObj, writePc2, writeSkinnedGlb } from '@pelt/io';
import { type JobRequest, MemoryFiles, MemoryOutputs, runJob } from '@pelt/jobs';
import { creatureScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { dogFiles } from '../dog-files.ts';
import { Workspace } from '../workspace.ts';

const { sequence, rig, clip } = creatureScene({ frames: 6, detail: 0.12 });
const files = new MemoryFiles({
  'rest.obj': writeObj(sequence.rest)[0].bytes,
  'clip.pc2': writePc2(sequence),
  'rig.glb': (await writeSkinnedGlb({ rig, clips: [clip] })).bytes,
});

async function study(options: JobRequest<'study'>['options'], output = 'out/study.html') {
  const outputs = new MemoryOutputs();
  const request = { command: 'study', inputs: ['rest.obj', 'clip.pc2'], output, options } as const;
  const report = await runJob(request, { files, outputs });
  const text = (path: string) => new TextDecoder().decode(outputs.files.get(path));
  return { report, text, paths: [...outputs.files.keys()] };
}

/** Of a CSV without quotes. */
function cellsOf(csv: string): string[][] {
  return csv
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
}

describe('study', () => {
  it('runs methods side by side, and writes what they make of the data as a table and a page', async () => {
    const methods = ['ssdr', 'published-ssdr', 'affine', 'sma', 'schaefer-yuksel'] as const;
    const { report, text, paths } = await study({ methods: [...methods], bones: [3, 4], copies: 1, pictures: 60 });
    expect(paths).toEqual(['out/study.html', 'out/study.csv']);
    expect(report.rows.map(({ wanted, method }) => `${wanted} ${method}`)).toEqual(
      [3, 4].flatMap((wanted) => methods.map((method) => `${wanted} ${method}`)),
    );
    const of = (method: string) => report.rows.filter((row) => row.method === method);
    for (const row of report.rows) {
      expect(row.bones).toBeLessThanOrEqual(row.wanted);
      expect(row.packedBytes).toBeLessThan(row.bytes);
      expect(row.weightsPerVertex).toBeLessThanOrEqual(4);
      expect(row.flopsPerVertex).toBeCloseTo(24 * row.weightsPerVertex + 18);
      expect(row.spread).toBeGreaterThanOrEqual(0);
      expect(row.heldOut === undefined).toBe(row.method === 'schaefer-yuksel');
    }
    // What pelt does beyond the paper pays, and so do affine bones and more of them.
    of('ssdr').forEach((own, k) => {
      expect(own.error.eRms).toBeLessThan(of('published-ssdr')[k].error.eRms);
      expect(of('affine')[k].error.eRms).toBeLessThan(own.error.eRms);
    });
    expect(of('ssdr')[1].error.eRms).toBeLessThan(of('ssdr')[0].error.eRms);

    const [heading, ...lines] = cellsOf(
      text('out/study.csv').replaceAll(/"([^"]*)"/g, (_, cell) => cell.replaceAll(',', ';')),
    );
    expect(heading.slice(0, 4)).toEqual(['bones wanted', 'method', 'bones', 'E_RMS']);
    expect(lines).toHaveLength(10);
    lines.forEach((cells, k) => {
      expect(cells).toHaveLength(heading.length);
      expect(Number(cells[3])).toBe(report.rows[k].error.eRms);
    });
    const page = text('out/study.html');
    expect(page.replaceAll(/base64,[^"]*/g, '')).not.toMatch(/<script|https?:|NaN|undefined/);
    expect(page.match(/<tr>/g)).toHaveLength(11);
    expect(page.match(/src="data:image\/png;base64,/g)).toHaveLength(20);
  });

  it('measures learnt skins on examples that are left out', async () => {
    const { report, text, paths } = await study({ methods: ['psd', 'ssd'], rig: 'rig.glb', examples: 4, pictures: 0 });
    expect(paths).toEqual(['out/study.html', 'out/study.csv']);
    expect(report.rows).toEqual([]);
    const [psd, ssd] = report.skins;
    expect([psd.method, ssd.method]).toEqual(['psd', 'ssd']);
    // Displacements meet the examples, but not what was left out.
    expect(psd.training).toBeLessThan(ssd.training + 1e-9);
    expect(psd.leftOut.mean).toBeGreaterThan(psd.training);
    for (const { leftOut, others } of report.skins) {
      expect(leftOut.deviation).toBeGreaterThanOrEqual(0);
      expect(others).toBeGreaterThan(0);
    }
    expect(cellsOf(text('out/study.csv'))).toHaveLength(3);
  });

  it('writes two tables where there are both kinds, and no pictures where none are wanted', async () => {
    const { text, paths } = await study({
      methods: ['sma', 'ssd'],
      bones: [3],
      copies: 0,
      rig: 'rig.glb',
      examples: 3,
      pictures: 0,
    });
    expect(paths).toEqual(['out/study.html', 'out/study.csv', 'out/study-skins.csv']);
    expect(text('out/study.html')).not.toContain('<img');
    expect(text('out/study.csv')).not.toContain('NaN');
  });

  it('draws what was found, in PNG files that can be read', async () => {
    const { text } = await study({ methods: ['sma'], bones: [3], copies: 0, pictures: 40 });
    const [, base64 = ''] = /base64,([^"]+)"/.exec(text('out/study.html')) ?? [];
    const png = Buffer.from(base64, 'base64');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    expect(width).toBe(40);
    const rows = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)));
    expect(rows).toHaveLength(height * (1 + 3 * width));
    // Not all background.
    expect(new Set(rows).size).toBeGreaterThan(20);
  });

  it('refuses what makes no sense', async () => {
    await expect(study({ methods: ['psd'] })).rejects.toThrow(/name its file by --rig/);
    await expect(study({ methods: ['ssdr'], rig: 'rig.glb' })).rejects.toThrow(
      /--rig is for methods that learn a skin/,
    );
    await expect(study({ methods: ['magic' as never] })).rejects.toThrow(/--methods is .*magic.*some of ssdr/);
    await expect(study({ bones: [] })).rejects.toThrow(/--bones/);
    await expect(study({ methods: ['ssdr'] }, 'study.pdf')).rejects.toThrow(/\.html/);
  });
});

describe('study of a recording', () => {
  it('has tables of projections, and of limbs where a character has pairs', async () => {
    const space = new Workspace(await dogFiles());
    const studied = (options: object) =>
      space.run({ command: 'study', inputs: ['me.bvh'], output: 'me.html', options });
    const { report } = await studied({ examples: 4 });
    expect(report.performer?.tables[0].rows).toHaveLength(4);
    const [heading, ...lines] = cellsOf(new TextDecoder().decode(space.read('me.csv')).replaceAll(/"([^"]*)"/g, 'x'));
    expect(heading).toEqual(['table', 'row', 'column', 'value']);
    const figures = report.performer?.tables.flatMap(({ rows }) => rows.flatMap(({ values }) => values)) ?? [];
    expect(lines).toHaveLength(figures.length);
    expect(figures.every(Number.isFinite)).toBe(true);
    expect(new TextDecoder().decode(space.read('me.html'))).toContain('Extrapolation');
    await expect(studied({ methods: ['ssdr'] })).rejects.toThrow('--methods');
    await expect(studied({ rig: 'dog.glb' })).rejects.toThrow('--save-pairs');
    const pairs = { motion: 'me.bvh', pairs: 'dog.json', savePairs: true };
    await space.run({ command: 'puppet', inputs: ['dog.glb'], output: 'puppet.glb', options: pairs });
    const withRig = await studied({ rig: 'puppet.glb' });
    expect(withRig.report.performer?.tables.at(-1)?.title).toContain('limbs');
  });
});
