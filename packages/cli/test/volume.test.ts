import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPc2 } from '@pelt/io';
import { describe, expect, it } from 'vitest';
import { VOLUME_EXAMPLES } from '../src/commands/volume.ts';
import { pelt } from './built-pelt.ts';
import { fixtureFolder } from './fixture-folder.ts';
import { body, FRAMES, writeVolumeFixtures } from './volume-fixtures.ts';

const { folder, ownFolder } = fixtureFolder(writeVolumeFixtures);

const RIG = ['volume', 'body.obj', '--rig', 'character.glb'];

describe('pelt volume', () => {
  it('shows options and examples', async () => {
    const { code, stdout } = await pelt(['volume', '--help'], folder);
    expect(code).toBe(0);
    for (const word of ['--rig', '--bvh', '--landmarks', '--constraints', '--volume-weight', 'Examples:'])
      expect(stdout).toContain(word);
  });

  it.each(VOLUME_EXAMPLES.map(({ run }) => [run]))('%s', async (run) => {
    const own = ownFolder();
    const { code, stdout, stderr } = await pelt(run.split(' ').slice(1), own);
    expect(stderr.split('\n').filter((line) => !line.startsWith('warning: '))).toEqual(['']);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^body\.obj \+ .* → .*\d s$/);
  });

  it('bends the body, keeps its volume and says so', async () => {
    const own = ownFolder();
    const { stdout } = await pelt([...RIG, '-o', 'out.pc2', '--json'], own);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ frames: FRAMES, inverted: 0, input: { bones: 3, mesh: 'body.obj' } });
    expect(report.volume).toBeGreaterThan(0.98);
    expect(report.constraints).toBe(body.middles.flat().length);
    expect(report.body.slivers).toBe(0);
    const { frames } = readPc2(readFileSync(join(own, 'out.pc2')), {});
    const rest = body.mesh.positions;
    // The first frame is the rest pose; in the last the far end has turned by 60° about the joint at x = 8/3.
    expect(Math.max(...rest.map((value, k) => Math.abs(value - frames[k])))).toBeLessThan(1e-5);
    const tip = body.rings[body.rings.length - 1];
    const last = frames.subarray((FRAMES - 1) * rest.length);
    const [x, y] = [0, 1].map((axis) => tip.reduce((sum, i) => sum + last[3 * i + axis], 0) / tip.length);
    const reach = 8 - 8 / 3;
    expect(x).toBeCloseTo(8 / 3 + reach * Math.cos(Math.PI / 3), 1);
    expect(y).toBeCloseTo(reach * Math.sin(Math.PI / 3), 1);
  });

  it('takes constraints from a file', async () => {
    const own = ownFolder();
    const listed = JSON.parse(
      (await pelt([...RIG, '--constraints', 'rings.txt', '-o', 'a.pc2', '--json'], own)).stdout,
    );
    expect(listed.constraints).toBe(body.middles.flat().length);
    writeFileSync(join(own, 'bad.txt'), '1, 2, 99999');
    const { code, stderr } = await pelt([...RIG, '--constraints', 'bad.txt', '-o', 'b.pc2'], own);
    expect(code).toBe(2);
    expect(stderr).toContain("'99999' is no vertex");
    expect(existsSync(join(own, 'b.pc2'))).toBe(false);
  });

  it('says in one line what is missing or wrong', async () => {
    const own = ownFolder();
    writeFileSync(join(own, 'sheet.obj'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n');
    writeFileSync(join(own, 'list.json'), '[1, 2]');
    writeFileSync(join(own, 'strange.json'), '{ "Elbow": [0, 0, 0], "Root": [1, 0, 0], "End": [2, 0, 0] }');
    const bvh = ['volume', 'body.obj', '--bvh', 'walk.bvh', '-o', 'out.pc2'];
    for (const [args, exit, message] of [
      [['volume', 'body.obj', '-o', 'out.pc2'], 1, 'what is to move the mesh?'],
      [bvh, 1, 'give --landmarks'],
      [[...bvh, '--rig', 'character.glb'], 1, 'give one of them'],
      [[...bvh, '--landmarks', 'list.json'], 2, 'JSON object of joints and places'],
      [[...bvh, '--landmarks', 'strange.json'], 2, "no joint 'Elbow'"],
      [[...RIG, '--clip', 'jump', '-o', 'out.pc2'], 1, "no clip 'jump'"],
      [['volume', 'sheet.obj', '--rig', 'character.glb', '-o', 'out.pc2'], 2, 'has no inside'],
      [[...RIG, '-o', 'out.xyz'], 3, "'.xyz' files are not written"],
      [[...RIG, '-o', 'character.glb'], 1, 'character.glb'],
    ] as const) {
      const { code, stderr } = await pelt(args, own);
      expect({ code, said: stderr.includes(message), lines: stderr.trimEnd().split('\n').length }, stderr).toEqual({
        code: exit,
        said: true,
        lines: 1,
      });
    }
  });
});
