import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeMorphGlb } from '@pelt/io';
import { COMMANDS } from '@pelt/jobs/commands';
import { creatureScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { type Ended, PELT, pelt } from './built-pelt.ts';
import { fixtureFolder } from './fixture-folder.ts';
import { writeChainFiles } from './fixtures.ts';
import { scratchFolder } from './scratch-folder.ts';

const { folder, ownFolder } = fixtureFolder(writeChainFiles);

function expectOneLineError({ code, stdout, stderr }: Ended, exitCode: number, message: string | RegExp): void {
  const errors = stderr.split('\n').filter((line) => !line.startsWith('warning: '));
  expect(errors).toEqual([expect.stringMatching(/^error: /), '']);
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/ {4}at /);
  expect(stdout).toBe('');
  expect(code).toBe(exitCode);
}

describe('help', () => {
  it('lists the commands, and ends in success', async () => {
    const { code, stdout } = await pelt(['--help'], folder);
    expect(code).toBe(0);
    for (const name of Object.keys(COMMANDS)) expect(stdout).toContain(`  ${name} `);
  });

  it.each(Object.keys(COMMANDS))('%s --help shows options and examples, as help with its name does', async (name) => {
    const [flag, word] = [await pelt([name, '--help'], folder), await pelt(['help', name], folder)];
    expect(flag.code).toBe(0);
    expect(flag.stdout).toBe(word.stdout);
    expect(flag.stdout).toContain('Examples:');
    for (const option of ['--json', '--report', '--quiet', '--debug']) expect(flag.stdout).toContain(option);
  });

  it('prints the version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect((await pelt(['--version'], folder)).stdout).toBe(`${version}\n`);
  });
});

describe('output', () => {
  it('ends with a line that says what came out', async () => {
    const own = ownFolder();
    const { stdout } = await pelt(['fit', 'rest.obj', 'clip.pc2', '--bones', '3', '-o', 'out.glb'], own);
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(
      /^rest\.obj \+ clip\.pc2 \(\d+ KB\) → out\.glb \(\d+ KB\) {2}E_RMS [\d.e-]+ {2}3 bones {2}[\d.]+ s$/,
    );
  });

  it('says when it has fewer bones than were asked for, and why', async () => {
    const own = ownFolder();
    const tetrahedron = (top: number) =>
      `v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 ${top}\nf 1 2 3\nf 1 2 4\nf 2 3 4\nf 1 3 4\n`;
    for (const [name, top] of [
      ['a', 1],
      ['b', 2],
      ['c', 1],
    ] as const) {
      writeFileSync(join(own, `${name}.obj`), tetrahedron(top));
    }
    const few = await pelt(['fit', 'a.obj', 'b.obj', '--bones', '9', '-o', 'few.glb'], own);
    expect(few.stderr).toContain('warning: 4 of the 9 bones asked for: the mesh has 4 vertices');
    const one = await pelt(['fit', 'a.obj', 'c.obj', '--bones', '3', '-o', 'one.glb'], own);
    expect(one.stderr).toContain('warning: 1 of the 3 bones asked for: no more parts of the mesh move on their own');
    expect(one.stdout).toMatch(/ 1 bones /);
  });

  it('is one JSON object with --json, the same as the report, and nothing else', async () => {
    const own = ownFolder();
    const { stdout, stderr } = await pelt(
      ['fit', 'frames', '--bones', '3', '-o', 'out.glb', '--json', '--report', 'r.json'],
      own,
    );
    const report = JSON.parse(stdout);
    expect(stdout.trimEnd()).not.toContain('\n');
    expect(JSON.parse(readFileSync(join(own, 'r.json'), 'utf8'))).toEqual(report);
    expect(stderr).toBe('');
    expect(Object.keys(report).sort()).toEqual([
      'bones',
      'clips',
      'error',
      'expectedMegabytes',
      'input',
      'iterations',
      'method',
      'output',
      'peakMegabytes',
      'restMoved',
      'seconds',
      'threads',
      'warnings',
      'weightsPerVertex',
    ]);
    expect(Object.keys(report.error)).toEqual([
      'eRms',
      'rmsePercent',
      'distortionPercent',
      'max',
      'p999',
      'normalAngleDegrees',
    ]);
    expect(Object.keys(report.seconds)).toEqual(['read', 'fit', 'write']);
  });

  it('is nothing with --quiet', async () => {
    const own = ownFolder();
    const { code, stdout, stderr } = await pelt(['convert', 'frames', '-o', 'a.pc2', '--quiet'], own);
    expect([code, stdout, stderr]).toEqual([0, '', '']);
  });

  it('gives no bytes to a terminal that files could have put there', async () => {
    const own = ownFolder();
    const evil = 'a\u001b[2J\u009b\u202e.obj';
    cpSync(join(own, 'rest.obj'), join(own, evil));
    writeFileSync(join(own, 'named.obj'), `o part\u001b]0;title\u0007\n${readFileSync(join(own, 'rest.obj'), 'utf8')}`);
    for (const args of [[evil], ['named.obj'], [evil, '--json'], [`${evil}x`]]) {
      const { stdout, stderr } = await pelt(['info', ...args], own);
      for (const character of ['\u001b', '\u009b', '\u0007', '\u202e'])
        expect(stdout + stderr).not.toContain(character);
    }
    expect(JSON.parse((await pelt(['info', evil, '--json'], own)).stdout).files[0].file).toBe(evil);
  });

  it('does not mind a reader that has seen enough', () => {
    const { stderr } = spawnSync(`"${process.execPath}" "${PELT}" info frames rest.obj clip.pc2 | head -1`, {
      cwd: folder,
      shell: true,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
  });
});

describe('errors', () => {
  it('are usage: exit code 1', async () => {
    const run = (...args: string[]) => pelt(args, folder);
    expectOneLineError(await run('fitt'), 1, "unknown command 'fitt' (Did you mean fit?); see pelt --help");
    expectOneLineError(await run('info'), 1, "missing required argument 'file'; see pelt info --help");
    expectOneLineError(await run('fit', 'frames'), 1, "required option '-o, --output <file>' not specified");
    expectOneLineError(
      await run('fit', 'frames', '-o', 'a.glb', '--bonez', '3'),
      1,
      /unknown option '--bonez'.*Did you mean --bones/,
    );
    expectOneLineError(
      await run('fit', 'frames', '-o', 'a.glb', '--bones', '0'),
      1,
      "--bones is 0; it must be a whole number from 1 to 65535, or 'auto'",
    );
    expectOneLineError(
      await run('fit', 'frames', '-o', 'a.glb', '--max-error', '-1'),
      1,
      '--max-error is -1; it must be an E_RMS such as 2.1, or a length such as 3mm',
    );
    expectOneLineError(
      await run('fit', 'frames', '-o', 'a.glb', '--method', 'magic'),
      1,
      "--method is 'magic'; it must be ssdr, affine, sma or lssp",
    );
    expectOneLineError(
      await run('convert', 'frames', '-o', 'a.obj', '--frame', 'x'),
      1,
      "--frame is 'x'; it must be a whole number from 1, or 'rest'",
    );
    expectOneLineError(await run('fit', 'rest.obj', '-o', 'a.glb'), 1, 'is a single pose');
    expectOneLineError(await run('fit', 'frames', '-o', 'a.glb', '--seed', '1'), 1, "unknown option '--seed'");
    expectOneLineError(await run('fit', 'frames', '-o', 'a.glb', '--threads', '0'), 1, 'whole number from 1');
    for (const handle of ['5', 'x=1,2,3', '5=1,2', '5=1,2,x']) {
      const posed = await run('pose', 'character.glb', '--handle', handle, '-o', 'out.obj');
      expectOneLineError(posed, 1, 'like 120=0.5,1,-0.25');
    }
    const far = await run('pose', 'character.glb', '--handle', '0=1e39,0,0', '-o', 'out.obj');
    expectOneLineError(far, 1, /--handle is .*1e\+39.*with coordinates below 3\.4e38/);
    const rooted = await run('skeleton', 'frames', '--root', '1,2', '-o', 'a.glb');
    expectOneLineError(rooted, 1, 'a vertex, such as 17, or a point');
    expect((await run()).code).toBe(1);
  });

  it('are input: exit code 2', async () => {
    const own = ownFolder();
    const run = (...args: string[]) => pelt(args, own);
    expectOneLineError(await run('info', 'absent.obj'), 2, "cannot read 'absent.obj': there is no such file");
    writeFileSync(join(own, 'cut.glb'), readFileSync(join(own, 'character.glb')).subarray(0, 3000));
    expectOneLineError(await run('fit', 'cut.glb', '-o', 'a.glb'), 2, 'cut.glb');
    writeFileSync(join(own, 'nan.obj'), 'v 0 nan 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
    expectOneLineError(await run('convert', 'nan.obj', '-o', 'a.ply'), 2, 'nan.obj');
    expect(readdirSync(own).filter((name) => name === 'a.glb' || name === 'a.ply' || name.endsWith('.tmp'))).toEqual(
      [],
    );
  });

  it('are not supported: exit code 3', async () => {
    const own = ownFolder();
    writeFileSync(join(own, 'old.abc'), Buffer.from('\x89HDF\r\n\x1a\n', 'latin1'));
    expectOneLineError(await pelt(['info', 'old.abc'], own), 3, 'HDF5');
    expectOneLineError(await pelt(['convert', 'frames', '-o', 'a.stl'], own), 3, "'.stl' files are not written");
  });

  it('are output: exit code 4', async () => {
    const own = ownFolder();
    expectOneLineError(await pelt(['fit', 'frames', '-o', 'rest.obj/a.glb'], own), 4, "cannot write 'rest.obj/a.glb'");
    expectOneLineError(
      await pelt(['info', 'rest.obj', '--report', 'frames'], own),
      4,
      "cannot write 'frames': it is a folder",
    );
  });

  it('are numeric: exit code 5', async () => {
    const own = ownFolder();
    const run = await pelt(['fit', 'frames', '--max-error', '0.0001', '--bones', '2', '-o', 'a.glb'], own);
    expectOneLineError(run, 5, 'with 2 bones, above 0.0001');
    expect(existsSync(join(own, 'a.glb'))).toBe(false);
  });

  it('show where they came from with --debug alone', async () => {
    const { stderr } = await pelt(['info', 'absent.obj', '--debug'], folder);
    expect(stderr).toMatch(/^error: cannot read 'absent.obj'/);
    expect(stderr).toMatch(/ {4}at .*NodeFiles/);
  });
});

describe('memory', () => {
  it('is asked for before it is used: a job that would need too much does not start', async () => {
    const own = ownFolder();
    const run = await pelt(['fit', 'rest.obj', 'clip.pc2', '-o', 'a.glb', '--memory', '50M'], own);
    expectOneLineError(
      run,
      2,
      /fit would need about \d+ MB of memory for 12 frames of \d+ vertices, more than the 50 MB/,
    );
    expect(existsSync(join(own, 'a.glb'))).toBe(false);
    const { code } = await pelt(
      ['fit', 'rest.obj', 'clip.pc2', '--bones', '3', '-o', 'a.glb', '--memory', '1GiB'],
      own,
    );
    expect(code).toBe(0);
  });

  it.each(['2X', '-1', '0', 'much', ''])('cannot be %j', async (size) => {
    const run = await pelt(['info', 'rest.obj', '--memory', size], folder);
    expectOneLineError(run, 1, 'It must be an amount of memory such as 2G or 1500M');
  });

  it('can be saved by a sample of the frames', async () => {
    const own = ownFolder();
    const args = ['fit', 'rest.obj', 'clip.pc2', '--bones', '3', '--sample', '5', '-o', 'a.glb', '--json'];
    const { stdout } = await pelt(args, own);
    const { input, sampled, peakMegabytes, expectedMegabytes } = JSON.parse(stdout);
    expect([sampled.frames, input.frames]).toEqual([5, 12]);
    expect(expectedMegabytes / peakMegabytes).toBeGreaterThan(0.5);
    const info = JSON.parse((await pelt(['info', 'a.glb', '--json'], own)).stdout);
    expect(info.files[0].clips[0].frames).toBe(12);
  });
});

describe('paths in files', () => {
  it('are never followed out of the folder', async () => {
    const own = scratchFolder();
    mkdirSync(join(own, 'asset'));
    writeFileSync(join(own, 'secret.bin'), new Uint8Array(36));
    symlinkSync(join(own, 'secret.bin'), join(own, 'asset/link.bin'));
    const gltf = (uri: string) => ({
      asset: { version: '2.0' },
      buffers: [{ uri, byteLength: 36 }],
      bufferViews: [{ buffer: 0, byteLength: 36 }],
      accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [0, 0, 0] }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
      nodes: [{ mesh: 0 }],
      scenes: [{ nodes: [0] }],
      scene: 0,
    });
    for (const uri of [
      '../secret.bin',
      'link.bin',
      join(own, 'secret.bin'),
      `file://${own}/secret.bin`,
      '..%2Fsecret.bin',
      'http://127.0.0.1:9/x.bin',
    ]) {
      writeFileSync(join(own, 'asset/a.gltf'), JSON.stringify(gltf(uri)));
      const { code, stderr } = await pelt(['info', 'asset/a.gltf'], own);
      expect(code, uri).toBe(2);
      expect(stderr).toMatch(/error: .*(inside the folder|not found beside)/);
    }
    cpSync(join(own, 'secret.bin'), join(own, 'asset/own.bin'));
    writeFileSync(join(own, 'asset/a.gltf'), JSON.stringify(gltf('own.bin')));
    expect((await pelt(['info', 'asset/a.gltf'], own)).code).toBe(0);
  });

  it('are left out of an OBJ with a warning', async () => {
    const own = scratchFolder();
    mkdirSync(join(own, 'asset'));
    writeFileSync(join(own, 'secret.mtl'), 'newmtl red\nKd 1 0 0\n');
    symlinkSync(join(own, 'secret.mtl'), join(own, 'asset/link.mtl'));
    for (const library of ['../secret.mtl', 'link.mtl']) {
      writeFileSync(join(own, 'asset/a.obj'), `mtllib ${library}\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n`);
      const { code, stderr, stdout } = await pelt(['info', 'asset/a.obj', '--json'], own);
      expect(code).toBe(0);
      expect(stderr).toContain('warning: ');
      expect(JSON.parse(stdout).files[0].warnings).not.toEqual([]);
    }
  });
});

describe('Ctrl-C', () => {
  it.each([
    ['SIGINT', 1, 130],
    ['SIGTERM', 1, 143],
    ['SIGINT', 2, 130],
    ['SIGHUP', 1, 129],
  ] as const)('%s, %d times, ends a fit with %d and leaves nothing', async (signal, times, exitCode) => {
    const own = scratchFolder();
    const { sequence } = creatureScene({ frames: 40 });
    writeFileSync(join(own, 'long.glb'), (await writeMorphGlb(sequence)).bytes);
    const args = ['fit', 'long.glb', '--bones', '60', '-o', 'sub/out.glb', '--report', 'sub/out.json'];
    let sawTemporary = false;
    const { code, stderr, stdout } = await pelt(args, own, async (child) => {
      // Once both temporary files are there the work has begun; a moment later it is in the middle of the fit.
      const folder = join(own, 'sub');
      const temporaries = () => (existsSync(folder) ? readdirSync(folder).length : 0);
      while (child.exitCode === null && temporaries() < 2) await sleep(20);
      await sleep(1500);
      sawTemporary = temporaries() === 2;
      for (let k = 0; k < times; k++) child.kill(signal);
    });
    expect(sawTemporary).toBe(true);
    expect(code).toBe(exitCode);
    expect(stderr).toBe('error: cancelled\n');
    expect(stdout).toBe('');
    expect(readdirSync(own)).toEqual(['long.glb']);
  });
});
