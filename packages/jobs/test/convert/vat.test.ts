/** Frames as a texture: three files, the figures of the report, and what cannot go together. */
import { writeObj, writePc2, writeSkinnedGlb } from '@pelt/io';
import { chainScene, elbowScene } from '@pelt/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { Workspace } from '../workspace.ts';

const space = new Workspace();

beforeAll(async () => {
  const { sequence } = elbowScene();
  space.put('rest.obj', writeObj(sequence.rest)[0].bytes);
  space.put('clip.pc2', writePc2(sequence));
  const { rig, clip } = chainScene({ joints: ['hinge'], frames: 4, ringsPerLink: 3, sides: 5 });
  const clips = [clip, { ...clip, name: 'again' }];
  space.put('character.glb', (await writeSkinnedGlb({ rig, clips })).bytes);
});

function convert(inputs: string[], output: string, options: object) {
  return space.run({ command: 'convert', inputs, output, options });
}

describe('convert --vat', () => {
  it('writes mesh, texture and ranges of a cache', async () => {
    const { written, report } = await convert(['rest.obj', 'clip.pc2'], 'out/arm.glb', { vat: 'png' });
    expect(written).toEqual(['out/arm.glb', 'out/arm_vat.png', 'out/arm-remap_info.json']);
    expect(report.output.files.map(({ bytes }) => bytes)).toEqual(written.map((path) => space.read(path).length));
    expect(report.vat).not.toHaveProperty('bones');
    expect(report.vat?.textureMegabytes).toBeCloseTo(((report.vat?.width ?? 0) * (report.vat?.height ?? 0) * 8) / 1e6);
  });

  it('has the sizes of bones beside its own, and all clips', async () => {
    const { report } = await convert(['character.glb'], 'crowd.glb', { vat: 'exr' });
    expect(report.vat?.bones).toEqual({ count: 2, bytes: space.read('character.glb').length });
    const { animations } = JSON.parse(space.text('crowd-remap_info.json'));
    expect(Object.keys(animations)).toEqual(report.clips);
    expect(report.clips).toHaveLength(2);
  });

  it.each([
    [{ bake: true }, 'out.glb', /--bake has no effect on --vat/],
    [{ compress: 'meshopt' }, 'out.glb', /--compress reorders vertices/],
    [{}, 'out.fbx', /--vat writes a \.glb/],
  ])('refuses %j to %s', async (options, output, message) => {
    await expect(convert(['character.glb'], output, { vat: 'png', ...options })).rejects.toThrow(message);
  });

  it('does not write over what it reads', async () => {
    space.put('rest_vat.png', 'x');
    await expect(convert(['character.glb'], 'character.glb', { vat: 'png' })).rejects.toThrow(/character\.glb/);
  });
});
