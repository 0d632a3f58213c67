/** USD files as inputs of commands: scenes like glTF, caches of points like archives. */
import { glbToUsdz, readGltf, writeSkinnedGlb } from '@pelt/io';
import { chainScene } from '@pelt/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { Workspace } from '../workspace.ts';

const space = new Workspace();
const CACHE = `#usda 1.0
( metersPerUnit = 1
  timeCodesPerSecond = 10 )
def Mesh "cloth" {
  int[] faceVertexCounts = [3]
  int[] faceVertexIndices = [0, 1, 2]
  point3f[] points.timeSamples = { 0: [(0,0,0), (1,0,0), (0,1,0)], 5: [(0,0,0), (2,0,0), (0,1,0)], 10: [(0,0,0), (3,0,0), (0,1,0)] }
}`;

beforeAll(async () => {
  const { rig, clip } = chainScene({ joints: ['hinge'], frames: 4, ringsPerLink: 3, sides: 5 });
  const { bytes } = await writeSkinnedGlb({ rig, clips: [clip, { ...clip, name: 'again' }] });
  space.put('character.glb', bytes);
  space.put('character.usdz', await glbToUsdz(bytes));
  space.put('cloth.usda', CACHE);
});

describe('USD as input', () => {
  it('keeps skin and clips of a scene', async () => {
    const { report } = await space.run({ command: 'convert', inputs: ['character.usdz'], output: 'back.glb' });
    expect(report.clips).toHaveLength(2);
    const asset = await readGltf(space.read('back.glb'));
    expect(asset.skinned).toBe(true);
    const compared = await space.run({ command: 'compare', inputs: ['character.glb', 'character.usdz'] });
    expect(compared.report.error.eRms).toBeLessThan(1e-3);
  });

  it('writes it as FBX, too', async () => {
    const { written } = await space.run({ command: 'convert', inputs: ['character.usdz'], output: 'out.fbx' });
    expect(written).toEqual(['out.fbx']);
  });

  it('plays a cache of points by its samples, and resampled', async () => {
    const { report } = await space.run({ command: 'convert', inputs: ['cloth.usda'], output: 'cloth.glb' });
    expect(report.output.frames).toBe(3);
    const { animations, scene } = await readGltf(space.read('cloth.glb'));
    expect(animations).toHaveLength(1);
    expect(scene.morphs[0].targets.length).toBeGreaterThan(0);
    const faster = await space.run({
      command: 'convert',
      inputs: ['cloth.usda'],
      output: 'c.pc2',
      options: { fps: 20 },
    });
    expect(faster.report.output.frames).toBe(21);
  });

  it('is described', async () => {
    const { report } = await space.run({ command: 'info', inputs: ['cloth.usda', 'character.usdz'] });
    expect(report.files[0]).toMatchObject({ format: 'usd', vertices: 3, frames: 3, seconds: 1 });
    expect(report.files[1]).toMatchObject({ format: 'usd', joints: 2 });
  });

  it('has no clips to choose where it is a cache', async () => {
    const request = { command: 'convert', inputs: ['cloth.usda'], output: 'x.glb', options: { clip: 'a' } } as const;
    await expect(space.run(request)).rejects.toThrow(/--clip chooses an animation of a glTF, FBX or USD scene/);
  });

  it('says what is wrong in one line', async () => {
    space.put('bad.usda', '#usda 1.0\ndef Mesh "m" {');
    await expect(space.run({ command: 'info', inputs: ['bad.usda'] })).rejects.toThrow(
      /^USD 'bad.usda': line 2[^\n]*$/,
    );
  });
});
