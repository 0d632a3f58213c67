import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bakeSequence, clipFromSkeleton, readBvh, readGltf, readRig } from '@pelt/io';
import { CancelledError, frameAt, UsageError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { jsonOf } from '../../io/test/gltf/glb-json.ts';
import { largestDeviation, ThreePlayer } from '../../io/test/gltf/three-player.ts';
import { complaintsAbout } from '../../io/test/gltf/validate-glb.ts';
import { SKELETON_EXAMPLES } from '../src/commands/skeleton.ts';
import type { SkeletonRequest } from '../src/jobs/skeleton.ts';
import { pelt } from './built-pelt.ts';
import { fixtureFolder } from './fixture-folder.ts';
import { scene, writeFixtures } from './fixtures.ts';
import { performHere } from './perform-here.ts';
import { scratchFolder } from './scratch-folder.ts';

const { folder } = fixtureFolder(writeFixtures);

const PLAIN: Omit<SkeletonRequest, 'files' | 'output'> = {
  input: {},
  method: 'le-deng',
  bones: 3,
  clusters: undefined,
  weights: undefined,
  keepRest: false,
  root: undefined,
  symmetry: false,
  skeleton: undefined,
  clips: undefined,
  seed: 1,
  threads: 1,
};
const CHAIN = [join(folder, 'rest.obj'), join(folder, 'clip.pc2')];
const find = (output: string, more: Partial<SkeletonRequest> = {}) =>
  performHere('skeleton', { ...PLAIN, files: CHAIN, output, ...more });

describe('pelt skeleton', () => {
  it.each(SKELETON_EXAMPLES.map(({ run }) => [run]))('%s', async (run) => {
    const own = scratchFolder();
    cpSync(folder, own, { recursive: true });
    const { code, stdout, stderr } = await pelt(run.split(' ').slice(1), own);
    expect(stderr.split('\n').filter((line) => !line.startsWith('warning: '))).toEqual(['']);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/ → .*RMSE .* % {2}\d bones {2}.*s$/);
  });

  it('finds the chain, reports it, and writes what viewers play', async () => {
    const output = join(scratchFolder(), 'chain.glb');
    const { report, progress } = await find(output, { bones: undefined });
    expect(report).toMatchObject({ method: 'le-deng', bones: 3, threads: 1, seed: 1, clips: [expect.any(String)] });
    expect(report.error.rmsePercent).toBeLessThan(0.01);
    const shares = progress.map(({ fraction }) => fraction);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    const bytes = readFileSync(output);
    expect(await complaintsAbout(bytes)).toEqual([]);
    const { sequence } = scene;
    const player = await ThreePlayer.load(bytes);
    const asset = await readGltf(bytes, { name: 'chain.glb' });
    const { times } = readRig(asset).clips[0];
    const baked = bakeSequence(asset);
    for (let t = 0; t < times.length; t++) {
      const played = player.positionsAt(0, Math.fround(times[t]));
      expect(largestDeviation(frameAt(baked, t), played)).toBeLessThan(1e-5);
      expect(largestDeviation(frameAt(sequence, t), played)).toBeLessThan(2e-4);
    }
  });

  it('writes joints that only turn, and how far they do', async () => {
    const output = join(scratchFolder(), 'chain.glb');
    const { report } = await find(output);
    const json = jsonOf(readFileSync(output));
    const nameOf = (channel: { target: { node: number } }) => json.nodes[channel.target.node].name;
    for (const channel of json.animations[0].channels) {
      if (channel.target.path !== 'rotation') {
        expect([channel.target.path, nameOf(channel)]).toEqual(['translation', 'root']);
      }
    }
    const { rig, clips, boneExtras } = readRig(await readGltf(readFileSync(output), { name: 'chain.glb' }));
    expect(rig.bones.map(({ name }) => name)).toEqual(report.joints.map(({ name }) => name));
    expect(clips[0].times.length).toBe(12);
    expect(boneExtras[0]).toBeUndefined();
    report.joints.slice(1).forEach((joint, k) => {
      expect(boneExtras[k + 1]).toEqual({ limits: joint.limits });
    });
    expect(report.joints.map(({ limits }) => limits?.kind).toSorted()).toEqual(['ball', 'hinge', undefined]);
  });

  it('writes the motion as BVH', async () => {
    const out = scratchFolder();
    await find(join(out, 'a.glb'));
    await find(join(out, 'a.bvh'));
    const { rig, clips } = readRig(await readGltf(readFileSync(join(out, 'a.glb')), { name: 'a.glb' }));
    const motion = readBvh(readFileSync(join(out, 'a.bvh')), { name: 'a.bvh' });
    const { bones, clip } = clipFromSkeleton(motion);
    expect(bones.map(({ name, parent }) => [name, parent])).toEqual(
      rig.bones.map(({ name, parent }) => [name, parent]),
    );
    expect(clip.times.length).toBe(12);
    // Rotations from rest to pose are the same, wherever a BVH has its rest pose.
    clip.transforms.forEach((value, k) => {
      if (k % 4 < 3) expect(value).toBeCloseTo(clips[0].transforms[k], 5);
    });
  });

  it('keeps the joints and names of a given skeleton', async () => {
    const out = scratchFolder();
    const given = join(folder, 'character.glb');
    const known = readRig(await readGltf(readFileSync(given), { name: 'character.glb' })).rig;
    const output = join(out, 'mine.glb');
    const { report } = await find(output, { bones: undefined, skeleton: given });
    expect(report.method).toBe('given');
    expect(report.error.rmsePercent).toBeLessThan(0.05);
    const { rig } = readRig(await readGltf(readFileSync(output), { name: 'mine.glb' }));
    expect(rig.bones.map(({ name, parent }) => [name, parent])).toEqual(
      known.bones.map(({ name, parent }) => [name, parent]),
    );
    rig.bones.forEach(({ rest }, k) => {
      rest.forEach((value, e) => {
        expect(value).toBeCloseTo(known.bones[k].rest[e], 6);
      });
    });
  });

  it('says in one line what cannot be, and writes nothing then', async () => {
    const out = scratchFolder();
    await expect(find(join(out, 'a.fbx'))).rejects.toThrow('neither .glb nor .bvh');
    await expect(find(join(out, 'a.glb'), { weights: 9 })).rejects.toThrow(UsageError);
    await expect(find(join(out, 'a.glb'), { skeleton: join(folder, 'character.glb') })).rejects.toThrow('leave out');
    await expect(find(join(out, 'a.glb'), { bones: undefined, skeleton: join(folder, 'rest.obj') })).rejects.toThrow(
      'is no glTF',
    );
    await expect(find(join(out, 'a.glb'), { bones: undefined, skeleton: join(folder, 'morph.glb') })).rejects.toThrow(
      'has no skin',
    );
    await expect(find(join(out, 'a.glb'), { files: [join(folder, 'rest.obj')] })).rejects.toThrow('single pose');
    const clips = ['a', 'b'].map((name) => ({ name, files: [join(folder, 'clip.pc2')] }));
    await expect(find(join(out, 'a.bvh'), { files: [join(folder, 'rest.obj')], clips })).rejects.toThrow('one motion');
    const words = await pelt(['skeleton', 'frames', '--root', '1,2', '-o', 'a.glb'], folder);
    expect(words.code).toBe(1);
    expect(words.stderr).toMatch(/^error: .*a vertex, such as 17, or a point/);
    expect(readdirSync(out)).toEqual([]);
  });

  it('stops when asked and leaves nothing', async () => {
    const output = join(scratchFolder(), 'a.glb');
    const request = { ...PLAIN, files: CHAIN, output };
    const running = performHere('skeleton', request, undefined, ({ stage }, cancel) => {
      if (stage === 'fitting the skeleton') cancel();
    });
    await expect(running).rejects.toThrow(CancelledError);
    expect(existsSync(output)).toBe(false);
  });

  it('writes several clips of one mesh on one skeleton', async () => {
    const output = join(scratchFolder(), 'two.glb');
    const clips = ['swing', 'back'].map((name, k) => ({ name, files: [join(folder, k ? 'clip.mdd' : 'clip.pc2')] }));
    const { report } = await find(output, { files: [join(folder, 'rest.obj')], clips });
    expect(report.clips).toEqual(['swing', 'back']);
    expect(report.input.frames).toBe(24);
  });
});
