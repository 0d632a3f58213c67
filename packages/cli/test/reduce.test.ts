import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REDUCE_EXAMPLES } from '../src/commands/reduce.ts';
import { pelt } from './built-pelt.ts';
import { fixtureFolder } from './fixture-folder.ts';
import { writeFixtures } from './fixtures.ts';

const { folder, ownFolder } = fixtureFolder(writeFixtures);

describe('pelt reduce', () => {
  it('shows options and examples', async () => {
    const { code, stdout } = await pelt(['reduce', '--help'], folder);
    expect(code).toBe(0);
    for (const word of ['--weights', '--method', '--max-error', '--budget', '--target', 'Examples:']) {
      expect(stdout).toContain(word);
    }
  });

  it.each(REDUCE_EXAMPLES.map(({ run }) => [run]))('%s', async (run) => {
    const { code, stdout, stderr } = await pelt(run.split(' ').slice(1), ownFolder());
    expect(stderr.split('\n').filter((line) => !line.startsWith('warning: '))).toEqual(['']);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/ → .*\d s$/);
  });

  it('reports in JSON, before and after', async () => {
    const own = ownFolder();
    const { stdout } = await pelt(['reduce', 'character.glb', '--weights', '2', '-o', 'out.glb', '--json'], own);
    const report = JSON.parse(stdout);
    for (const side of [report.before, report.after]) {
      expect(Object.keys(side).sort()).toEqual(
        ['bones', 'bytes', 'error', 'keys', 'skinMilliseconds', 'weightsPerVertex'].sort(),
      );
    }
    expect(report.after.bytes).toBe(readFileSync(join(own, 'out.glb')).length);
    expect(report.truth).toBe('clips');
  });

  it('says in one line what is wrong', async () => {
    for (const [args, message] of [
      [['rest.obj', '-o', 'out.glb'], 'is not a glTF'],
      [['character.glb', '-o', 'out.obj'], 'is not a .glb'],
      [['character.glb', '-o', 'out.glb', '--method', 'magic'], 'Allowed choices are'],
      [['character.glb', '-o', 'out.glb', '--max-error', 'much'], 'is not an error'],
    ] as const) {
      const { code, stderr } = await pelt(['reduce', ...args], ownFolder());
      expect(code).toBe(1);
      expect(stderr).toContain(message);
      expect(stderr.trimEnd().split('\n').length).toBe(1);
    }
  });
});
