import { readDynamics, readEnvelope, readGltf, readRig, writeMdd, writeObj, writeSkinnedGlb } from '@pelt/io';
import { type Clip, UsageError } from '@pelt/model';
import { blendFrames, swingScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { Workspace } from '../workspace.ts';

const scene = swingScene('tail');
const take = scene.take({ kind: 'sway', seed: 1, strength: 0.6 }, { seconds: 4, fps: 25 });
/** One period of a sway from side to side, with its first pose repeated at the end. */
const loop: Clip = {
  name: 'loop',
  times: Float64Array.from({ length: 26 }, (_, t) => t / 25),
  transforms: Float64Array.from({ length: 26 * 12 }, (_, k) => {
    const [t, c] = [Math.floor(k / 12), k % 12];
    if (c === 3) return 0.05 * Math.sin((2 * Math.PI * t) / 25);
    return c === 0 || c === 5 || c === 10 ? 1 : 0;
  }),
};
const space = new Workspace({
  'rig.glb': (await writeSkinnedGlb({ rig: scene.rig, clips: [take.clip, loop] })).bytes,
  'rest.obj': writeObj(take.sequence.rest)[0].bytes,
  'take.mdd': writeMdd(take.sequence),
});
const inputs = ['rig.glb', 'rest.obj', 'take.mdd'];
const options = { dynamics: 'auto', predictor: 'ssd', rigClip: 'sway 1' } as const;

describe('envelope --dynamics', () => {
  it('writes a skin that swings, and view and compare play it', { timeout: 60_000 }, async () => {
    const train = Array.from({ length: 80 }, (_, t) => t + 1);
    const { report } = await space.run({
      command: 'envelope',
      inputs,
      output: 'out.glb',
      options: { ...options, train },
    });
    const { dynamics, heldOut } = report;
    expect(dynamics?.method).toBe('resonators');
    expect(dynamics?.states).toBeLessThan(500);
    expect(dynamics?.multiplyAdds).toBeLessThan(25_000);
    expect(dynamics?.overPoseOnly).toBeLessThan(0.7);
    expect(dynamics?.parts[0].joint).toBe('hips');
    const [part] = dynamics?.parts ?? [];
    expect(part.swinging).toBeLessThan(0.5 * part.still);
    const asset = await readGltf(space.read('out.glb'), { name: 'out.glb' });
    expect(readEnvelope(asset)?.proxies).toBeGreaterThan(0);
    expect(readDynamics(asset)?.drivers.length).toBe(1);
    const compared = await space.run({
      command: 'compare',
      inputs: ['rest.obj', 'take.mdd', 'out.glb'],
      options: { clip: 'sway 1' },
    });
    const { plain, error } = compared.report;
    expect(error.eRms).toBeLessThan(0.6 * (plain?.error.eRms ?? 0));
    expect(heldOut?.error.error).toBeLessThan(100);
  });

  it('packs skin and swing, which play as before', { timeout: 60_000 }, async () => {
    const short = { ...options, train: Array.from({ length: 40 }, (_, t) => t + 1) };
    const plain = await space.run({ command: 'envelope', inputs, output: 'plain.glb', options: short });
    const { report } = await space.run({
      command: 'envelope',
      inputs,
      output: 'packed.glb',
      options: { ...short, compress: 'meshopt', suggest: true },
    });
    // A sway was simulated: the sway itself teaches less than what it did not show.
    expect(report.suggestions?.length).toBeGreaterThan(3);
    expect(report.suggestions?.[0].variance).toBeGreaterThan(2);
    expect(report.suggestions?.[0].clip).not.toBe('sway 1');
    expect(report.packing?.bytes).toBe(plain.report.output.bytes);
    expect(report.output.bytes).toBeLessThan(0.7 * plain.report.output.bytes);
    expect(report.packing?.rmsePercent).toBeLessThan(0.03);
    const { report: compared } = await space.run({
      command: 'compare',
      inputs: ['plain.glb', 'packed.glb'],
      options: { clip: 'sway 1' },
    });
    expect(compared.error.eRms).toBeLessThan(0.5);
    // Packed again, and with the ratified extension, it stays as it is.
    const again = await space.run({
      command: 'convert',
      inputs: ['packed.glb'],
      output: 'again.glb',
      options: { compress: 'khr' },
    });
    expect(again.report.output.bytes).toBeLessThan(1.1 * report.output.bytes);
    const asset = await readGltf(space.read('again.glb'), { name: 'again.glb' });
    const [before, after] = [readDynamics(await readGltf(space.read('plain.glb'))), readDynamics(asset)];
    const most = Math.max(...(before?.modes ?? [0]).map(Math.abs));
    expect(after?.modes.length).toBe(before?.modes.length);
    after?.modes.forEach((value, k) => {
      expect(Math.abs(value - (before?.modes[k] ?? 0))).toBeLessThan(1e-4 * most);
    });
  });

  it('learns from shapes alone: what drives them is found', { timeout: 60_000 }, async () => {
    const drive = { dynamics: 'auto', drive: 'auto' } as const;
    const { report } = await space.run({
      command: 'envelope',
      inputs: ['rest.obj', 'take.mdd'],
      output: 'driven.glb',
      options: drive,
    });
    const [part] = report.dynamics?.parts ?? [];
    expect(report.dynamics?.method).toBe('resonators');
    expect(part.joint).toBe('driver');
    expect(part.swinging).toBeLessThan(0.5 * part.still);
    const { clips } = readRig(await readGltf(space.read('driven.glb')));
    expect(clips.map(({ times }) => times.length)).toEqual([take.clip.times.length]);
    const run = (options: object, files = ['rest.obj', 'take.mdd']) =>
      space.run({ command: 'envelope', inputs: files, output: 'x.glb', options: { ...drive, ...options } });
    await expect(run({ drive: 'collar' })).rejects.toThrow(/no group and no joint of this name/);
    await expect(run({ rigClip: 'x' })).rejects.toThrow(UsageError);
    // A joint of a glTF that moves it is a driver, too.
    const { report: byJoint } = await run({ drive: 'hips', clip: 'sway 1' }, ['rig.glb']);
    expect(byJoint.dynamics?.drivers).toEqual(['hips']);
  });

  it('bakes loops that close', { timeout: 60_000 }, async () => {
    await space.run({ command: 'envelope', inputs, output: 'baked.glb', options: { ...options, bake: true } });
    const { rig, clips } = readRig(await readGltf(space.read('baked.glb'), { name: 'baked.glb' }));
    const baked = clips.find(({ name }) => name === 'loop');
    if (!baked) throw new Error('the loop is lost');
    const frames = blendFrames(rig, baked);
    const size = rig.mesh.positions.length;
    const S = baked.times.length;
    const [first, last] = [frames.subarray(0, size), frames.subarray((S - 1) * size)];
    const still = blendFrames(scene.rig, loop).subarray(0, size);
    const apart = (a: Float32Array, b: Float32Array) => Math.max(...a.map((x, k) => Math.abs(x - b[k])));
    // It is in full swing at its start, and where it started at its end.
    expect(apart(first, still.length === size ? still : first)).toBeGreaterThan(1e-3);
    expect(apart(first, last)).toBeLessThan(2e-4);
  });

  it('refuses frames that do not follow each other', async () => {
    const few = { ...options, train: [1, 20, 60] };
    const refused = space.run({ command: 'envelope', inputs, output: 'few.glb', options: few });
    await expect(refused).rejects.toThrow(UsageError);
  });
});
