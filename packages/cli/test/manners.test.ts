/** What people expect of any command: pipes, patterns, a file of options, completion, failures that programs can read. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withoutFunction } from '../src/shell/report-failure.ts';
import { PELT, pelt } from './built-pelt.ts';
import { fixtureFolder } from './fixture-folder.ts';
import { writeChainFiles } from './fixtures.ts';

const { folder, ownFolder } = fixtureFolder(writeChainFiles);

describe('failures', () => {
  it('are an object on the standard output with --json', async () => {
    const missing = await pelt(['info', 'missing.glb', '--json'], folder);
    expect(missing.code).toBe(2);
    expect(JSON.parse(missing.stdout).error).toEqual({ message: expect.stringContaining('missing.glb'), exitCode: 2 });
    const wrong = await pelt(['info', '--bonse', '--json'], folder);
    expect([wrong.code, JSON.parse(wrong.stdout).error.exitCode]).toEqual([1, 1]);
  });

  it('of one file do not keep info from telling of the others', async () => {
    const { code, stdout, stderr } = await pelt(['info', 'rest.obj', 'missing.glb', 'clip.pc2'], folder);
    expect(code).toBe(2);
    expect(stdout).toMatch(/rest\.obj[\s\S]*clip\.pc2/);
    expect(stderr).toMatch(/^error: .*missing\.glb/);
  });

  it('refuse more bones than a file can name before anything is read', async () => {
    const { code, stderr } = await pelt(['fit', 'missing.obj', '--bones', '1e9', '-o', 'x.glb'], folder);
    expect(code).toBe(1);
    expect(stderr).toMatch(/--bones is 1000000000; it must be a whole number from 1 to 65535/);
  });

  it('leave out the function that refused', () => {
    expect(withoutFunction('setHandles: there is no vertex 9')).toBe('there is no vertex 9');
    expect(withoutFunction('fit: --bones is 0')).toBe('fit: --bones is 0');
    expect(withoutFunction('clips: they have 3 frames')).toBe('clips: they have 3 frames');
  });
});

describe("'-' is a pipe", () => {
  it('for the input and the output of convert', () => {
    const input = readFileSync(join(folder, 'character.glb'));
    const args = [PELT, 'convert', '-', '--compress', 'meshopt', '-o', '-'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, input });
    expect(status).toBe(0);
    expect(stdout.subarray(0, 4).toString()).toBe('glTF');
    expect(stdout.length).toBeLessThan(input.length);
    expect(stderr.toString()).toMatch(/- \(.*\) → - \(/);
  });

  it('of which an input can be one', async () => {
    const { code, stderr } = await pelt(['compare', '-', '-'], folder);
    expect([code, stderr]).toEqual([1, expect.stringContaining('which can be read once')]);
  });
});

describe('many files', () => {
  it('are converted by a pattern and a star, and reduced by a folder', async () => {
    const own = ownFolder();
    mkdirSync(join(own, 'in'));
    for (const name of ['a', 'b'])
      writeFileSync(join(own, 'in', `${name}.glb`), readFileSync(join(own, 'character.glb')));
    const converted = await pelt(['convert', 'in/*.glb', '--json', '-o', 'fbx/*.fbx'], own);
    expect(converted.code).toBe(0);
    expect(JSON.parse(converted.stdout).reports).toHaveLength(2);
    expect(readdirSync(join(own, 'fbx')).sort()).toEqual(['a.fbx', 'b.fbx']);
    writeFileSync(join(own, 'in', 'a.glb'), 'no glTF');
    const reduced = await pelt(['reduce', 'in', '--weights', '2', '-o', 'out/'], own);
    expect(reduced.code).toBe(2);
    expect(readdirSync(join(own, 'out'))).toEqual(['b.glb']);
  });

  it('refuse two that would be written to one, and a pattern of none', async () => {
    const own = ownFolder();
    mkdirSync(join(own, 'other'));
    writeFileSync(join(own, 'other', 'character.glb'), readFileSync(join(own, 'character.glb')));
    const twice = await pelt(['convert', 'character.glb', 'other', '-o', 'out/'], own);
    expect([twice.code, twice.stderr]).toEqual([1, expect.stringContaining('would both be written')]);
    expect((await pelt(['convert', 'none-*.glb', '-o', 'out/'], own)).code).toBe(2);
    expect(existsSync(join(own, 'out'))).toBe(false);
  });
});

describe('options', () => {
  it('--dry-run says what would be done and does nothing', async () => {
    const own = ownFolder();
    const { code, stdout } = await pelt(['fit', 'rest.obj', 'clip.pc2', '--dry-run', '-o', 'x.glb'], own);
    expect(code).toBe(0);
    expect(stdout).toMatch(/read {3}rest\.obj[\s\S]*write {2}x\.glb[\s\S]*with {3}method ssdr/);
    expect(existsSync(join(own, 'x.glb'))).toBe(false);
    expect((await pelt(['fit', 'none.obj', '--dry-run', '-o', 'x.glb'], own)).code).toBe(2);
  });

  it('--verbose prints every stage', async () => {
    const { stderr } = await pelt(
      ['fit', 'rest.obj', 'clip.pc2', '--bones', '2', '--verbose', '-o', 'v.glb'],
      ownFolder(),
    );
    expect(stderr).toMatch(/s +\d+ % {2}reading/);
  });

  it('come from pelt.config.json where the command line has none', async () => {
    const own = ownFolder();
    const bones = async (...more: string[]) => {
      const { stdout, stderr } = await pelt(
        ['fit', 'rest.obj', 'clip.pc2', '--dry-run', '--json', '-o', 'x.glb', ...more],
        own,
      );
      return stdout.startsWith('{"dryRun"') ? JSON.parse(stdout).options.bones : stderr;
    };
    writeFileSync(join(own, 'pelt.config.json'), '{"all": {"threads": 1, "clip": "x=y.pc2"}, "fit": {"bones": 3}}');
    expect([await bones(), await bones('--bones', '2'), await bones('--no-config')]).toEqual([3, 2, undefined]);
    for (const [text, message] of [
      ['{"fit": {"bonse": 3}}', "no option 'bonse'"],
      ['{"fitt": {}}', 'not a command'],
      ['{"fit": 3}', 'must be an object'],
      ['{', 'is not JSON'],
    ]) {
      writeFileSync(join(own, 'pelt.config.json'), text);
      expect(await bones()).toContain(message);
    }
  });
});

describe('shells', () => {
  it.each(['bash', 'zsh', 'fish'])('%s gets commands, options and values', async (shell) => {
    const { code, stdout } = await pelt(['completion', shell], folder);
    expect(code).toBe(0);
    for (const word of ['skeleton', 'max-error', 'ssdr affine sma lssp']) expect(stdout).toContain(word);
  });

  it('complete what is typed, in bash', async () => {
    const { stdout } = await pelt(['completion', 'bash'], folder);
    const complete = (...words: string[]) => {
      const set = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _pelt`;
      const { stdout: found } = spawnSync('bash', ['-c', `${stdout}\n${set}; echo "\${COMPREPLY[@]}"`], {
        encoding: 'utf8',
      });
      return found.trim();
    };
    expect(complete('pelt', 'skel')).toBe('skeleton');
    expect(complete('pelt', 'fit', '--max-e')).toBe('--max-error');
    expect(complete('pelt', 'fit', '--method', 'a')).toBe('affine');
    expect(complete('pelt', 'fit', 'rest')).toBe('');
  });

  it('refuses other shells, and prints a man page with every command', async () => {
    expect((await pelt(['completion', 'cmd'], folder)).code).toBe(1);
    const { stdout } = await pelt(['man'], folder);
    expect(stdout).toMatch(/^\.TH PELT 1/);
    for (const name of ['fit', 'reduce', 'batch']) expect(stdout).toContain(`.SS pelt ${name}`);
    expect(stdout).toContain('\\-\\-max\\-error');
  });
});
