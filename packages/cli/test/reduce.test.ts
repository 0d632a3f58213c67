import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pelt } from './built-pelt.ts';
import { fixtureFolder } from './fixture-folder.ts';
import { writeChainFiles } from './fixtures.ts';

const { ownFolder } = fixtureFolder(writeChainFiles);

describe('pelt reduce', () => {
  it('reports in JSON, before and after', async () => {
    const own = ownFolder();
    const { stdout } = await pelt(['reduce', 'character.glb', '--weights', '2', '-o', 'out.glb', '--json'], own);
    const report = JSON.parse(stdout);
    for (const side of [report.before, report.after]) {
      expect(Object.keys(side).sort()).toEqual(
        ['bones', 'bytes', 'error', 'keys', 'flopsPerVertex', 'weightsPerVertex'].sort(),
      );
    }
    expect(report.after.bytes).toBe(readFileSync(join(own, 'out.glb')).length);
    expect(report.truth).toBe('clips');
  });

  it('says in one line what is wrong', async () => {
    for (const [args, exit, message] of [
      [['rest.obj', '-o', 'out.glb'], 2, 'is not a glTF'],
      [['character.glb', '-o', 'out.obj'], 1, 'ends in .glb'],
      [['character.glb', '-o', 'out.glb', '--method', 'magic'], 1, 'it must be refit, k-largest'],
      [['character.glb', '-o', 'out.glb', '--max-error', 'much'], 1, 'or growth such as 5%'],
    ] as const) {
      const { code, stderr } = await pelt(['reduce', ...args], ownFolder());
      expect(code).toBe(exit);
      expect(stderr).toContain(message);
      expect(stderr.trimEnd().split('\n').length).toBe(1);
    }
  });
});
