import { poserExtension, readGltf, readRig, writeSkinnedGlb } from '@pelt/io';
import { boundsOf } from '@pelt/model';
import { buildPoser } from '@pelt/skin/pose';
import { characterAsset } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { buildArchive, meshObject, TRIANGLE } from '../../../io/test/alembic/scene.ts';
import { chainFiles, scene } from '../chain-files.ts';
import { Workspace } from '../workspace.ts';

const space = new Workspace(await chainFiles());
const vertices = scene.sequence.rest.positions.length / 3;
const triangles = scene.sequence.rest.triangles.length / 3;

describe('info', () => {
  const describeFiles = async (...inputs: string[]) => (await space.run({ command: 'info', inputs })).report.files;

  it('says what is in each file', async () => {
    const [obj, pc2, mdd, skinned, morph, frames] = await describeFiles(
      'rest.obj',
      'clip.pc2',
      'clip.mdd',
      'character.glb',
      'morph.glb',
      'frames',
    );
    expect(obj).toMatchObject({ format: 'obj', vertices, triangles, frames: 1, warnings: [] });
    expect(pc2).toMatchObject({ format: 'pc2', vertices, frames: 12 });
    expect(pc2.triangles).toBeUndefined();
    expect(mdd).toMatchObject({ format: 'mdd', vertices, frames: 12, seconds: expect.closeTo(11 / 30, 5) });
    expect(skinned).toMatchObject({ format: 'glb', vertices, triangles, joints: 3, frames: 12 });
    expect(skinned.clips).toEqual([{ name: 'swing', frames: 12, seconds: expect.closeTo(11 / 30, 5) }]);
    expect(morph).toMatchObject({ joints: 0, morphTargets: 12, frames: 12 });
    expect(frames).toMatchObject({ format: 'obj frames', vertices, triangles, frames: 12 });
    expect(obj.bounds.max[0]).toBeCloseTo(1.2, 6);
    expect(obj.bounds.min[0]).toBe(0);
  });

  it('says what is in an Alembic archive', async () => {
    const [abc] = await describeFiles('clip.abc');
    expect(abc).toMatchObject({ format: 'abc', vertices, triangles, frames: 12, warnings: [] });
    expect(abc.seconds).toBeCloseTo(11 / 30, 5);
    expect(abc.bounds).toEqual(boundsOf(scene.sequence.frames.subarray(0, 3 * vertices)));
  });

  it('warns of an Alembic mesh whose vertices change', async () => {
    const [points] = TRIANGLE.points;
    const mesh = meshObject('m', { ...TRIANGLE, points: [points, [...points, 0, 0, 1]] });
    space.put('remeshed.abc', buildArchive([mesh]));
    const [{ warnings }] = await describeFiles('remeshed.abc');
    expect(warnings).toEqual([expect.stringContaining('has 4 vertices in frame 1, but 3 in frame 0')]);
  });

  it('reads the real bytes, not the name', async () => {
    space.put('liar.obj', space.read('character.glb'));
    expect((await describeFiles('liar.obj'))[0].format).toBe('glb');
  });

  it('describes a motion by its joints', async () => {
    expect((await describeFiles('walk.bvh'))[0]).toEqual({
      file: 'walk.bvh',
      format: 'bvh',
      bytes: expect.any(Number),
      frames: 4,
      seconds: expect.closeTo(0.1, 5),
      joints: 2,
      bounds: { min: [0, 0, 0], max: [0, 2, 0] },
      warnings: [],
    });
  });

  it('counts the frames of all clips', async () => {
    space.files.set('web.glb', Uint8Array.from(characterAsset({ clips: 3, keys: 5 })));
    const [{ frames, seconds, clips = [] }] = await describeFiles('web.glb');
    expect(clips).toHaveLength(3);
    expect(frames).toBe(15);
    expect(seconds).toBeCloseTo(3 * (4 / 24), 5);
  });

  it('names what a character has learnt', async () => {
    const asset = await readGltf(space.read('character.glb'), { name: 'character.glb' });
    const { rig, clips } = readRig(asset);
    const extensions = [poserExtension(buildPoser({ rig, clip: clips[0] }))];
    space.put('poser.glb', (await writeSkinnedGlb({ rig, clips, extensions })).bytes);
    const [character, poser] = await describeFiles('character.glb', 'poser.glb');
    expect(character.learnt).toBeUndefined();
    expect(poser.learnt).toEqual(['poser']);
  });
});
