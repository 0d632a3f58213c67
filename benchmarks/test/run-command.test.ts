import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { overheadOf, peltOf, runCommand } from '../harness/run-command.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pelt-bench-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const node = (code: string) => [process.execPath, '-e', code];

describe('a command', () => {
  it('gives what it prints, its exit code and its times', () => {
    const work = 'for (let k = 0; k < 1e6; k++) Math.sin(k); console.error("note"); console.log(process.cwd())';
    const { stdout, stderr, code, wall, processor } = runCommand(node(work), { cwd: folder });
    expect(stdout).toBe(`${folder}\n`);
    expect(stderr).toBe('note\n');
    expect(code).toBe(0);
    expect(wall).toBeGreaterThan(0);
    expect(processor).toBeGreaterThan(0);
  });

  it('counts the processor time of its children', () => {
    const work = 'for (let k = 0; k < 5e6; k++) Math.sin(k)';
    const child = `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(work)}])`;
    expect(runCommand(node(child)).processor).toBeGreaterThan(2 * runCommand(node('0')).processor);
  });

  it('fails where its exit code is not expected', () => {
    const failing = node('console.error("no bones"); process.exit(3)');
    expect(() => runCommand(failing)).toThrow(/ended with 3: no bones$/);
    expect(runCommand(failing, { codes: [0, 3] }).code).toBe(3);
  });

  it('has an overhead where its report has seconds', () => {
    const report = JSON.stringify({ seconds: { read: 0.25, fit: 1, write: 0.5 } });
    expect(overheadOf({ wall: 2, stdout: report })).toBe(0.25);
    expect(overheadOf({ wall: 2, stdout: '{"files":[]}' })).toBeUndefined();
    expect(overheadOf({ wall: 2, stdout: 'written\n' })).toBeUndefined();
  });

  it('is found in a checkout', () => {
    expect(peltOf(root)).toEqual([process.execPath, join(root, 'packages/cli/bin/pelt.mjs')]);
  });
});

describe('npm run bench', () => {
  const bench = (...args: string[]) =>
    runCommand([process.execPath, join(root, 'benchmarks/run.mjs'), ...args], { cwd: root, codes: [0, 1] });

  it('has a help', () => {
    const { code, stdout } = bench('--help');
    expect(code).toBe(0);
    for (const option of ['--json', '--only', '--against', '--command', '--rounds', '--limit']) {
      expect(stdout).toContain(`  ${option}`);
    }
  });

  it.each([
    [['--fast'], "Unknown option '--fast'"],
    [['--rounds=3'], '--rounds goes with --against=DIR'],
    [['--command=pelt'], '--command goes with --against=DIR'],
    [['--against=.', '--rounds=0'], '--rounds=0 is not a number of rounds'],
    [['--against=.', '--limit=x'], '--limit=x is not a ratio'],
    [['--against=docs'], 'is not a checkout of pelt'],
  ])('%j is refused', (args, message) => {
    const { code, stderr } = bench(...args);
    expect(code).toBe(1);
    expect(stderr).toContain(`error: `);
    expect(stderr).toContain(message);
  });
});
