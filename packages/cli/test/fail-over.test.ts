/** Limits as a script sees them: by the exit code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pelt } from './built-pelt.ts';
import { fixtureFolder } from './fixture-folder.ts';
import { writeChainFiles } from './fixtures.ts';

const { ownFolder } = fixtureFolder(writeChainFiles);
const COMPARE = ['compare', 'rest.obj', 'clip.pc2', 'fitted.glb'];

describe('compare --fail-over', () => {
  it('exits with 0 within the limits and with 6 beyond them, after the table', async () => {
    const folder = ownFolder();
    const within = await pelt([...COMPARE, '--fail-over', '1,2MB'], folder);
    expect(within).toMatchObject({ code: 0, stderr: '' });
    expect(within.stdout).toMatch(/bytes limit +[\d.]+MB, within 2MB/);
    const beyond = await pelt([...COMPARE, '--fail-over', '1,1KB', '--report', 'now.json'], folder);
    expect(beyond.code).toBe(6);
    expect(beyond.stderr).toMatch(/^error: the size is [\d.]+KB, above 1KB\n$/);
    expect(beyond.stdout).toMatch(/above 1KB/);
    expect(JSON.parse(readFileSync(join(folder, 'now.json'), 'utf8')).limits[1].exceeded).toBe(true);
  });

  it('compares with an earlier report, and tells what grew', async () => {
    const folder = ownFolder();
    await pelt([...COMPARE, '--report', 'before.json'], folder);
    const options = ['--fail-over', '5%', '--baseline', 'before.json'];
    expect((await pelt([...COMPARE, ...options], folder)).code).toBe(0);
    const before = JSON.parse(readFileSync(join(folder, 'before.json'), 'utf8'));
    before.b.bytes /= 2;
    writeFileSync(join(folder, 'before.json'), JSON.stringify(before));
    const grown = await pelt([...COMPARE, ...options, '--quiet'], folder);
    expect(grown).toMatchObject({ code: 6, stdout: '' });
    expect(grown.stderr).toBe('error: the size grew by 100%, more than 5%\n');
  });

  it('is an error of a job that a farm runs, which is not tried again', async () => {
    const folder = ownFolder();
    const job = { command: 'compare', inputs: ['frames', 'fitted.glb'], options: { failOver: ['1KB'] } };
    writeFileSync(join(folder, 'job.json'), JSON.stringify(job));
    const ended = await pelt(['run', 'job.json', '--events'], folder);
    expect(ended.code).toBe(6);
    expect(JSON.parse(ended.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ type: 'failed' });
  });
});
