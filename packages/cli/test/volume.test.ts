import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPc2 } from '@pelt/io';
import { describe, expect, it } from 'vitest';
import { VOLUME_EXAMPLES } from '../src/commands/volume.ts';
import { pelt } from './built-pelt.ts';
import { fixtureFolder } from './fixture-folder.ts';
import { body, FRAMES, SWELL, sculpt, writeVolumeFixtures } from './volume-fixtures.ts';

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

  it('warns where the mesh is not about the skeleton', async () => {
    const own = ownFolder();
    writeFileSync(join(own, 'far.obj'), readFileSync(join(own, 'body.obj'), 'utf8').replace(/^v (\S+)/gm, 'v 9$1'));
    const { stderr } = await pelt(['volume', 'far.obj', '--rig', 'character.glb', '-o', 'far.pc2'], own);
    expect(stderr).toContain("3 of 3 joints are outside the mesh; are 'far.obj' and the skeleton in one place");
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

  it('takes the shapes of examples in their frames, and between them', async () => {
    const own = ownFolder();
    const examples = ['--examples', 'half.obj', 'bent.obj', '--at', '3,5'];
    const plain = await pelt([...RIG, '-o', 'plain.pc2', '--json'], own);
    const shaped = await pelt([...RIG, ...examples, '-o', 'shaped.pc2', '--json'], own);
    expect([JSON.parse(plain.stdout).examples, JSON.parse(shaped.stdout).examples]).toEqual([0, 2]);
    const framesOf = (file: string) => readPc2(readFileSync(join(own, file)), {}).frames;
    const size = body.mesh.positions.length;
    const away = (file: string, t: number, wanted: Float32Array) => {
      const frame = framesOf(file).subarray(t * size, (t + 1) * size);
      return Math.sqrt(frame.reduce((sum, value, k) => sum + (value - wanted[k]) ** 2, 0) / (size / 3));
    };
    expect(away('shaped.pc2', 0, body.mesh.positions)).toBeLessThan(0.01);
    for (const [t, degrees, swell] of [
      [2, 30, 0.5 * SWELL],
      [3, 45, 0.75 * SWELL],
      [4, 60, SWELL],
    ]) {
      const wanted = sculpt(degrees, swell);
      expect(away('shaped.pc2', t, wanted), `frame ${t + 1}`).toBeLessThan(0.4 * away('plain.pc2', t, wanted));
    }
    // Frames are those of the whole motion, whichever are written.
    await pelt([...RIG, ...examples, '--step', '2', '-o', 'thin.pc2'], own);
    expect(away('thin.pc2', 2, sculpt(60, SWELL))).toBeLessThan(0.05);
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
      [[...RIG, '--at', '2', '-o', 'out.pc2'], 1, 'there are none'],
      [[...RIG, '--examples', 'bent.obj', '-o', 'out.pc2'], 1, '1 examples for 5 frames'],
      [[...RIG, '--examples', 'bent.obj', '--at', '6', '-o', 'out.pc2'], 1, 'the motion has 5'],
      [[...RIG, '--examples', 'sheet.obj', '--at', '5', '-o', 'out.pc2'], 2, 'sheet.obj'],
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
