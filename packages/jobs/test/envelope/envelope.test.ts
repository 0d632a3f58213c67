import { readEnvelope, readGltf, readRig, writeMdd, writeObj, writeSkinnedGlb } from '@pelt/io';
import { openNumerics } from '@pelt/math';
import { frameAt, InputError, poseAt, UsageError } from '@pelt/model';
import { deformLinear } from '@pelt/skin/blending';
import { createReducedDeformer } from '@pelt/skin/envelope/runtime';
import { elbowScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import type { JobRequest } from '../../src/request/check-request.ts';
import { Workspace } from '../workspace.ts';

const scene = elbowScene({ frames: 9, rings: 15, sides: 8 });
const { rig, clip, sequence } = scene;
const few = (count: number) => ({
  ...sequence,
  frames: sequence.frames.slice(0, count * rig.mesh.positions.length),
  times: sequence.times.slice(0, count),
});
const still = { name: 'still', times: clip.times.slice(0, 4), transforms: clip.transforms.slice(0, 4 * 24) };
const half = Math.floor(rig.mesh.triangles.length / 6);
const count = rig.mesh.triangles.length / 3;
const objects = ['upper', 'lower'].map((name) => ({ name, mesh: name }));
const parts = [
  { name: '', firstTriangle: 0, triangleCount: half, material: -1, object: 0 },
  { name: '', firstTriangle: half, triangleCount: count - half, material: -1, object: 1 },
];
const space = new Workspace({
  'rig.glb': (await writeSkinnedGlb({ rig, clips: [clip] })).bytes,
  'two.glb': (await writeSkinnedGlb({ rig, clips: [still, clip] })).bytes,
  'parts.glb': (await writeSkinnedGlb({ rig: { ...rig, mesh: { ...rig.mesh, parts, objects } }, clips: [clip] })).bytes,
  'rest.obj': writeObj(sequence.rest)[0].bytes,
  'clip.mdd': writeMdd(sequence),
  'short.mdd': writeMdd(few(4)),
});

const learn = (
  options: JobRequest<'envelope'>['options'] = {},
  output = 'out.glb',
  inputs = ['rig.glb', 'rest.obj', 'clip.mdd'],
) => {
  const reduced = ['linear-maps', 'wang'].includes(options.predictor ?? 'linear-maps');
  const common = { train: [1, 5, 9], ...(reduced && { proxies: 10 }) };
  return space.run({ command: 'envelope', inputs, output, options: { ...common, ...options } });
};

function largestDifference(a: Float32Array, b: Float32Array): number {
  return a.reduce((most, value, k) => Math.max(most, Math.abs(value - b[k])), 0);
}

describe('envelope', () => {
  it('writes a skin that plays anywhere and carries the learnt one', { timeout: 60_000 }, async () => {
    const { report } = await learn({});
    expect(report.training.frames).toBe(3);
    expect(report.training.error.error).toBeLessThan(0.1);
    expect(report.heldOut?.error.error).toBeLessThan(5);
    const asset = await readGltf(space.read('out.glb'), { name: 'out.glb' });
    const envelope = readEnvelope(asset);
    if (!envelope) throw new Error('no envelope in the file');
    const numerics = await openNumerics();
    const deformer = createReducedDeformer(envelope, {}, { numerics });
    const out = new Float32Array(scene.rig.mesh.positions.length);
    deformer.deform(poseAt(scene.clip, 4, 2).transforms, out);
    // Ten proxies come near every vertex of an example, not onto it.
    expect(largestDifference(out, frameAt(scene.sequence, 4))).toBeLessThan(1e-4);
    deformer.dispose();
    numerics.close();
  });

  it('bakes the proxies as joints that linear blending plays', { timeout: 60_000 }, async () => {
    await learn({ bake: true }, 'baked.glb');
    const asset = await readGltf(space.read('baked.glb'), { name: 'baked.glb' });
    expect(readEnvelope(asset)).toBeUndefined();
    const { rig, clips } = readRig(asset);
    const out = new Float32Array(rig.mesh.positions.length);
    deformLinear(rig.mesh.positions, rig.weights, poseAt(clips[0], 4, rig.bones.length).transforms, out);
    expect(largestDifference(out, frameAt(scene.sequence, 4))).toBeLessThan(5e-3);
  });

  it('reduces as published where asked to, with as many keys as proxies', { timeout: 60_000 }, async () => {
    const { report } = await learn({ reduce: 'wang' }, 'published.glb');
    expect(report).toMatchObject({ proxies: 10, keys: 10 });
    expect(report.heldOut?.error.error).toBeLessThan(5);
  });

  it('writes the rivals, and all compare: mean and spread of the enveloping error', async () => {
    const errors: Record<string, number> = {};
    for (const predictor of ['linear-maps', 'wang', 'psd', 'ssd', 'mohr-gleicher'] as const) {
      const output = `${predictor}.glb`;
      const { report } = await learn({ predictor }, output);
      expect(report.heldOut?.error.max).toBeGreaterThanOrEqual(report.heldOut?.error.p95 ?? 0);
      const compared = await space.run({
        command: 'compare',
        inputs: ['rest.obj', 'clip.mdd', output],
        options: { skeleton: 'rig.glb' },
      });
      const { enveloping } = compared.report;
      errors[predictor] = 100 * (enveloping?.error ?? Number.NaN);
    }
    // What compare reads from the files is what training saw.
    expect(errors['linear-maps']).toBeLessThan(5);
    expect(errors.psd).toBeLessThan(errors.ssd);
    expect(errors['mohr-gleicher']).toBeLessThan(errors.ssd);
    expect(errors.ssd).toBeGreaterThan(50);
    expect(errors.ssd).toBeLessThan(100);
  });

  it('says what the examples chose, and finds the proxies for an error', async () => {
    const { report } = await learn({ proxies: undefined, maxError: 5 });
    expect(report.choice).toMatchObject({ fellBack: false });
    expect(report.proxies).toBeGreaterThanOrEqual(3);
  });

  it('refuses a version that it does not know', async () => {
    await learn({});
    const asset = await readGltf(space.read('out.glb'), { name: 'out.glb' });
    const extensions = asset.extensions.map((extension) => ({
      ...extension,
      json: { ...extension.json, version: 99 },
    }));
    expect(() => readEnvelope({ ...asset, extensions })).toThrow(InputError);
  });

  it('takes the clip of the rig that has the frames of the examples, or the one that is named', async () => {
    const inputs = ['two.glb', 'rest.obj', 'clip.mdd'];
    expect((await learn({ predictor: 'ssd' }, 'a.glb', inputs)).report.input.frames).toBe(9);
    await learn({ predictor: 'ssd', rigClip: clip.name }, 'b.glb', inputs);
    expect(space.read('b.glb')).toEqual(space.read('a.glb'));
    await expect(learn({ rigClip: 'still' }, 'c.glb', inputs)).rejects.toThrow("'still' has 4");
  });

  it('learns from all clips of a glTF by their names, and keeps those of the rig', async () => {
    const { report } = await learn({ predictor: 'ssd', train: 'all' }, 'all.glb', ['two.glb', 'two.glb']);
    expect(report.input.frames).toBe(4 + 9);
    const { clips } = readRig(await readGltf(space.read('all.glb')));
    expect(clips.map(({ name, times }) => [name, times.length])).toEqual([
      ['still', 4],
      [clip.name, 9],
    ]);
    expect(clips[1].transforms.map((value, k) => Math.abs(value - clip.transforms[k])).every((d) => d < 1e-5)).toBe(
      true,
    );

    // One of them, or caches beside each other, called as the rig calls its clips.
    const one = await learn({ predictor: 'ssd', clip: 'still', train: 'all' }, 'one.glb', ['two.glb', 'two.glb']);
    expect(one.report.input.frames).toBe(4);
    const named = [
      { name: clip.name, files: ['clip.mdd'] },
      { name: 'still', files: ['short.mdd'] },
    ];
    const both = await learn({ predictor: 'ssd', clip: named, train: 'all' }, 'both.glb', ['two.glb', 'rest.obj']);
    expect(both.report.input.frames).toBe(9 + 4);

    await expect(learn({ rigClip: 'still' }, 'z.glb', ['two.glb', 'two.glb'])).rejects.toThrow(/one clip of examples/);
    await expect(learn({}, 'z.glb', ['rig.glb', 'two.glb'])).rejects.toThrow(/no clip 'still'/);
  });

  it('keeps the parts of a mesh, each with its own vertices, under one learnt skin', async () => {
    await learn({}, 'parted.glb', ['parts.glb', 'rest.obj', 'clip.mdd']);
    const asset = await readGltf(space.read('parted.glb'));
    expect(asset.mesh.objects?.map(({ name }) => name)).toEqual(['upper', 'lower']);
    // Only the vertices along the border are there twice.
    expect(asset.mesh.positions.length).toBeLessThan(1.5 * rig.mesh.positions.length);
    const envelope = readEnvelope(asset);
    if (!envelope) throw new Error('no envelope in the file');
    const numerics = await openNumerics();
    const deformer = createReducedDeformer(envelope, {}, { numerics });
    const out = new Float32Array(asset.mesh.positions.length);
    deformer.deform(poseAt(clip, 4, 2).transforms, out);
    const place = (positions: Float32Array, i: number) => positions.subarray(3 * i, 3 * i + 3);
    const whole = new Map(Array.from(rig.weights.bones.keys(), (i) => [place(rig.mesh.positions, i).join(), i]));
    for (let i = 0; i < out.length / 3; i++) {
      const truth = place(frameAt(sequence, 4), whole.get(place(asset.mesh.positions, i).join()) ?? -1);
      // Another order of vertices has other proxies, and what they leave over.
      expect(largestDifference(place(out, i), truth)).toBeLessThan(5e-4);
    }
    deformer.dispose();
    numerics.close();
  });

  it('refuses examples of another length, frames that are not there, and other outputs', async () => {
    await expect(learn({}, 'z.glb', ['rig.glb', 'rest.obj', 'short.mdd'])).rejects.toThrow(/the 4 frames/);
    await expect(learn({ train: [1, 99] })).rejects.toThrow(UsageError);
    await expect(learn({}, 'out.obj')).rejects.toThrow(/ends in .glb/);
    await expect(learn({}, 'z.glb', ['rest.obj', 'rest.obj', 'clip.mdd'])).rejects.toThrow(/is not a glTF file/);
  });

  it('trains on every frame where it is told all, as without a word', async () => {
    const { report } = await learn({ train: 'all', predictor: 'ssd' });
    expect(report.training.frames).toBe(9);
    expect(report.heldOut).toBeUndefined();
  });

  it('learns from handles on the skin, beside shapes or alone', { timeout: 60_000 }, async () => {
    const vertices = [0, 60, rig.mesh.positions.length / 3 - 1];
    const places = (t: number) =>
      Object.fromEntries(vertices.map((i) => [i, [...frameAt(sequence, t).subarray(3 * i, 3 * i + 3)]]));
    const examples = [2, 5, 8].map((t) => ({ name: `bend ${t}`, handles: places(t) }));
    space.put('bends.json', JSON.stringify({ examples }));
    const alone = await learn({ train: 'all' }, 'out.glb', ['rig.glb', 'bends.json']);
    expect(alone.report.input).toMatchObject({ frames: 3, name: 'bends.json' });
    expect(readEnvelope(await readGltf(space.read('out.glb'), { name: 'out.glb' }))).toBeDefined();
    const both = await learn({}, 'out.glb', ['rig.glb', 'rest.obj', 'clip.mdd', 'bends.json']);
    expect(both.report.input.frames).toBe(12);
  });
});
