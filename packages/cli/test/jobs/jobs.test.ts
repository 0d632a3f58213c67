import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeObj } from '@pelt/io';
import { CancelledError, InputError, type Mesh, OutputError, UnsupportedError, UsageError } from '@pelt/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSequence } from '../../src/input/load-sequence.ts';
import { sourceOf } from '../../src/input/source-files.ts';
import type { ConvertRequest } from '../../src/jobs/convert.ts';
import type { FitRequest } from '../../src/jobs/fit.ts';
import { largestDifference, PLAIN_FIT, scene, writeFixtures } from '../fixtures.ts';
import { performHere } from '../perform-here.ts';
import { scratchFolder } from '../scratch-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'pelt-jobs-'));
const at = (...names: string[]) => names.map((name) => join(folder, name));
const vertices = scene.sequence.rest.positions.length / 3;
const triangles = scene.sequence.rest.triangles.length / 3;
beforeAll(() => writeFixtures(folder));
afterAll(() => rmSync(folder, { recursive: true }));

const load = async (...paths: string[]) => (await loadSequence(sourceOf(paths), {}, () => {})).sequence;

describe('convert', () => {
  const convert = (files: readonly string[], output: string, more: Partial<ConvertRequest> = {}) =>
    performHere('convert', { files: at(...files), input: {}, output, ascii: false, ...more });

  it.each([
    ['clip.pc2', 0],
    ['clip.mdd', 0],
    ['clip.glb', 1e-6],
    ['f.obj', 0],
    ['f.ply', 0],
  ])('writes %s that reads back the same', async (name, tolerance) => {
    const out = scratchFolder();
    const { report } = await convert(['rest.obj', 'clip.mdd'], join(out, name));
    const back = /pc2|mdd/.test(name)
      ? [...at('rest.obj'), join(out, name)]
      : [name.endsWith('glb') ? join(out, name) : out];
    expect(largestDifference(await load(...back), scene.sequence)).toBeLessThanOrEqual(tolerance);
    expect(report.output.bytes).toBe(
      readdirSync(out).reduce((sum, file) => sum + readFileSync(join(out, file)).length, 0),
    );
    expect(report.input).toMatchObject({ vertices, triangles, frames: 12 });
    expect(report.output.frames).toBe(12);
  });

  it('numbers frames, in the place of #', async () => {
    const out = scratchFolder();
    await convert(['morph.glb'], join(out, 'deep/p##.ply'), { ascii: true });
    expect(readdirSync(join(out, 'deep')).sort()).toEqual(
      Array.from({ length: 12 }, (_, t) => `p${String(t + 1).padStart(2, '0')}.ply`),
    );
    expect(readFileSync(join(out, 'deep/p01.ply'), 'utf8')).toContain('format ascii 1.0');
  });

  it('writes one frame, or the rest pose, as a mesh', async () => {
    const out = scratchFolder();
    await convert(['rest.obj', 'clip.pc2'], join(out, 'third.obj'), { frame: 3 });
    const size = 3 * vertices;
    expect((await load(join(out, 'third.obj'))).frames).toEqual(scene.sequence.frames.slice(2 * size, 3 * size));
    await convert(['character.glb'], join(out, 'rest.ply'), { frame: 'rest' });
    expect((await load(join(out, 'rest.ply'))).rest.positions).toEqual(scene.sequence.rest.positions);
    await expect(convert(['frames'], join(out, 'x.obj'), { frame: 13 })).rejects.toThrow(
      'there is no frame 13; the animation has 12',
    );
    await expect(convert(['frames'], join(out, 'x.pc2'), { frame: 1 })).rejects.toThrow(UsageError);
  });

  it('writes materials once, beside the frames', async () => {
    const out = scratchFolder();
    const source = join(out, 'in');
    mkdirSync(source);
    for (const t of [1, 2]) {
      writeFileSync(join(source, `a${t}.obj`), `mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 ${t} 0\nusemtl red\nf 1 2 3\n`);
    }
    writeFileSync(join(source, 'a.mtl'), 'newmtl red\nKd 1 0 0\n');
    const { report } = await performHere('convert', {
      files: [source],
      input: {},
      output: join(out, 'b.obj'),
      ascii: false,
    });
    expect(report.output.files.map(({ file }) => file.slice(out.length + 1))).toEqual([
      'b-0001.obj',
      'b.mtl',
      'b-0002.obj',
    ]);
    expect(readFileSync(join(out, 'b.mtl'), 'utf8')).toContain('Kd 1 0 0');
    expect(readFileSync(join(out, 'b-0002.obj'), 'utf8')).toContain('mtllib b.mtl');
  });

  it('refuses to replace what it reads, and formats it cannot write', async () => {
    await expect(convert(['rest.obj'], join(folder, './frames/../rest.obj'))).rejects.toThrow('would replace an input');
    await expect(convert(['frames'], join(folder, 'frames/pose-#.obj'))).rejects.toThrow(UsageError);
    await expect(convert(['rest.obj'], join(folder, 'a.fbx'))).rejects.toThrow(UnsupportedError);
    await expect(convert(['rest.obj'], join(folder, 'rest.obj/a.ply'))).rejects.toThrow(OutputError);
    expect(existsSync(join(folder, 'a.fbx'))).toBe(false);
  });

  it('writes nothing at all where one of many files cannot be', async () => {
    const out = scratchFolder();
    mkdirSync(join(out, 'w-0007.obj'));
    await expect(convert(['frames'], join(out, 'w.obj'))).rejects.toThrow('it is a folder');
    expect(readdirSync(out)).toEqual(['w-0007.obj']);
  });

  it('stops where it is told to, and leaves nothing', async () => {
    const out = scratchFolder();
    const run = performHere(
      'convert',
      { files: at('frames'), input: {}, output: join(out, 'new/w.obj'), ascii: false },
      join(out, 'report.json'),
      ({ stage }, cancel) => {
        if (stage === 'writing') cancel();
      },
    );
    await expect(run).rejects.toThrow(CancelledError);
    expect(readdirSync(out)).toEqual([]);
  });
});

describe('compare', () => {
  const compare = async (...names: string[]) =>
    (await performHere('compare', { files: at(...names), input: {} })).report;

  it('finds no difference between forms of one animation', async () => {
    const report = await compare('rest.obj', 'clip.pc2', 'frames');
    expect(report).toMatchObject({ vertices, frames: 12, error: { eRms: 0, max: 0, normalAngleDegrees: 0 } });
    expect(report.enveloping).toBeUndefined();
    expect((await compare('clip.mdd', 'scans').catch((error) => error)).message).toContain(
      'holds points without a mesh',
    );
    expect((await compare('frames', 'clip.mdd')).error.eRms).toBe(0);
  });

  it('gives the enveloping error too where the second is a skin', async () => {
    const report = await compare('frames', 'character.glb');
    expect(report.error.eRms).toBeLessThan(0.01);
    expect(report.enveloping?.error).toBeLessThan(0.01);
  });

  it('measures what is really different', async () => {
    const { sequence } = scene;
    const moved = { ...sequence.rest, positions: sequence.rest.positions.map((x, k) => (k % 3 === 1 ? x + 0.06 : x)) };
    writeFileSync(join(folder, 'moved.obj'), writeObj(moved)[0].bytes);
    const { error } = await compare('rest.obj', 'moved.obj');
    expect(error.max).toBeCloseTo(0.06, 5);
    // the chain is 1.2 long, its enclosing radius 0.6
    expect(error.eRms).toBeCloseTo((1000 * 0.06) / Math.sqrt(3) / 0.6, 1);
  });

  it('leaves copies on seams out of account', async () => {
    // a square of four points whose diagonal is a seam of the texture: six vertices in a glTF
    const seam: Mesh = {
      name: 'square',
      positions: new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0]),
      triangles: new Uint32Array([0, 1, 2, 1, 3, 2]),
      uvs: {
        size: 2,
        values: new Float32Array(12).map((_, k) => k / 12),
        indices: new Uint32Array([0, 1, 2, 3, 4, 5]),
      },
    };
    writeFileSync(join(folder, 'seam.obj'), writeObj(seam)[0].bytes);
    await performHere('convert', { files: at('seam.obj'), input: {}, output: join(folder, 'seam.glb'), ascii: false });
    expect(await compare('seam.obj', 'seam.glb')).toMatchObject({
      vertices: 4,
      b: { vertices: 6 },
      error: { eRms: 0 },
    });
    expect(await compare('seam.glb', 'seam.obj')).toMatchObject({ vertices: 4, error: { eRms: 0 } });
    await expect(compare('seam.glb', 'rest.obj')).rejects.toThrow(
      /has 6 vertices and .* has \d+; only animations of one mesh/,
    );
  });

  it('names what does not compare', async () => {
    await expect(compare('frames', 'rest.obj')).rejects.toThrow(InputError);
    await expect(compare('frames', 'rest.obj')).rejects.toThrow(/has 12 frames and .* has 1/);
    await expect(compare('frames')).rejects.toThrow('two animations are compared, but 1 are given');
    await expect(compare('frames', 'scans', 'baked')).rejects.toThrow('but 3 are given');
  });
});

describe('fit', () => {
  const fit = (files: readonly string[], output: string, more: Partial<FitRequest> = {}) =>
    performHere('fit', { ...PLAIN_FIT, files: at(...files), output, ...more });

  it('finds the three bones of the chain, and reports what it did', async () => {
    const out = scratchFolder();
    const file = join(out, 'report.json');
    const output = join(out, 'chain.glb');
    const { report, progress } = await performHere(
      'fit',
      { ...PLAIN_FIT, files: at('rest.obj', 'clip.pc2'), output, weights: 2, seed: 7 },
      file,
    );
    expect(report).toMatchObject({
      input: { vertices, triangles, frames: 12 },
      method: 'ssdr',
      bones: 3,
      weightsPerVertex: 2,
      seed: 7,
      threads: 1,
      output: { bytes: readFileSync(output).length },
    });
    expect(report.error.eRms).toBeLessThan(3);
    for (const value of Object.values(report.error)) expect(value).toBeGreaterThanOrEqual(0);
    for (const value of Object.values(report.seconds)) expect(value).toBeGreaterThan(0);
    expect(report.iterations).toBeGreaterThan(0);
    expect(report.peakMegabytes).toBeGreaterThan(0);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(report);
    const shares = progress.map(({ fraction }) => fraction);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));

    // the file plays what the report says
    const compared = await performHere('compare', { files: [...at('rest.obj', 'clip.pc2'), output], input: {} });
    expect(compared.report.error.eRms).toBeCloseTo(report.error.eRms, 3);
    expect(compared.report.error.max).toBeCloseTo(report.error.max, 4);
  });

  it('gives the same bytes again, with one thread or two', async () => {
    const out = scratchFolder();
    const bytes = [];
    for (const threads of [1, 1, 2]) {
      await fit(['frames'], join(out, 'a.glb'), { threads });
      bytes.push(readFileSync(join(out, 'a.glb')));
    }
    expect(bytes[1].equals(bytes[0])).toBe(true);
    expect(bytes[2].equals(bytes[0])).toBe(true);
  });

  it('uses as few bones as an error allows', async () => {
    const out = scratchFolder();
    const { report } = await fit(['frames'], join(out, 'a.glb'), { bones: undefined, maxError: { value: 5 } });
    expect(report.error.eRms).toBeLessThanOrEqual(5);
    expect(report.bones).toBeLessThanOrEqual(6);
    await expect(fit(['frames'], join(out, 'b.glb'), { bones: 2, maxError: { value: 1e-3 } })).rejects.toThrow(
      /E_RMS is .* with 2 bones/,
    );
    expect(readdirSync(out)).toEqual(['a.glb']);
  });

  it('takes an error as a length of the vertices, root mean square', async () => {
    const out = scratchFolder();
    const limit = { value: 5, unit: 0.001 };
    const { report } = await fit(['frames'], join(out, 'a.glb'), { bones: undefined, maxError: limit });
    const diagonal = Math.hypot(...[0, 1, 2].map((k) => spread(scene.sequence.rest.positions, k)));
    expect((report.error.rmsePercent / 100) * diagonal).toBeLessThanOrEqual(0.005);
  });

  it('chooses the number of bones, lets bones shear, and keeps the rest pose, where asked to', async () => {
    const out = scratchFolder();
    const auto = await fit(['frames'], join(out, 'a.glb'), { bones: 'auto' });
    expect(auto.report.bones).toBeGreaterThanOrEqual(2);
    expect(auto.report.bones).toBeLessThanOrEqual(12);
    const affine = await fit(['frames'], join(out, 'b.glb'), { method: 'affine' });
    const compared = await performHere('compare', { files: [...at('frames'), join(out, 'b.glb')], input: {} });
    expect(compared.report.error.eRms).toBeCloseTo(affine.report.error.eRms, 2);
    await fit(['rest.obj', 'clip.pc2'], join(out, 'c.glb'), { keepRest: true });
    const kept = (await load(join(out, 'c.glb'))).rest.positions;
    kept.forEach((value, k) => {
      expect(value).toBeCloseTo(scene.sequence.rest.positions[k], 6);
    });
  });

  it('fits several clips of one mesh with one rig, and writes each as its own animation', async () => {
    const out = scratchFolder();
    const [cache, baked] = at('clip.pc2', 'baked');
    const clips = [
      { name: 'swing', files: [cache] },
      { name: 'again', files: [baked] },
    ];
    const { report } = await fit(['rest.obj'], join(out, 'a.glb'), { clips });
    expect(report).toMatchObject({ clips: ['swing', 'again'], input: { frames: 24, vertices } });
    const [info] = (await performHere('info', { files: [join(out, 'a.glb')] })).report.files;
    expect(info.clips?.map(({ name, frames }) => [name, frames])).toEqual([
      ['swing', 12],
      ['again', 12],
    ]);
    const twoMeshes = fit(['rest.obj', 'frames'], join(out, 'b.glb'), { clips });
    await expect(twoMeshes).rejects.toThrow('the input is one mesh');
  });

  it('adds displacements that lower the error of the file as it plays, and splits root motion off', async () => {
    const out = scratchFolder();
    const output = join(out, 'a.glb');
    const { report } = await fit(['rest.obj', 'clip.pc2'], output, { bones: 2, eigenskin: 2, rootMotion: 'full' });
    const { eigenskin, eRms } = report.error;
    expect(eigenskin?.eRms).toBeLessThan(eRms);
    const compared = await performHere('compare', { files: [...at('rest.obj', 'clip.pc2'), output], input: {} });
    expect(compared.report.error.eRms).toBeCloseTo(eigenskin?.eRms ?? 0, 2);
    const [info] = (await performHere('info', { files: [output] })).report.files;
    expect(info).toMatchObject({ joints: 3, morphTargets: 2 });
  });

  it('keeps the bones or the weights of a rig', async () => {
    const out = scratchFolder();
    const [rig] = at('character.glb');
    const bones = await fit(['rest.obj', 'clip.pc2'], join(out, 'a.glb'), { lock: { part: 'bones', rig } });
    expect(bones.report.error.eRms).toBeLessThan(0.5);
    const weights = await fit(['rest.obj', 'clip.pc2'], join(out, 'b.glb'), { lock: { part: 'weights', rig } });
    expect(weights.report.error.eRms).toBeLessThan(1);
    const [info] = (await performHere('info', { files: [join(out, 'a.glb')] })).report.files;
    expect(info.joints).toBe(3);
    const [obj] = at('rest.obj');
    await expect(fit(['frames'], join(out, 'c.glb'), { lock: { part: 'bones', rig: obj } })).rejects.toThrow(
      'is no glTF',
    );
    const [morph] = at('morph.glb');
    const unrigged = fit(['frames'], join(out, 'c.glb'), { lock: { part: 'bones', rig: morph } });
    await expect(unrigged).rejects.toThrow('has no skin');
  });

  it('fits welded points, and writes the vertices of the file', async () => {
    // every vertex twice: the triangles of one half of the mesh use the copies
    const out = scratchFolder();
    const { rest, frames, times } = scene.sequence;
    const twice = (values: Float32Array) => Float32Array.from([...values, ...values]);
    const mesh = {
      ...rest,
      positions: twice(rest.positions),
      triangles: rest.triangles.map((v, c) => (c < rest.triangles.length / 2 ? v : v + vertices)),
    };
    const { writePc2 } = await import('@pelt/io');
    const size = 3 * vertices;
    const all = Float32Array.from(
      Array.from(times, (_, t) => [...twice(frames.subarray(t * size, (t + 1) * size))]).flat(),
    );
    writeFileSync(join(out, 'twice.obj'), writeObj(mesh)[0].bytes);
    writeFileSync(join(out, 'twice.pc2'), writePc2({ name: '', rest: mesh, frames: all, times }));
    const output = join(out, 'twice.glb');
    const files = [join(out, 'twice.obj'), join(out, 'twice.pc2')];
    const { report } = await performHere('fit', { ...PLAIN_FIT, files, output });
    expect(report.input.vertices).toBe(2 * vertices);
    const played = await load(output);
    expect(played.rest.positions).toHaveLength(2 * size);
    // copies move as what they copy: the seam stays closed, exactly
    for (let t = 0; t < 12; t++) {
      const frame = played.frames.subarray(t * 2 * size, (t + 1) * 2 * size);
      expect(frame.subarray(size)).toEqual(frame.subarray(0, size));
    }
  });

  it('keeps UVs, materials, names and the order of vertices', async () => {
    const out = scratchFolder();
    const obj = (z: number) =>
      `mtllib look.mtl\no left\nv 0 0 0\nv 1 0 0\nv 0 1 ${z}\nv 1 1 ${z}\nvt 0 0\nvt 1 0\nvt 0 1\nvt 0.5 0.5\nusemtl red\nf 1/1 2/2 3/3\no right\nusemtl blue\nf 2/2 4/4 3/4\n`;
    writeFileSync(join(out, 'look.mtl'), 'newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n');
    for (const t of [1, 2, 3]) writeFileSync(join(out, `s${t}.obj`), obj(t / 4));
    const files = [1, 2, 3].map((t) => join(out, `s${t}.obj`));
    await performHere('fit', { ...PLAIN_FIT, files, output: join(out, 's.glb'), bones: 1 });
    const [info] = (await performHere('info', { files: [join(out, 's.glb')] })).report.files;
    expect(info).toMatchObject({ joints: 1, parts: ['left', 'right'], materials: ['red', 'blue'], triangles: 2 });
    expect(info.vertices).toBe(5); // point 3 has two UVs
    expect(info.attributes).toContain('uvs');
  });

  it('refuses what makes no sense', async () => {
    const out = scratchFolder();
    await expect(fit(['rest.obj'], join(out, 'a.glb'))).rejects.toThrow('is a single pose');
    await expect(fit(['frames'], join(out, 'a.obj'))).rejects.toThrow('is not a .glb');
    await expect(fit(['frames'], join(out, 'a.glb'), { weights: 17 })).rejects.toThrow('a file holds up to 16');
    await expect(fit(['character.glb'], join(folder, 'character.glb'))).rejects.toThrow('would replace an input');
    expect(readdirSync(out)).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('stops between two rounds where it is told to, and leaves nothing', async () => {
    const out = scratchFolder();
    const request = { ...PLAIN_FIT, files: at('frames'), output: join(out, 'sub/a.glb'), threads: 2 };
    const run = performHere('fit', request, join(out, 'r.json'), ({ stage }, cancel) => {
      if (stage.startsWith('fitting')) cancel();
    });
    await expect(run).rejects.toThrow(CancelledError);
    expect(readdirSync(out)).toEqual([]);
  });
});

/** Extent of coordinate k. */
function spread(positions: Float32Array, k: number): number {
  const values = positions.filter((_, at) => at % 3 === k);
  return Math.max(...values) - Math.min(...values);
}
