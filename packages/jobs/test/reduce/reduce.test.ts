import {
  bakeSequence,
  readGltf,
  readRig,
  readTwoLayer,
  writeMorphGlb,
  writeObj,
  writePc2,
  writeSkinnedGlb,
} from '@pelt/io';
import { type Clip, frameAt, InputError, SequenceErrorMeter, UsageError } from '@pelt/model';
import { blendFrames, creatureScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import type { JobRequest } from '../../src/request/check-request.ts';
import { chainFiles, scene } from '../chain-files.ts';
import { Workspace } from '../workspace.ts';

const space = new Workspace(await chainFiles());
const EXAMPLES = ['rest.obj', 'clip.pc2'];

/** To one weight, unless told otherwise. */
async function run(options: JobRequest<'reduce'>['options'] = {}, inputs = ['character.glb']) {
  const { report } = await space.run({
    command: 'reduce',
    inputs,
    output: 'out.glb',
    options: { weights: 1, ...options },
  });
  const bytes = space.read('out.glb');
  return { report, bytes, asset: await readGltf(bytes, { name: 'out.glb' }) };
}

describe('reduce', () => {
  it('gives fewer weights and reports before and after as the file has them', async () => {
    const { report, asset, bytes } = await run();
    expect(report.truth).toBe('clips');
    expect(report.before.error.eRms).toBeLessThan(1e-3);
    expect(report.before.weightsPerVertex).toBeGreaterThan(1);
    expect(report.after.weightsPerVertex).toBe(1);
    expect(report.after.bones).toBe(3);
    expect(report.after.keys).toBe(report.before.keys);
    expect(report.output.bytes).toBe(bytes.length);
    const back = bakeSequence(asset);
    const meter = new SequenceErrorMeter(scene.sequence.rest, 12);
    for (let t = 0; t < 12; t++) meter.addFrame(frameAt(scene.sequence, t), frameAt(back, t));
    expect(meter.result().eRms).toBeCloseTo(report.after.error.eRms, 2);
  });

  it('leaves a rig as it is that has no weight too many', async () => {
    const { report, asset } = await run({ weights: 4 });
    expect(report.after.error.eRms).toBeLessThan(1e-3);
    const [before, after] = [await readGltf(space.read('character.glb'), { name: 'in.glb' }), asset].map((a) =>
      readRig(a),
    );
    expect(after.rig.mesh.positions).toEqual(before.rig.mesh.positions);
    expect(after.rig.bones).toEqual(before.rig.bones);
  });

  it('thins keys at uneven times, and is judged at those', async () => {
    const { rig, clip } = creatureScene({ frames: 60, detail: 0.12 });
    const truth = { ...clip, rest: rig.mesh, frames: blendFrames(rig, clip) };
    const times = clip.times.map((time, t) => time + (t % 2 === 1 ? 0.015 : 0));
    space.put('uneven.glb', (await writeSkinnedGlb({ rig, clips: [{ ...clip, times }] })).bytes);
    const { report, asset } = await run({ weights: 4, maxError: 6 }, ['uneven.glb']);
    expect(report.after.keys).toBeLessThan(report.before.keys);
    const back = bakeSequence(asset, { times });
    const meter = new SequenceErrorMeter(rig.mesh, 60);
    for (let t = 0; t < 60; t++) meter.addFrame(frameAt(truth, t), frameAt(back, t));
    expect(meter.result().eRms).toBeLessThanOrEqual(6);
    expect(meter.result().eRms).toBeCloseTo(report.after.error.eRms, 1);
  });

  it('with examples is measured against them', async () => {
    const { report } = await run({}, ['character.glb', ...EXAMPLES]);
    expect(report.truth).toBe('examples');
    expect(report.after.error.eRms).toBeGreaterThan(report.before.error.eRms);
  });

  it('finds the vertices of examples in another order, and keeps the order where it is the same', async () => {
    const { rest } = scene.sequence;
    const n = rest.positions.length / 3;
    // Vertices last to first.
    const turned = (values: Float32Array) => values.map((_, k) => values[3 * (n - 1 - Math.floor(k / 3)) + (k % 3)]);
    const other = {
      ...scene.sequence,
      rest: { ...rest, positions: turned(rest.positions), triangles: rest.triangles.map((i) => n - 1 - i) },
      frames: Float32Array.from(
        [...scene.sequence.times.keys()].flatMap((t) => [...turned(frameAt(scene.sequence, t))]),
      ),
    };
    space.put('turned.obj', writeObj(other.rest)[0].bytes);
    space.put('turned.pc2', writePc2(other, { fps: 30 }));
    const { report } = await run({ weights: 2 }, ['character.glb', 'turned.obj', 'turned.pc2']);
    expect(report.before.error.eRms).toBeLessThan(0.01);

    // In the same order a rest pose may have moved as far as it likes.
    const moved = { ...scene.rig, mesh: { ...rest, positions: rest.positions.map((value) => 1.1 * value) } };
    space.put('moved.glb', (await writeSkinnedGlb({ rig: moved, clips: [scene.clip] })).bytes);
    const grown = await run({ weights: 2 }, ['moved.glb', ...EXAMPLES]);
    expect(grown.report.before.error.eRms).toBeGreaterThan(20);
    expect(grown.report.after.error.eRms).toBeLessThan(0.5 * grown.report.before.error.eRms);
  });

  it.each(['k-largest', 'smooth', 'geometric', 'poisson'] as const)('%s is not better than refit', async (method) => {
    const [own, refit] = [await run({ method }), await run({ refitBones: true })];
    expect(own.report.after.error.eRms).toBeGreaterThanOrEqual(refit.report.after.error.eRms);
  });

  it('writes virtual bones as joints, with the layers beside them where asked', async () => {
    const { report, asset } = await run({ method: 'two-layer', virtual: 8 });
    // Two bones a vertex at most: the three bones themselves are all that it takes.
    expect(report.virtualBones).toBe(3);
    expect(report.after.error.eRms).toBeLessThan(0.05);
    expect(readRig(asset).rig.bones.length).toBe(3);
    const both = await run({ method: 'two-layer', virtual: 8, masters: true });
    expect(both.report.after.bones).toBe(6);
    expect(readTwoLayer(both.asset)?.masters.slots).toBeGreaterThan(0);
  });

  it('reads two layers back as what they are', async () => {
    const { bytes } = await run({ method: 'two-layer', virtual: 8, masters: true });
    space.put('layers.glb', Uint8Array.from(bytes));
    const { report: info } = await space.run({ command: 'info', inputs: ['layers.glb'] });
    expect(info.files[0].layers).toMatchObject({ virtualBones: 3, masters: 3 });
    const { report: compared } = await space.run({ command: 'compare', inputs: ['character.glb', 'layers.glb'] });
    expect(compared.b.skin).toBe('two-layer');
    expect(compared.error.eRms).toBeLessThan(0.05);
    expect(compared.plain?.error.eRms).toBeGreaterThan(0);
    // As it is they stay; where fewer weights are asked for, the masters are what has them.
    const kept = await run({ weights: 2 }, ['layers.glb']);
    expect(readTwoLayer(kept.asset)?.masters.slots).toBeGreaterThan(0);
    const single = await run({ weights: 1 }, ['layers.glb']);
    expect(readTwoLayer(single.asset)).toBeUndefined();
    expect(readRig(single.asset).rig.bones.length).toBe(3);
    const direct = await run({ weights: 1 });
    expect(single.report.after.error.eRms).toBeLessThan(1.1 * direct.report.after.error.eRms + 0.05);
  });

  it('compresses within a per cent, and further within a limit', async () => {
    const plain = await run({ weights: 2 });
    const small = await run({ weights: 2, compress: 'meshopt' });
    expect(small.bytes.length).toBeLessThan(0.6 * plain.bytes.length);
    const least = await run({ weights: 2, compress: 'meshopt', maxError: 8 });
    expect(least.report.after.error.eRms).toBeLessThanOrEqual(8);
    expect(least.bytes.length).toBeLessThan(small.bytes.length);
  });

  it('finds the best for a budget, or gives the smallest and says what it takes', async () => {
    const [small, large] = [await run({ weights: 4, budget: 7 }), await run({ weights: 4, budget: 30 })];
    expect(small.bytes.length).toBeLessThanOrEqual(7000);
    expect(small.report.limits).toEqual([
      { of: 'bytes', asked: '7 KB', reached: expect.stringMatching(/ KB$/), exceeded: false },
    ]);
    expect(large.report.after.error.eRms).toBeLessThanOrEqual(small.report.after.error.eRms);
    const least = await run({ budget: 1 });
    expect(least.report.warnings.join()).toMatch(/1 KB are not enough: the smallest file has [2-5]\.?\d* KB/);
    expect(least.report.limits).toMatchObject([{ of: 'bytes', asked: '1 KB', exceeded: true }]);
    expect(least.bytes.length).toBeLessThan(small.bytes.length);
  });

  it('packs for the way that a file takes', async () => {
    const [sent, plain] = [
      await run({ weights: 4, compress: 'meshopt' }),
      await run({ weights: 4, compress: 'meshopt', for: 'none' }),
    ];
    expect(plain.bytes.length).toBeLessThan(sent.bytes.length);
    await expect(run({ weights: 4, for: 'gzip' })).rejects.toThrow('add --compress meshopt');
  });

  it('packs a rig without clips and a file without a skin as convert does', async () => {
    const { rig } = scene;
    space.put('still.glb', (await writeSkinnedGlb({ rig, clips: [] })).bytes);
    space.put('morph.glb', (await writeMorphGlb(scene.sequence)).bytes);
    for (const name of ['still.glb', 'morph.glb']) {
      await space.run({
        command: 'convert',
        inputs: [name],
        output: 'converted.glb',
        options: { compress: 'meshopt' },
      });
      const { report } = await space.run({ command: 'reduce', inputs: [name], output: 'out.glb', options: {} });
      expect(space.read('out.glb'), name).toEqual(space.read('converted.glb'));
      expect(report.after.error.rmsePercent, name).toBeLessThan(0.02);
      expect(report.after.bytes, name).toBeLessThan(report.before.bytes);
      await expect(run({ weights: 1 }, [name])).rejects.toThrow('leave out --method, --weights and --bones');
    }
    const { report } = await space.run({
      command: 'reduce',
      inputs: ['morph.glb'],
      output: 'out.glb',
      options: { target: 'mobile' },
    });
    expect(report.after.weightsPerVertex).toBe(1);
  });

  it('writes levels of detail beside the file, each with the skin', async () => {
    const { rig, clip } = creatureScene({ frames: 12, detail: 0.08 });
    space.put('creature.glb', (await writeSkinnedGlb({ rig, clips: [clip] })).bytes);
    const { report } = await run({ weights: 4, lods: 2 }, ['creature.glb']);
    expect(report.lods?.map(({ file }) => file)).toEqual(['out-lod1.glb', 'out-lod2.glb']);
    for (const [k, { file, triangles, rmsePercent }] of (report.lods ?? []).entries()) {
      const level = await readGltf(space.read(file), { name: file });
      expect(level.skinned).toBe(true);
      expect(level.animations).toHaveLength(1);
      expect(level.mesh.triangles.length).toBe(3 * triangles);
      expect(triangles).toBeLessThanOrEqual(report.input.triangles / 2 ** (k + 1));
      expect(rmsePercent).toBeLessThan(1);
    }
  });

  it('stores a loop once', async () => {
    const { rig, clip } = scene;
    const twice: Clip = {
      name: 'twice',
      times: Float64Array.from({ length: 24 }, (_, t) => t / 30),
      transforms: Float64Array.from([...clip.transforms, ...clip.transforms]),
    };
    space.put('twice.glb', (await writeSkinnedGlb({ rig, clips: [twice] })).bytes);
    const { report, asset } = await run({ weights: 4 }, ['twice.glb']);
    expect(report.loops).toEqual([{ clip: 'twice', frames: 12 }]);
    expect(readRig(asset).clips[0].times.length).toBe(13);
    expect(report.after.error.eRms).toBeLessThan(0.3);
    const kept = await run({ weights: 4, loops: false }, ['twice.glb']);
    expect(kept.report.loops).toEqual([]);
  });

  it('keeps to the limits of a target, and takes out bones', async () => {
    expect((await run({ weights: undefined, target: 'mobile' })).report.after.weightsPerVertex).toBeLessThanOrEqual(4);
    expect((await run({ weights: undefined, bones: 2 })).report.after.bones).toBe(2);
  });

  it('takes the clip of the rig that the examples show', async () => {
    const { rig, clip } = scene;
    const still: Clip = {
      ...clip,
      name: 'still',
      times: clip.times.slice(0, 2),
      transforms: clip.transforms.slice(0, 72),
    };
    space.put('two.glb', (await writeSkinnedGlb({ rig, clips: [still, clip] })).bytes);
    const errorOf = async (options: JobRequest<'reduce'>['options'], ...examples: string[]) =>
      (await run({ weights: 2, ...options }, ['two.glb', ...examples])).report.before.error.eRms;
    // By its number of frames; by name; by the spelling that does where examples have no animations of their own.
    for (const options of [{}, { rigClip: 'swing' }, { rigClip: '1' }, { clip: 'swing' }]) {
      expect(await errorOf(options, ...EXAMPLES)).toBeLessThan(0.01);
    }
    expect(await errorOf({ clip: 'swing', rigClip: 'swing' }, 'character.glb')).toBeLessThan(0.01);
    await expect(errorOf({ rigClip: 'still' }, ...EXAMPLES)).rejects.toThrow("'still' has 2");
    await expect(errorOf({ clip: 'still' }, 'character.glb')).rejects.toThrow("the file has 'swing'");
    await expect(errorOf({ rigClip: 'swing' })).rejects.toThrow('there are no examples');
  });

  it('refuses what is no rig, other shapes, and an output in place of its input', async () => {
    await expect(run({}, ['rest.obj'])).rejects.toThrow(InputError);
    await expect(run({}, ['morph.glb'])).rejects.toThrow(/no skin/);
    await expect(run({}, ['character.glb', 'rest.obj'])).rejects.toThrow(InputError);
    const onto = space.run({ command: 'reduce', inputs: ['character.glb'], output: 'character.glb' });
    await expect(onto).rejects.toThrow(/would replace/);
    await expect(run({ maxError: '5%' })).rejects.toThrow(/own truth/);
    await expect(run({ maxError: '5%' })).rejects.toThrow(UsageError);
  });
});
