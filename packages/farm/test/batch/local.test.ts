/** Batches on this machine, with the command as users have it. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { put, scratchFolder, triangle } from '../scratch.ts';

const PELT = fileURLToPath(new URL('../../../cli/bin/pelt.mjs', import.meta.url));
const folder = scratchFolder();
put(folder, { 'a.obj': triangle(), 'b.obj': triangle(2) });

function pelt(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PELT, ...args], { cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** Runs a batch; the state of every job by its id. */
function batch(name: string, jobs: readonly object[], ...args: string[]) {
  writeFileSync(join(folder, `${name}.jsonl`), jobs.map((job) => JSON.stringify(job)).join('\n'));
  const { status, stdout, stderr } = pelt('batch', `${name}.jsonl`, '--store', `${name}-store`, '--json', ...args);
  const summary = stdout
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .find(({ type }) => type === 'summary');
  const states = Object.fromEntries(
    (summary?.rows ?? []).map(({ id, state }: { id: string; state: string }) => [id, state]),
  );
  return { status, stderr, states, rows: summary?.rows, counts: summary?.counts };
}

const convert = (id: string, input: string, output: string, extra: object = {}) => ({
  id,
  command: 'convert',
  inputs: [input],
  output,
  ...extra,
});

describe('pelt batch', () => {
  it('gives the bytes that the command gives, and computes nothing twice', () => {
    const jobs = [convert('a', 'a.obj', 'out/a.ply'), convert('b', 'b.obj', 'out/b.ply')];
    expect(batch('twice', jobs).states).toEqual({ a: 'done', b: 'done' });
    expect(pelt('convert', 'a.obj', '-o', 'plain.ply').status).toBe(0);
    expect(readFileSync(join(folder, 'out/a.ply'))).toEqual(readFileSync(join(folder, 'plain.ply')));
    const again = batch('twice', jobs);
    expect(again).toMatchObject({ status: 0, states: { a: 'cached', b: 'cached' } });
    expect(readdirSync(join(folder, 'twice-store/tmp'))).toEqual([]);
  });

  it('runs what comes after when it can, and skips it where it cannot', () => {
    const { states, status } = batch('order', [
      convert('second', 'first.ply', 'second.obj', { after: ['first'] }),
      convert('first', 'a.obj', 'first.ply'),
      convert('broken', 'missing.obj', 'broken.ply'),
      convert('never', 'broken.ply', 'never.obj', { after: ['broken'] }),
    ]);
    expect(states).toEqual({ first: 'done', second: 'done', broken: 'failed', never: 'skipped' });
    expect(status).toBe(2);
  });

  it('says in one line what was wrong with a job, and goes on with the others', () => {
    put(folder, { 'broken.obj': 'v 0 0\nf 1 2 9\n' });
    const { rows, status } = batch('bad', [convert('bad', 'broken.obj', 'x.ply'), convert('good', 'a.obj', 'y.ply')]);
    expect(rows.map(({ id, state }: { id: string; state: string }) => `${id} ${state}`)).toEqual([
      'bad failed',
      'good done',
    ]);
    expect(rows[0].message).toMatch(/broken\.obj/);
    expect(status).toBe(2);
  });

  it('writes a page of its results', () => {
    expect(batch('page', [convert('a', 'a.obj', 'page-out.glb')], '--page', 'page.html').status).toBe(0);
    expect(readFileSync(join(folder, 'page.html'), 'utf8')).toContain('data:image/png');
  });

  it('leaves nothing half where files cannot be written', () => {
    // A limit on the size of files stands for a full disk: the write fails in its middle.
    put(folder, {
      'many.obj': Array.from({ length: 20_000 }, (_, k) => `v ${k} 0.123456 ${k % 7}`)
        .join('\n')
        .concat('\nf 1 2 3\n'),
    });
    writeFileSync(join(folder, 'full.jsonl'), JSON.stringify(convert('full', 'many.obj', 'full.ply')));
    const command = `ulimit -f 40; exec "${process.execPath}" "${PELT}" batch full.jsonl --store full-store`;
    const { status, stderr } = spawnSync('bash', ['-c', command], { cwd: folder, encoding: 'utf8' });
    expect(status).toBe(4);
    expect(stderr).toMatch(/^error: full: cannot write/m);
    expect(readdirSync(join(folder, 'full-store/objects'))).toEqual([]);
    expect(readdirSync(join(folder, 'full-store/tmp'))).toEqual([]);
    expect(readdirSync(folder)).not.toContain('full.ply');
  });

  it('fits one mesh in parts, with the bytes of one job', () => {
    for (let t = 0; t < 5; t++) put(folder, { [`strip/${t}.obj`]: bentStrip(t / 5) });
    const set = ['--set', 'bones=2', '--set', 'sample-vertices=30'];
    const { status, stdout } = pelt('batch', 'split', 'fit', 'strip', '--parts', '2', ...set, '-o', 'parts/strip.glb');
    expect(status).toBe(0);
    const jobs = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(batch('parts', jobs).states).toEqual({ bones: 'done', '1/2': 'done', '2/2': 'done', join: 'done' });
    expect(pelt('fit', 'strip', '--bones', '2', '--sample-vertices', '30', '-o', 'strip.glb').status).toBe(0);
    expect(readFileSync(join(folder, 'parts/strip.glb'))).toEqual(readFileSync(join(folder, 'strip.glb')));
  });

  it('writes sweeps and templates', () => {
    const { stdout } = pelt('batch', 'sweep', 'convert', 'a.obj', '--vary', 'scale=1,2', '-o', 's.ply');
    writeFileSync(join(folder, 'sweep.jsonl'), stdout);
    expect(stdout.trim().split('\n')).toHaveLength(2);
    expect(pelt('batch', 'sweep.jsonl', '--emit', 'slurm').stdout).toContain('--array=1-2');
    expect(pelt('batch', 'order.jsonl', '--emit', 'slurm')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/comes after others/),
    });
  });

  it.each([
    [['batch', 'no.jsonl'], 2, /there is no such file/],
    [['batch', 'twice.jsonl', '--engine', 'carrier-pigeon'], 1, /unknown engine/],
    [['batch', 'twice.jsonl', '--jobs', '0'], 1, /whole number from 1/],
    [['worker', '--engine', 'local', '--store', 's'], 1, /needs no workers/],
    [['run', 'twice.jsonl'], 1, /a batch needs --line/],
    [['run', 'no.json'], 2, /cannot read 'no.json': there is no such file/],
    [['run', 'twice-store'], 2, /it is a folder/],
    [['serve', '--port', '99999'], 1, /cannot listen/],
    [['batch', 'twice.jsonl', '--max-time', 'soon'], 1, /a time such as/],
    [['store', 'polish', 'twice-store'], 1, /try pelt store verify/],
  ])('%j is refused', (args, code, message) => {
    const { status, stderr } = pelt(...args);
    expect(status).toBe(code);
    expect(stderr).toMatch(message);
  });
});

describe('pelt store verify', () => {
  it('tells what is damaged, and removes it', () => {
    batch('verify', [convert('a', 'a.obj', 'verify-a.ply'), convert('b', 'b.obj', 'verify-b.ply')]);
    expect(pelt('store', 'verify', 'verify-store').stdout).toBe('2 results, 0 inputs: all whole\n');
    const [key] = readdirSync(join(folder, 'verify-store/objects'));
    writeFileSync(join(folder, 'verify-store/objects', key, 'report.json'), '');
    expect(pelt('store', 'verify', 'verify-store', '--keep')).toMatchObject({ status: 6 });
    expect(pelt('store', 'verify', 'verify-store').stdout).toBe('2 results, 0 inputs: 1 damaged and removed\n');
    expect(pelt('store', 'verify', 'verify-store').stdout).toBe('1 results, 0 inputs: all whole\n');
  });
});

describe('pelt serve', () => {
  it('keeps its token to itself', () => {
    const env = { ...process.env, PELT_TOKEN: 'very-secret' };
    const { stdout } = spawnSync(process.execPath, [PELT, 'serve', '--help'], { encoding: 'utf8', env });
    expect(stdout).toContain('--token');
    expect(stdout).not.toContain('very-secret');
  });
});

describe('pelt run', () => {
  it('runs a line of a batch and prints its report', () => {
    const { status, stdout } = pelt('run', 'twice.jsonl', '--line', '2');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ output: { files: [{ file: 'out/b.ply' }] } });
  });

  it('tells what happens as JSON', () => {
    const { stdout } = pelt('run', 'twice.jsonl', '--line', '1', '--events');
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.at(-1)).toMatchObject({ type: 'done' });
  });
});

/** A strip of forty quads, whose right half is turned up. */
function bentStrip(angle: number): string {
  const lines: string[] = [];
  for (let i = 0; i < 82; i++) {
    const x = (i >> 1) / 20 - 1;
    const [c, s] = x > 0 ? [Math.cos(angle), Math.sin(angle)] : [1, 0];
    lines.push(`v ${c * x} ${i & 1} ${s * x}`);
  }
  for (let i = 1; i < 81; i += 2) lines.push(`f ${i} ${i + 2} ${i + 3} ${i + 1}`);
  return `${lines.join('\n')}\n`;
}
