/** A batch never says that something is done, or cached, or right, where it is not; and it destroys nothing. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { put, scratchFolder, triangle } from '../scratch.ts';

const PELT = fileURLToPath(new URL('../../../cli/bin/pelt.mjs', import.meta.url));
const ACCIDENTS = fileURLToPath(new URL('../accidents.cjs', import.meta.url));
const root = scratchFolder();
let count = 0;

/** A folder with two meshes in it. */
function workplace(): string {
  const folder = join(root, `work-${count++}`);
  mkdirSync(folder);
  put(folder, { 'a.obj': triangle(1), 'b.obj': triangle(2), 'c.obj': triangle(3) });
  return folder;
}

function pelt(folder: string, args: readonly string[], accident?: string) {
  const env = { ...process.env, ...(accident && { NODE_OPTIONS: `--require ${ACCIDENTS}`, PELT_ACCIDENT: accident }) };
  const { status, stdout, stderr } = spawnSync(process.execPath, [PELT, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env,
  });
  return { status, stdout, stderr };
}

const convert = (id: string, extra: object = {}) => ({
  id,
  command: 'convert',
  inputs: [`${id}.obj`],
  output: `${id}.ply`,
  ...extra,
});

function batch(
  folder: string,
  jobs: readonly object[],
  { accident, args = [] }: { accident?: string; args?: string[] } = {},
) {
  writeFileSync(join(folder, 'jobs.jsonl'), jobs.map((job) => JSON.stringify(job)).join('\n'));
  const ended = pelt(folder, ['batch', 'jobs.jsonl', '--store', 'store', '--jobs', '1', '--json', ...args], accident);
  const lines = ended.stdout.trim().split('\n').filter(Boolean);
  const summary = lines.map((line) => JSON.parse(line)).find(({ type }) => type === 'summary');
  const rows: { id: string; state: string; message?: string }[] = summary?.rows ?? [];
  return { ...ended, rows, states: Object.fromEntries(rows.map(({ id, state }) => [id, state])) };
}

/** The result of a job, as the command gives it. */
function plain(folder: string, input: string): Buffer {
  expect(pelt(folder, ['convert', input, '-o', 'plain.ply']).status).toBe(0);
  return readFileSync(join(folder, 'plain.ply'));
}

describe('the exit code of a batch', () => {
  it.each([
    ['kill', 137],
    ['abort', 134],
  ])('is not 0 where the process of a job ends by a signal (%s)', (how, code) => {
    const { status, states, rows } = batch(workplace(), [convert('a'), convert('b')], { accident: `${how}|a.ply` });
    expect(states).toEqual({ a: 'failed', b: 'done' });
    expect(rows[0].message).toBeTruthy();
    expect(status).toBe(code);
  });
});

describe('a result', () => {
  it('is of the bytes that its key says, whatever happens to the files meanwhile', () => {
    const folder = workplace();
    const jobs = [convert('a'), convert('b'), convert('c')];
    // While the first job runs, the second one's file is edited, and later restored.
    const first = batch(folder, jobs, { accident: `edit|a.ply|${join(folder, 'b.obj')}|${triangle(9)}` });
    expect(first.status).toBe(0);
    expect(readFileSync(join(folder, 'b.ply'))).toEqual(plain(folder, 'b.obj'));
    put(folder, { 'b.obj': triangle(2) });
    expect(batch(folder, jobs).states).toEqual({ a: 'cached', b: 'done', c: 'cached' });
    expect(readFileSync(join(folder, 'b.ply'))).toEqual(plain(folder, 'b.obj'));
  });

  it('that is damaged in the store is computed again', () => {
    const folder = workplace();
    const damages: Readonly<Record<string, (result: string, name: string) => void>> = {
      flipped: (result, name) => writeFileSync(join(result, name), readFileSync(join(result, name)).fill(65, 200)),
      cut: (result, name) => writeFileSync(join(result, name), ''),
      lost: (result, name) => rmSync(join(result, name)),
      reportless: (result) => rmSync(join(result, 'report.json')),
      unreadable: (result) => writeFileSync(join(result, 'report.json'), '{"x":'),
      unmarked: (result) => writeFileSync(join(result, 'job.json'), 'x'),
      whole: () => {},
    };
    const names = Object.keys(damages);
    for (const [k, name] of names.entries()) put(folder, { [`${name}.obj`]: triangle(10 + k) });
    const jobs = names.map((name) => convert(name));
    expect(batch(folder, jobs).status).toBe(0);
    const right = names.map((name) => readFileSync(join(folder, `${name}.ply`)));
    for (const key of readdirSync(join(folder, 'store/objects'))) {
      const result = join(folder, 'store/objects', key);
      const name = names.find((own) => existsSync(join(result, `${own}.ply`))) as string;
      damages[name](result, `${name}.ply`);
    }
    for (const name of names) rmSync(join(folder, `${name}.ply`));
    const again = batch(folder, jobs);
    expect(again.states).toEqual({ ...Object.fromEntries(names.map((name) => [name, 'done'])), whole: 'cached' });
    expect(again.status).toBe(0);
    expect(names.map((name) => readFileSync(join(folder, `${name}.ply`)))).toEqual(right);
  });
});

describe('a full store', () => {
  it('ends a job with exit code 4, and the others go on', () => {
    const folder = workplace();
    const { status, states, rows } = batch(folder, [convert('a'), convert('b')], { accident: 'full|a.ply' });
    expect(states).toEqual({ a: 'failed', b: 'done' });
    expect(rows[0].message).toMatch(/^cannot write .*the disk is full/);
    expect(status).toBe(4);
    expect(readdirSync(join(folder, 'store/tmp'))).toEqual([]);
  });
});

describe('a batch destroys nothing:', () => {
  const untouched = (folder: string, jobs: readonly object[], message: RegExp, args: string[] = []) => {
    const before = readFileSync(join(folder, 'b.obj'));
    const { status, stderr, stdout } = batch(folder, jobs, { args });
    expect(stderr).toMatch(message);
    expect(status).toBe(1);
    // Nothing has been run: there is the error alone.
    expect(JSON.parse(stdout)).toEqual({ error: { message: expect.any(String), exitCode: 1 } });
    expect(readFileSync(join(folder, 'b.obj'))).toEqual(before);
    expect(readFileSync(join(folder, 'jobs.jsonl'), 'utf8')).toContain('convert');
  };

  it('the output of one job may not be the input of another, unless that comes after it', () => {
    const jobs = [convert('a', { output: 'b.obj' }), convert('b')];
    untouched(workplace(), jobs, /would replace an input of 'b'; choose another name, or let 'b' come after 'a'/);
    const ordered = [convert('a', { output: 'new.obj' }), convert('new', { after: ['a'] })];
    expect(batch(workplace(), ordered)).toMatchObject({ status: 0, states: { a: 'done', new: 'done' } });
  });

  it('nor may it be a frame of a folder that another reads', () => {
    const folder = workplace();
    put(folder, { 'frames/1.obj': triangle(1), 'frames/2.obj': triangle(2) });
    const fit = { id: 'fit', command: 'fit', inputs: ['frames'], output: 'o.glb', options: { bones: 1 } };
    untouched(folder, [convert('a', { output: 'frames/2.obj' }), fit], /would replace an input of 'fit'/);
  });

  it.each(['./a.ply', 'sub/../a.ply', 'link/a.ply'])('two jobs may not write one file (%s)', (other) => {
    const folder = workplace();
    mkdirSync(join(folder, 'sub'));
    symlinkSync(folder, join(folder, 'link'));
    untouched(folder, [convert('a'), convert('b', { output: other })], /both write/);
  });

  it.each([
    ['jobs.jsonl', /would replace the batch itself/],
    ['b.obj', /would replace an input of 'b'/],
    ['./b.ply', /is the output of 'b'/],
  ])('a page may not replace %s', (page, message) => {
    untouched(workplace(), [convert('a'), convert('b')], message, ['--page', page]);
  });

  it('nor may a report or a result of pelt run replace the job', () => {
    const folder = workplace();
    put(folder, { 'job.json': JSON.stringify({ ...convert('a'), id: undefined }) });
    const { status, stderr } = pelt(folder, ['run', 'job.json', '--report', './job.json']);
    expect(stderr).toMatch(/would replace the job itself/);
    expect(status).toBe(1);
    expect(readFileSync(join(folder, 'job.json'), 'utf8')).toContain('convert');
  });

  it('a link is followed, as single commands follow it', () => {
    const folder = workplace();
    put(folder, { 'elsewhere/real.ply': 'old' });
    symlinkSync('elsewhere/real.ply', join(folder, 'a.ply'));
    expect(batch(folder, [convert('a')]).status).toBe(0);
    expect(readFileSync(join(folder, 'elsewhere/real.ply'))).toEqual(plain(folder, 'a.obj'));
  });

  it('files beside a result do not replace what another job reads', () => {
    const folder = workplace();
    put(folder, { 'd.obj': `mtllib d.mtl\nusemtl m\n${triangle(4)}`, 'd.mtl': 'newmtl m\nKd 1 0 0\n' });
    // An OBJ of that name comes with a material library d2.mtl, which is there and belongs to another.
    put(folder, { 'e.obj': `mtllib d2.mtl\nusemtl m\n${triangle(5)}`, 'd2.mtl': 'newmtl m\nKd 0 1 0\n' });
    const jobs = [convert('d', { output: 'd2.obj' }), convert('e')];
    const { status } = batch(folder, jobs);
    expect(readFileSync(join(folder, 'd2.mtl'), 'utf8')).toContain('Kd 0 1 0');
    expect(existsSync(join(folder, 'd2.obj')) && status === 0).toBe(false);
  });
});
