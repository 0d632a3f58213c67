/** Limits that a job cannot evade: of time, of memory, and of how long its scratch is kept. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { childRunner } from '../../src/engine/run-child.ts';
import type { Clock } from '../../src/machine/clock.ts';
import { FolderStore } from '../../src/store/folder-store.ts';
import { put, scratchFolder, triangle } from '../scratch.ts';

const PELT = fileURLToPath(new URL('../../../cli/bin/pelt.mjs', import.meta.url));
const folder = scratchFolder();

/** A program in place of pelt. */
function program(name: string, text: string): readonly string[] {
  writeFileSync(join(folder, `${name}.mjs`), text);
  return [process.execPath, join(folder, `${name}.mjs`)];
}

const LOOP = 'for (;;) {}';
const GROW =
  'const all = []; for (;;) { all.push(Buffer.alloc(20e6, 1)); await new Promise((d) => setTimeout(d, 20)); }';
const PARENT = `import { spawn } from 'node:child_process'; spawn(process.execPath, ['-e', ${JSON.stringify(LOOP)}], { stdio: 'inherit' }); ${LOOP}`;

const run = (pelt: readonly string[], limits: object) =>
  childRunner({ pelt, threads: 1, limits })(folder, { signal: new AbortController().signal, onEvent: () => {} });

describe('a job', () => {
  it('that never ends is ended, with what it has started', async () => {
    for (const [name, text] of Object.entries({ loop: LOOP, parent: PARENT })) {
      const end = await run(program(name, text), { maxTime: 0.5 });
      expect(end).toEqual({ state: 'failed', exitCode: 6, message: 'it took longer than 0.5 s; give more --max-time' });
    }
  });

  it('that takes more and more memory is ended', async () => {
    const end = await run(program('grow', GROW), { memory: 300e6, maxTime: 60 });
    expect(end).toMatchObject({
      state: 'failed',
      exitCode: 6,
      message: expect.stringMatching(/more memory than 300 MB/),
    });
  });

  it('has a limit of time in a single command as well', () => {
    put(folder, { 'a.obj': triangle() });
    const args = ['convert', 'a.obj', '-o', 'a.ply', '--max-time'];
    const { status, stderr } = spawnSync(process.execPath, [PELT, ...args, '0.001s'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stderr).toMatch(/it took longer than 0\.001 s/);
    expect(status).toBe(6);
    expect(existsSync(join(folder, 'a.ply'))).toBe(false);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect(spawnSync(process.execPath, [PELT, ...args, '5m'], { cwd: folder }).status).toBe(0);
  });

  it.runIf(process.platform !== 'win32')(
    'ends with a batch whose terminal was closed, or that was killed',
    async () => {
      for (const signal of ['SIGHUP', 'SIGKILL'] as const) {
        const pidFile = join(folder, `pid-${signal}`);
        const hook = join(folder, `hang-${signal}.cjs`);
        const text = `if (process.argv[2] === 'run') { require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); require('node:worker_threads').isMainThread || (() => { for (;;) {} })(); }`;
        writeFileSync(hook, text);
        put(folder, {
          'jobs.jsonl': JSON.stringify({ command: 'convert', inputs: ['a.obj'], output: `${signal}.ply` }),
        });
        const env = { ...process.env, NODE_OPTIONS: `--require ${hook}` };
        const batch = spawn(process.execPath, [PELT, 'batch', 'jobs.jsonl', '--store', signal], {
          cwd: folder,
          env,
          stdio: 'ignore',
        });
        await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '');
        const pid = Number(readFileSync(pidFile, 'utf8'));
        await new Promise((done) => setTimeout(done, 300));
        batch.kill(signal);
        await until(() => !isAlive(pid));
        expect(isAlive(pid)).toBe(false);
      }
    },
  );
});

async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await new Promise((done) => setTimeout(done, 50));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One that has ended and nobody has asked for is none.
    return !/^State:\s*Z/m.test(existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '');
  } catch {
    return false;
  }
}

describe('the scratch of a job', () => {
  it('that runs for days is not swept by those who come meanwhile', async () => {
    const place = join(folder, 'lease');
    let now = Date.now();
    const renewals: (() => void)[] = [];
    const clock: Clock = {
      now: () => now,
      every: (_, action) => {
        renewals.push(action);
        return () => {};
      },
      sleep: async () => {},
    };
    const [mine, left] = [await (await FolderStore.open(place, { clock })).scratch(), join(place, 'tmp', 'left')];
    put(left, { file: '' });
    for (let hour = 0; hour < 60; hour++) {
      now += 3_600_000;
      for (const renew of renewals) renew();
      await new Promise((done) => setTimeout(done, 5));
      await FolderStore.open(place, { clock });
    }
    expect([existsSync(mine.folder), existsSync(left)]).toEqual([true, false]);
    await mine.release();
    expect(readdirSync(join(place, 'tmp'))).toEqual([]);
  });
});
