import { readGltf, readRig, writeObj, writePc2, writeSkinnedGlb } from '@pelt/io';
import { CancelledError, InputError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { loadSequence } from '../../src/input/load-sequence.ts';
import { sourceOf } from '../../src/input/source-files.ts';
import type { JobRequest } from '../../src/request/check-request.ts';
import { chainFiles, scene } from '../chain-files.ts';
import { Workspace } from '../workspace.ts';

type FitOptions = NonNullable<JobRequest<'fit'>['options']>;

const space = new Workspace(await chainFiles());
const vertices = scene.sequence.rest.positions.length / 3;
const triangles = scene.sequence.rest.triangles.length / 3;

const load = async (...paths: string[]) =>
  (await loadSequence(sourceOf(space.files, paths), {}, { files: space.files, warn: () => {} })).sequence;

describe('fit', () => {
  /** Of three bones, unless told otherwise. */
  const fit = (inputs: readonly string[], output: string, options: FitOptions = {}, threads = 1) =>
    space.run({ command: 'fit', inputs, output, options: { bones: 3, ...options } }, { threads });
  const compare = async (...inputs: string[]) => (await space.run({ command: 'compare', inputs })).report;
  const info = async (path: string) => (await space.run({ command: 'info', inputs: [path] })).report.files[0];

  it('finds the three bones of the chain, and reports what it did', async () => {
    const { report, progress } = await fit(['rest.obj', 'clip.pc2'], 'chain.glb', { weights: 2 });
    expect(report).toMatchObject({
      input: { vertices, triangles, frames: 12 },
      method: 'ssdr',
      bones: 3,
      weightsPerVertex: 2,
      threads: 1,
      output: { bytes: space.read('chain.glb').length },
    });
    expect(report.error.eRms).toBeLessThan(3);
    for (const value of Object.values(report.error)) expect(value).toBeGreaterThanOrEqual(0);
    for (const value of Object.values(report.seconds)) expect(value).toBeGreaterThan(0);
    expect(report.iterations).toBeGreaterThan(0);
    const shares = progress.map(({ fraction }) => fraction);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));

    // the file plays what the report says
    const { error } = await compare('rest.obj', 'clip.pc2', 'chain.glb');
    expect(error.eRms).toBeCloseTo(report.error.eRms, 3);
    expect(error.max).toBeCloseTo(report.error.max, 4);
  });

  it('begins a clip when its file begins it', async () => {
    const late = { ...scene.clip, times: scene.clip.times.map((time) => time + 0.5) };
    const { bytes } = await writeSkinnedGlb({
      rig: scene.rig,
      clips: [
        { ...late, name: 'early', times: scene.clip.times },
        { ...late, name: 'late' },
      ],
    });
    space.put('late.glb', bytes);
    for (const options of [{}, { compress: 'meshopt' }, { sample: 8 }] as const) {
      await fit(['late.glb'], 'again.glb', options);
      const { animations } = await readGltf(space.read('again.glb'));
      expect(animations.map(({ name }) => name)).toEqual(['early', 'late']);
      expect(animations[0].start).toBe(0);
      expect(animations[1].start).toBeCloseTo(0.5, 6);
    }
  });

  it('gives the same bytes again, with one thread or two', async () => {
    const bytes = [];
    for (const threads of [1, 1, 2]) {
      await fit(['frames'], 'a.glb', {}, threads);
      bytes.push(space.read('a.glb'));
    }
    expect(bytes[1]).toEqual(bytes[0]);
    expect(bytes[2]).toEqual(bytes[0]);
  });

  it('uses as few bones as an error allows', async () => {
    const { report } = await fit(['frames'], 'a.glb', { bones: undefined, maxError: 5 });
    expect(report.error.eRms).toBeLessThanOrEqual(5);
    expect(report.bones).toBeLessThanOrEqual(6);
    await expect(fit(['frames'], 'b.glb', { bones: 2, maxError: 1e-3 })).rejects.toThrow(/E_RMS is .* with 2 bones/);
    expect(space.has('b.glb')).toBe(false);
  });

  it('takes an error as a length of the vertices, root mean square', async () => {
    const { report } = await fit(['frames'], 'a.glb', { bones: undefined, maxError: '5mm' });
    const diagonal = Math.hypot(...[0, 1, 2].map((k) => spread(scene.sequence.rest.positions, k)));
    expect((report.error.rmsePercent / 100) * diagonal).toBeLessThanOrEqual(0.005);
  });

  it('chooses the number of bones, lets bones shear, and keeps the rest pose, where asked to', async () => {
    const auto = await fit(['frames'], 'a.glb', { bones: 'auto' });
    expect(auto.report.bones).toBeGreaterThanOrEqual(2);
    expect(auto.report.bones).toBeLessThanOrEqual(12);
    const affine = await fit(['frames'], 'b.glb', { method: 'affine' });
    expect((await compare('frames', 'b.glb')).error.eRms).toBeCloseTo(affine.report.error.eRms, 2);
    await expect(fit(['frames'], 'd.glb', { bandwidth: 20 })).rejects.toThrow(
      "fit: --bandwidth has no effect on --method ssdr; leave it out, or choose 'sma'",
    );
    for (const other of [{ bones: 'auto' }, { method: 'lssp' }, { maxError: 5 }] as const) {
      await expect(fit(['frames'], 'd.glb', { start: 'regions', ...other })).rejects.toThrow(
        /--start (regions needs a number of --bones|has no effect)/,
      );
    }
    const regions = await fit(['frames'], 'd.glb', { start: 'regions', bones: 3 });
    expect(regions.report.bones).toBe(3);
    const sma = await fit(['frames'], 'd.glb', { method: 'sma', bandwidth: 180 });
    expect(sma.report.bones).toBe(1);
    const shearing = await fit(['frames'], 'e.glb', { method: 'sma', smaBones: 'affine' });
    expect((await compare('frames', 'e.glb')).error.eRms).toBeCloseTo(shearing.report.error.eRms, 2);
    const keep = await fit(['rest.obj', 'clip.pc2'], 'c.glb', { restPose: 'keep' });
    expect(keep.report.restMoved).toEqual({ eRms: 0, max: 0 });
    const kept = (await load('c.glb')).rest.positions;
    kept.forEach((value, k) => {
      expect(value).toBeCloseTo(scene.sequence.rest.positions[k], 6);
    });
  });

  it('fits several clips of one mesh with one rig, and writes each as its own animation', async () => {
    const clip = [
      { name: 'swing', files: ['clip.pc2'] },
      { name: 'again', files: ['baked'] },
    ];
    const { report } = await fit(['rest.obj'], 'a.glb', { clip });
    expect(report).toMatchObject({ clips: ['swing', 'again'], input: { frames: 24, vertices } });
    expect((await info('a.glb')).clips?.map(({ name, frames }) => [name, frames])).toEqual([
      ['swing', 12],
      ['again', 12],
    ]);
    const twoMeshes = fit(['rest.obj', 'frames'], 'b.glb', { clip });
    await expect(twoMeshes).rejects.toThrow('the input is one mesh');
    const alike = fit(['rest.obj'], 'b.glb', { clip: [clip[0], clip[0]] });
    await expect(alike).rejects.toThrow("two clips named 'swing'");
  });

  it('adds displacements that lower the error of the file as it plays, and splits root motion off', async () => {
    const { report } = await fit(['rest.obj', 'clip.pc2'], 'a.glb', { bones: 2, eigenskin: 2, root: 'full' });
    const { eigenskin, eRms } = report.error;
    expect(eigenskin?.eRms).toBeLessThan(eRms);
    const played = await compare('rest.obj', 'clip.pc2', 'a.glb');
    expect(played.error.eRms).toBeCloseTo(eigenskin?.eRms ?? 0, 2);
    expect(await info('a.glb')).toMatchObject({ joints: 3, morphTargets: 2 });
  });

  it('keeps the bones or the weights of a rig', async () => {
    const rig = 'character.glb';
    const bones = await fit(['rest.obj', 'clip.pc2'], 'a.glb', { lock: 'bones', rig });
    expect(bones.report.error.eRms).toBeLessThan(0.5);
    const weights = await fit(['rest.obj', 'clip.pc2'], 'b.glb', { lock: 'weights', rig });
    expect(weights.report.error.eRms).toBeLessThan(1);
    expect((await info('a.glb')).joints).toBe(3);
    const lockTo = (path: string, more: FitOptions = {}) =>
      fit(['frames'], 'c.glb', { lock: 'bones', rig: path, ...more });
    await expect(lockTo('rest.obj')).rejects.toThrow(InputError);
    await expect(lockTo('rest.obj')).rejects.toThrow("'rest.obj' is not a glTF file");
    await expect(lockTo('morph.glb')).rejects.toThrow('has no skin');
    await expect(lockTo(rig, { rigClip: 'run' })).rejects.toThrow("there is no clip 'run'; the file has 'swing'");
    await expect(lockTo(rig, { rigClip: 'swing' })).resolves.toMatchObject({ report: { bones: 3 } });
    await expect(fit(['frames'], 'c.glb', { rig })).rejects.toThrow('give both');
  });

  it('respects a mask of weights that were painted', async () => {
    const paint = (mask: object, more: FitOptions = {}) => {
      space.files.set('own.json', new TextEncoder().encode(JSON.stringify(mask)));
      return fit(['rest.obj', 'clip.pc2'], 'p.glb', {
        bones: undefined,
        paint: 'own.json',
        rig: 'character.glb',
        ...more,
      });
    };
    const rigOf = async (path: string) => readRig(await readGltf(space.read(path), { name: path })).rig;
    const before = await rigOf('character.glb');
    const { report } = await paint({ keep: { '*': ['0-19'] }, forbid: { [before.bones[0].name]: [30, '40-45'] } });
    expect(report).toMatchObject({ bones: before.bones.length, warnings: [] });
    const after = await rigOf('p.glb');
    expect(after.bones.map(({ name }) => name)).toEqual(before.bones.map(({ name }) => name));
    const weight = ({ weights: { slots, bones, weights } }: typeof before, i: number, bone: number) => {
      const own = [...bones.subarray(i * slots, (i + 1) * slots)].findIndex(
        (j, s) => j === bone && weights[i * slots + s] > 0,
      );
      return own < 0 ? 0 : weights[i * slots + own];
    };
    for (let i = 0; i < 20; i++) {
      for (let j = 0; j < before.bones.length; j++) expect(weight(after, i, j)).toBeCloseTo(weight(before, i, j), 5);
    }
    for (const i of [30, 40, 45]) expect(weight(after, i, 0)).toBe(0);
    await expect(paint({ keep: { tail: [1] } })).rejects.toThrow("has no bone 'tail'");
    await expect(paint({ keep: { '*': [1e6] } })).rejects.toThrow('is not among the vertices');
    await expect(paint({ hide: {} })).rejects.toThrow('is not as it should be');
    await expect(paint({}, { bones: 4 })).rejects.toThrow('leave out --bones');
    await expect(paint({}, { rig: undefined })).rejects.toThrow('give both');
    await expect(paint({}, { lock: 'bones' })).rejects.toThrow('give one of them');
  });

  it('fits welded points, and writes the vertices of the file', async () => {
    // every vertex twice: the triangles of one half of the mesh use the copies
    const { rest, frames, times } = scene.sequence;
    const twice = (values: Float32Array) => Float32Array.from([...values, ...values]);
    const mesh = {
      ...rest,
      positions: twice(rest.positions),
      triangles: rest.triangles.map((v, c) => (c < rest.triangles.length / 2 ? v : v + vertices)),
    };
    const size = 3 * vertices;
    const all = Float32Array.from(
      Array.from(times, (_, t) => [...twice(frames.subarray(t * size, (t + 1) * size))]).flat(),
    );
    space.put('twice.obj', writeObj(mesh)[0].bytes);
    space.put('twice.pc2', writePc2({ name: '', rest: mesh, frames: all, times }));
    const { report } = await fit(['twice.obj', 'twice.pc2'], 'twice.glb');
    expect(report.input.vertices).toBe(2 * vertices);
    const played = await load('twice.glb');
    expect(played.rest.positions).toHaveLength(2 * size);
    // copies move as what they copy: the seam stays closed, exactly
    for (let t = 0; t < 12; t++) {
      const frame = played.frames.subarray(t * 2 * size, (t + 1) * 2 * size);
      expect(frame.subarray(size)).toEqual(frame.subarray(0, size));
    }
  });

  it('keeps UVs, materials and names, and gives each part its own vertices', async () => {
    const obj = (z: number) =>
      `mtllib look.mtl\no left\nv 0 0 0\nv 1 0 0\nv 0 1 ${z}\nv 1 1 ${z}\nvt 0 0\nvt 1 0\nvt 0 1\nvt 0.5 0.5\nusemtl red\nf 1/1 2/2 3/3\no right\nusemtl blue\nf 2/2 4/4 3/4\n`;
    space.put('look.mtl', 'newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n');
    for (const t of [1, 2, 3]) space.put(`s${t}.obj`, obj(t / 4));
    await fit(['s1.obj', 's2.obj', 's3.obj'], 's.glb', { bones: 1 });
    const found = await info('s.glb');
    expect(found).toMatchObject({ joints: 1, parts: ['left', 'right'], materials: ['red', 'blue'], triangles: 2 });
    expect(found.vertices).toBe(6); // three of each part; points 2 and 3 are in both
    expect(found.attributes).toContain('uvs');
  });

  it('refuses what makes no sense', async () => {
    await expect(fit(['rest.obj'], 'z.glb')).rejects.toThrow('is a single pose');
    await expect(fit(['frames'], 'z.obj')).rejects.toThrow('must be a path that ends in .glb');
    await expect(fit(['frames'], 'z.glb', { weights: 17 })).rejects.toThrow('a whole number from 1 to 16');
    await expect(fit(['character.glb'], 'character.glb')).rejects.toThrow('would replace an input');
    expect(space.has('z.glb') || space.has('z.obj')).toBe(false);
  });

  it('stops between two rounds where it is told to', async () => {
    const request = { command: 'fit', inputs: ['frames'], output: 'z.glb', options: { bones: 3 } } as const;
    await expect(space.cancelAt(request, /^fitting/)).rejects.toThrow(CancelledError);
  });
});

/** Extent of coordinate k. */
function spread(positions: Float32Array, k: number): number {
  const values = positions.filter((_, at) => at % 3 === k);
  return Math.max(...values) - Math.min(...values);
}
