import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PUPPET_EXAMPLES } from '../src/commands/puppet.ts';
import { pelt } from './built-pelt.ts';
import { fixtureFolder } from './fixture-folder.ts';
import { writePuppetFixtures } from './puppet-fixtures.ts';

const { folder, ownFolder } = fixtureFolder(writePuppetFixtures);

describe('pelt puppet', () => {
  it('shows options and examples', async () => {
    const { code, stdout } = await pelt(['puppet', '--help'], folder);
    expect(code).toBe(0);
    for (const word of ['--pairs', '--motion', '--parts', '--lambda', '--suggest', 'Examples:'])
      expect(stdout).toContain(word);
  });

  it.each(PUPPET_EXAMPLES.map(({ run }) => [run]))('%s', async (run) => {
    const own = ownFolder();
    const { code, stdout, stderr } = await pelt(run.split(' ').slice(1), own);
    expect(stderr.split('\n').filter((line) => !line.startsWith('warning: '))).toEqual(['']);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/ → .*\d s$|pairs to fill in/);
  });

  it('reports in JSON', async () => {
    const own = ownFolder();
    const args = ['puppet', 'dog.glb', '--pairs', 'dog.json', '--motion', 'me.bvh', '-o', 'out.glb', '--json'];
    const report = JSON.parse((await pelt(args, own)).stdout);
    expect(report.output).toMatchObject({
      file: 'out.glb',
      bytes: readFileSync(join(own, 'out.glb')).length,
      keys: 80,
    });
    expect(Object.keys(report).sort()).toEqual(
      ['gaps', 'input', 'joints', 'output', 'pairs', 'parts', 'peakMegabytes', 'seconds', 'warnings'].sort(),
    );
  });

  it('says in one line what is missing', async () => {
    const begin = ['puppet', 'dog.glb', '--motion', 'me.bvh', '-o', 'out.glb'];
    for (const [args, message] of [
      [begin, 'give --pairs, or --suggest to begin'],
      [[...begin, '--pairs', 'dog.json', '--suggest', '3'], 'give one of them'],
      [[...begin, '--pairs', 'dog.json', '--lambda', 'much'], 'It must be a number from 0'],
      [[...begin, '--pairs', 'dog.json', '--parts', 'half'], 'Allowed choices are whole, body, limbs'],
    ] as const) {
      const { code, stderr } = await pelt(args, folder);
      expect(code).toBe(1);
      expect(stderr).toContain(message);
      expect(stderr.trimEnd()).not.toContain('\n');
    }
  });
});
