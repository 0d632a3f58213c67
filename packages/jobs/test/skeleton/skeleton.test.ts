import { bakeSequence, clipFromSkeleton, readBvh, readGltf, readRig } from '@pelt/io';
import { CancelledError, frameAt } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { jsonOf } from '../../../io/test/gltf/glb-json.ts';
import { largestDeviation, ThreePlayer } from '../../../io/test/gltf/three-player.ts';
import { complaintsAbout } from '../../../io/test/gltf/validate-glb.ts';
import type { JobRequest } from '../../src/request/check-request.ts';
import { chainFiles, scene } from '../chain-files.ts';
import { Workspace } from '../workspace.ts';

const space = new Workspace(await chainFiles());
const CHAIN = ['rest.obj', 'clip.pc2'];
const rigOf = async (path: string) => readRig(await readGltf(space.read(path), { name: path }));

/** Three bones, unless told otherwise. */
const find = async (output: string, options: JobRequest<'skeleton'>['options'] = {}, inputs = CHAIN) => {
  const ran = await space.run({ command: 'skeleton', inputs, output, options: { bones: 3, ...options } });
  const { report } = ran;
  if (report.method === 'embedded') throw new Error('it was to be found in the motion');
  return { ...ran, report };
};

describe('skeleton', () => {
  it('finds the chain, reports it, and writes what viewers play', async () => {
    const { report, progress } = await find('chain.glb', { bones: undefined });
    expect(report).toMatchObject({ method: 'strict', bones: 3, threads: 1, clips: [expect.any(String)] });
    expect(report.error.rmsePercent).toBeLessThan(0.01);
    const shares = progress.map(({ fraction }) => fraction);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    const bytes = space.read('chain.glb');
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
    const { report } = await find('chain.glb');
    const json = jsonOf(space.read('chain.glb'));
    const nameOf = (channel: { target: { node: number } }) => json.nodes[channel.target.node].name;
    for (const channel of json.animations[0].channels) {
      if (channel.target.path !== 'rotation') {
        expect([channel.target.path, nameOf(channel)]).toEqual(['translation', 'root']);
      }
    }
    const { rig, clips, boneExtras } = await rigOf('chain.glb');
    expect(rig.bones.map(({ name }) => name)).toEqual(report.joints.map(({ name }) => name));
    expect(clips[0].times.length).toBe(12);
    expect(boneExtras[0]).toBeUndefined();
    report.joints.slice(1).forEach((joint, k) => {
      expect(boneExtras[k + 1]).toEqual({ limits: joint.limits });
    });
    expect(report.joints.map(({ limits }) => limits?.kind).toSorted()).toEqual(['ball', 'hinge', undefined]);
  });

  it('writes the motion as BVH', async () => {
    await find('a.glb');
    await find('a.bvh');
    const { rig, clips } = await rigOf('a.glb');
    const motion = readBvh(space.read('a.bvh'), { name: 'a.bvh' });
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
    const known = (await rigOf('character.glb')).rig;
    const { report } = await find('mine.glb', { bones: undefined, skeleton: 'character.glb' });
    expect(report.method).toBe('given');
    expect(report.error.rmsePercent).toBeLessThan(0.05);
    const { rig } = await rigOf('mine.glb');
    expect(rig.bones.map(({ name, parent }) => [name, parent])).toEqual(
      known.bones.map(({ name, parent }) => [name, parent]),
    );
    rig.bones.forEach(({ rest }, k) => {
      rest.forEach((value, e) => {
        expect(value).toBeCloseTo(known.bones[k].rest[e], 6);
      });
    });
  });

  it('keeps the locked joints of a given skeleton, and tells how far the others moved', async () => {
    const { report } = await find('mine.glb', { bones: undefined, skeleton: 'character.glb', lock: ['link 2'] });
    const moved = Object.fromEntries(report.joints.map((joint) => [joint.name, joint.moved]));
    expect(moved).toMatchObject({ 'link 1': 0, 'link 2': 0 });
    expect(moved['link 3']).toBeLessThan(0.05);
    expect(report.error.rmsePercent).toBeLessThan(0.05);
    await expect(find('z.glb', { lock: ['link 2'] })).rejects.toThrow('give the skeleton as well');
  });

  it('says in one line what cannot be', async () => {
    const given = { bones: undefined, skeleton: 'character.glb' };
    await expect(find('z.fbx')).rejects.toThrow('must be a path that ends in .glb or .bvh');
    await expect(find('z.glb', { weights: 9 })).rejects.toThrow('a whole number from 1 to 8');
    await expect(find('z.glb', { ...given, bones: 3 })).rejects.toThrow('leave out');
    await expect(find('z.glb', { ...given, skeleton: 'rest.obj' })).rejects.toThrow('is not a glTF file');
    await expect(find('z.glb', { ...given, skeleton: 'morph.glb' })).rejects.toThrow('has no skin');
    await expect(find('z.glb', {}, ['rest.obj'])).rejects.toThrow('single pose');
    const clip = ['a', 'b'].map((name) => ({ name, files: ['clip.pc2'] }));
    await expect(find('z.bvh', { clip }, ['rest.obj'])).rejects.toThrow('one motion');
    await expect(find('z.glb', { root: [1, 2] as never })).rejects.toThrow('a vertex, such as 17, or a point');
    expect(space.has('z.glb') || space.has('z.bvh')).toBe(false);
  });

  it('stops when asked', async () => {
    const request = { command: 'skeleton', inputs: CHAIN, output: 'z.glb', options: { bones: 3 } } as const;
    await expect(space.cancelAt(request, /^fitting the skeleton$/)).rejects.toThrow(CancelledError);
  });

  it('writes several clips of one mesh on one skeleton', async () => {
    const clip = ['swing', 'back'].map((name, k) => ({ name, files: [k ? 'clip.mdd' : 'clip.pc2'] }));
    const { report } = await find('two.glb', { clip }, ['rest.obj']);
    expect(report.clips).toEqual(['swing', 'back']);
    expect(report.input.frames).toBe(24);
  });
});
