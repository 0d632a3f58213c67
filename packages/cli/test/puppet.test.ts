import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pelt } from './built-pelt.ts';
import { fixtureFolder } from './fixture-folder.ts';
import { writeDogFiles } from './fixtures.ts';

const { folder, ownFolder } = fixtureFolder(writeDogFiles);

describe('pelt puppet', () => {
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
      [
        'feet',
        'gaps',
        'input',
        'joints',
        'output',
        'pairs',
        'parts',
        'peakMegabytes',
        'quality',
        'seconds',
        'warnings',
        'weights',
      ].sort(),
    );
  });

  it('says in one line what is missing', async () => {
    const begin = ['puppet', 'dog.glb', '--motion', 'me.bvh', '-o', 'out.glb'];
    for (const [args, message, exit = 1] of [
      [begin, 'is not recognised as a humanoid', 2],
      [[...begin, '--pairs', 'dog.json', '--suggest', '3'], 'give one of them'],
      [[...begin, '--pairs', 'dog.json', '--lambda', 'much'], "--lambda is 'much'; it must be a number from 0"],
      [[...begin, '--pairs', 'dog.json', '--parts', 'half'], "--parts is 'half'; it must be whole, body or limbs"],
    ] as const) {
      const { code, stderr } = await pelt(args, folder);
      expect(code).toBe(exit);
      expect(stderr).toContain(message);
      expect(stderr.trimEnd()).not.toContain('\n');
    }
  });
});
