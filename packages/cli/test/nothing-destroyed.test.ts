/** A command must never destroy what it was given: through the real command, on a real disk. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { pelt } from './built-pelt.ts';
import { fixtureFolder } from './fixture-folder.ts';
import { writeChainFiles } from './fixtures.ts';

const { ownFolder } = fixtureFolder(writeChainFiles);

/** Every file of a folder with its bytes, those below it too. */
function snapshot(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'latin1')]),
  );
}

/** The arguments are refused with exit code 1, and every file is as it was. */
async function expectRefused(own: string, args: readonly string[], message: string): Promise<void> {
  const before = snapshot(own);
  const { code, stderr, stdout } = await pelt(args, own);
  expect(stderr).toBe(`error: ${message}\n`);
  expect(stdout).toBe('');
  expect(code).toBe(1);
  expect(snapshot(own)).toEqual(before);
}

const replaces = (name: string) => `the output '${name}' would replace an input; choose another name`;

describe('an output that is an input is refused', () => {
  it.each([
    ['info character.glb --report character.glb', 'character.glb'],
    ['compare rest.obj clip.pc2 character.glb --report clip.pc2', 'clip.pc2'],
    ['reduce character.glb -o out.glb --report character.glb', 'character.glb'],
    ['reduce character.glb -o character.glb', 'character.glb'],
    ['fit frames -o out.glb --report frames/pose-3.obj', 'frames/pose-3.obj'],
    ['fit frames --lock bones --rig character.glb -o character.glb', 'character.glb'],
    ['fit rest.obj --clip a=clip.pc2 -o ./frames/../out.glb --report clip.pc2', 'clip.pc2'],
    ['skeleton frames --skeleton character.glb -o character.glb', 'character.glb'],
    ['envelope character.glb frames -o character.glb', 'character.glb'],
    ['pose rest.obj --examples frames --save out.glb -o rest.obj', 'rest.obj'],
    ['pose character.glb --handle 0=0,0,0 -o a.obj --save character.glb', 'character.glb'],
    ['volume rest.obj --rig character.glb -o character.glb', 'character.glb'],
    ['puppet character.glb --motion walk.bvh --suggest 3 -o walk.json --report walk.bvh', 'walk.bvh'],
    ['convert rest.obj clip.pc2 -o clip.pc2', 'clip.pc2'],
    ['convert frames -o frames/pose-#.obj', 'frames/pose-1.obj'],
  ])('%s', async (line, name) => {
    const own = ownFolder();
    await expectRefused(own, line.split(' '), replaces(name));
  });

  it('by any of its names: symbolic links, hard links, links to folders', async () => {
    const own = ownFolder();
    symlinkSync(join(own, 'character.glb'), join(own, 'link.glb'));
    linkSync(join(own, 'character.glb'), join(own, 'hard.glb'));
    symlinkSync(own, join(own, 'here'));
    for (const name of ['link.glb', 'hard.glb', 'here/character.glb']) {
      await expectRefused(own, ['reduce', 'character.glb', '-o', name], replaces(name));
    }
  });

  it('by paths that lead through a link, or through a folder that is not there, and back', async () => {
    const own = ownFolder();
    mkdirSync(join(own, 'elsewhere', 'deep'), { recursive: true });
    symlinkSync(join(own, 'elsewhere', 'deep'), join(own, 'door'));
    await expectRefused(
      own,
      ['info', 'character.glb', '--report', 'no/../character.glb'],
      replaces('no/../character.glb'),
    );
    // The system goes through the link first: this is elsewhere/character.glb, and not the input.
    const before = readFileSync(join(own, 'character.glb'));
    expect((await pelt(['info', 'character.glb', '--report', 'door/../character.glb'], own)).code).toBe(0);
    expect(readFileSync(join(own, 'character.glb'))).toEqual(before);
    expect(readdirSync(join(own, 'elsewhere'))).toContain('character.glb');
  });
});

describe('two outputs that are one file are refused', () => {
  it.each([
    ['fit frames -o x.glb --report x.glb', "two outputs are named 'x.glb'; choose another name"],
    ['fit frames -o x.glb --report ./x.glb', "the outputs './x.glb' and 'x.glb' are one file; choose another name"],
    ['pose character.glb -o x.glb --save x.glb', "two outputs are named 'x.glb'; choose another name"],
  ])('%s', async (line, message) => {
    await expectRefused(ownFolder(), line.split(' '), message);
  });
});

describe('what cannot be written is refused before anything is read', () => {
  it.each([
    'convert absent.obj -o rest.obj/out.obj',
    'convert absent.obj -o rest.obj/out.glb',
    'convert absent.obj --frame 1 -o rest.obj/out.obj',
    'volume absent.obj --rig character.glb -o rest.obj/out.obj',
    'pose absent.glb --handle 0=0,0,0 -o rest.obj/out.obj',
  ])('%s', async (line) => {
    const { code, stderr } = await pelt(line.split(' '), ownFolder());
    expect(stderr).toMatch(/^error: cannot write 'rest\.obj\/.*': a part of its path is a file, not a folder\n$/);
    expect(code).toBe(4);
  });
});

describe('what is not a file', () => {
  it.runIf(process.platform !== 'win32')('is refused: pipes and devices, to read and to write', async () => {
    const own = ownFolder();
    execFileSync('mkfifo', [join(own, 'pipe.obj')]);
    const message = (path: string) =>
      `error: cannot read '${path}': it is not a regular file; copy it into one first\n`;
    for (const path of ['pipe.obj', '/dev/zero']) {
      for (const args of [
        ['info', path],
        ['fit', path, '-o', 'out.glb'],
        ['fit', 'rest.obj', path, '-o', 'out.glb'],
        ['fit', 'frames', '--lock', 'bones', '--rig', path, '-o', 'out.glb'],
      ]) {
        expect(await pelt(args, own)).toEqual({ code: 2, stdout: '', stderr: message(path) });
      }
      const written = await pelt(['convert', 'rest.obj', '--frame', '1', '-o', 'pipe.obj'], own);
      expect(written).toMatchObject({ code: 4, stderr: "error: cannot write 'pipe.obj': it is not a regular file\n" });
    }
  });

  it('is not read where a file names it', async () => {
    const own = ownFolder();
    mkdirSync(join(own, 'asset/pipe.mtl'), { recursive: true });
    writeFileSync(join(own, 'asset/a.obj'), 'mtllib pipe.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n');
    const { code, stderr } = await pelt(['info', 'asset/a.obj'], own);
    expect(stderr).toContain('warning: ');
    expect(code).toBe(0);
  });
});

describe('a run that was killed', () => {
  it('leaves the old output as it was, and its temporary files to the next run a day later', async () => {
    const own = ownFolder();
    writeFileSync(join(own, 'out.glb'), 'old');
    const temporaries = () => readdirSync(own).filter((name) => name.endsWith('.tmp'));
    const killed = await pelt(['fit', 'frames', '--bones', '4', '-o', 'out.glb'], own, async (child) => {
      while (child.exitCode === null && temporaries().length === 0) await sleep(5);
      child.kill('SIGKILL');
    });
    expect(killed.code).toBeNull();
    expect(readFileSync(join(own, 'out.glb'), 'utf8')).toBe('old');
    expect(temporaries()).toHaveLength(1);
    // Another run may still be at work on a file that is young.
    expect((await pelt(['fit', 'frames', '--bones', '2', '-o', 'out.glb'], own)).code).toBe(0);
    expect(temporaries()).toHaveLength(1);
    const yesterday = Date.now() / 1000 - 25 * 3600;
    utimesSync(join(own, temporaries()[0]), yesterday, yesterday);
    expect((await pelt(['fit', 'frames', '--bones', '2', '-o', 'out.glb'], own)).code).toBe(0);
    expect(temporaries()).toEqual([]);
  });
});

describe('a texture beside its mesh', () => {
  it('stays as it is where the mesh is converted in its folder', async () => {
    const own = ownFolder();
    const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    writeFileSync(join(own, 'skin.png'), picture);
    writeFileSync(join(own, 'a.mtl'), 'newmtl red\nmap_Kd skin.png\n');
    writeFileSync(
      join(own, 'a.obj'),
      'mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl red\nf 1/1 2/2 3/3\n',
    );
    chmodSync(join(own, 'skin.png'), 0o444);
    const { code } = await pelt(['convert', 'a.obj', '-o', 'b.obj'], own);
    expect(code).toBe(0);
    expect(readFileSync(join(own, 'b.mtl'), 'utf8')).toContain('skin.png');
    expect(readFileSync(join(own, 'skin.png'))).toEqual(picture);
  });
});
