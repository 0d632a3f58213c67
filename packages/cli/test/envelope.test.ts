import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvelope, readGltf, readRig, writeMdd, writeObj, writeSkinnedGlb } from '@pelt/io';
import { openNumerics } from '@pelt/math';
import { frameAt, InputError, poseAt, UsageError } from '@pelt/model';
import { deformLinear, ReducedDeformer } from '@pelt/skin';
import { elbowScene } from '@pelt/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENVELOPE_EXAMPLES } from '../src/commands/envelope.ts';
import type { EnvelopeRequest } from '../src/jobs/envelope.ts';
import { buildPelt, pelt } from './built-pelt.ts';
import { writeFixtures } from './fixtures.ts';
import { performHere } from './perform-here.ts';
import { scratchFolder } from './scratch-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'pelt-envelope-'));
const at = (name: string) => join(folder, name);
const scene = elbowScene({ frames: 9, rings: 15, sides: 8 });

beforeAll(async () => {
  const { rig, clip, sequence } = scene;
  writeFileSync(at('rig.glb'), (await writeSkinnedGlb({ rig, clips: [clip] })).bytes);
  writeFileSync(at('rest.obj'), writeObj(sequence.rest)[0].bytes);
  writeFileSync(at('clip.mdd'), writeMdd(sequence));
  const short = {
    ...sequence,
    frames: sequence.frames.slice(0, 4 * rig.mesh.positions.length),
    times: sequence.times.slice(0, 4),
  };
  writeFileSync(at('short.mdd'), writeMdd(short));
});
afterAll(() => rmSync(folder, { recursive: true }));

const learn = (more: Partial<EnvelopeRequest>) =>
  performHere('envelope', {
    rig: at('rig.glb'),
    files: [at('rest.obj'), at('clip.mdd')],
    input: {},
    output: at('out.glb'),
    train: [1, 5, 9],
    predictor: 'improved',
    proxies: 10,
    maxError: undefined,
    weights: undefined,
    bake: false,
    threads: 1,
    ...more,
  });

function largestDifference(a: Float32Array, b: Float32Array): number {
  return a.reduce((most, value, k) => Math.max(most, Math.abs(value - b[k])), 0);
}

describe('pelt envelope', () => {
  it('writes a skin that plays anywhere and carries the learnt one', async () => {
    const { report } = await learn({});
    expect(report.training.frames).toBe(3);
    expect(report.training.error.error).toBeLessThan(0.1);
    expect(report.heldOut?.error.error).toBeLessThan(5);
    const asset = await readGltf(readFileSync(at('out.glb')), { name: 'out.glb' });
    const envelope = readEnvelope(asset);
    if (!envelope) throw new Error('no envelope in the file');
    const numerics = await openNumerics();
    const deformer = new ReducedDeformer(numerics, envelope);
    const out = new Float32Array(scene.rig.mesh.positions.length);
    deformer.deform(poseAt(scene.clip, 4, 2).transforms, out);
    expect(largestDifference(out, frameAt(scene.sequence, 4))).toBeLessThan(1e-5);
    deformer.dispose();
    numerics.close();
  });

  it('bakes the proxies as joints that linear blending plays', async () => {
    await learn({ bake: true, output: at('baked.glb') });
    const asset = await readGltf(readFileSync(at('baked.glb')), { name: 'baked.glb' });
    expect(readEnvelope(asset)).toBeUndefined();
    const { rig, clips } = readRig(asset);
    const out = new Float32Array(rig.mesh.positions.length);
    deformLinear(rig.mesh.positions, rig.weights, poseAt(clips[0], 4, rig.bones.length).transforms, out);
    expect(largestDifference(out, frameAt(scene.sequence, 4))).toBeLessThan(5e-3);
  });

  it('writes the rivals, and all compare: mean and spread of the enveloping error', async () => {
    const errors: Record<string, number> = {};
    for (const predictor of ['improved', 'thesis', 'psd', 'ssd', 'mohr-gleicher'] as const) {
      const output = at(`${predictor}.glb`);
      const { report } = await learn({ predictor, output });
      expect(report.heldOut?.error.max).toBeGreaterThanOrEqual(report.heldOut?.error.p95 ?? 0);
      const { report: compared } = await performHere('compare', {
        files: [at('rest.obj'), at('clip.mdd'), output],
        input: {},
        skeleton: at('rig.glb'),
      });
      const { enveloping, learnt } = compared;
      errors[predictor] = 100 * (learnt?.enveloping.error ?? enveloping?.error ?? Number.NaN);
    }
    // What compare reads from the files is what training saw.
    expect(errors.improved).toBeLessThan(5);
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
    const asset = await readGltf(readFileSync(at('out.glb')), { name: 'out.glb' });
    const extensions = asset.extensions.map((extension) => ({
      ...extension,
      json: { ...extension.json, version: 99 },
    }));
    expect(() => readEnvelope({ ...asset, extensions })).toThrow(InputError);
  });

  it('refuses examples of another length, frames that are not there, and other outputs', async () => {
    await expect(learn({ files: [at('rest.obj'), at('short.mdd')] })).rejects.toThrow(/4 frames/);
    await expect(learn({ train: [1, 99] })).rejects.toThrow(UsageError);
    await expect(learn({ output: at('out.obj') })).rejects.toThrow(/not a .glb/);
    await expect(learn({ rig: at('rest.obj') })).rejects.toThrow(/no glTF/);
  });
});

describe('the command', () => {
  beforeAll(() => buildPelt());

  it.each(ENVELOPE_EXAMPLES.map(({ run }) => [run]))('%s', async (run) => {
    const own = scratchFolder();
    await writeFixtures(own);
    const { code, stdout, stderr } = await pelt(run.split(' ').slice(1), own);
    expect(stderr.split('\n').filter((line) => !line.startsWith('warning: '))).toEqual(['']);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/ → .* proxies .* s$/);
  });
});
