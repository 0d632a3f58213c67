import { fbxToGlb } from '@pelt/fbx';
import { UnsupportedError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { asciiFbx } from '../../../fbx/test/ascii-fbx.ts';
import { Workspace } from '../workspace.ts';

const space = new Workspace({ 'strip.fbx': Uint8Array.from(asciiFbx()) });

describe('an FBX as input', () => {
  it('is described as a glTF is', async () => {
    const { report } = await space.run({ command: 'info', inputs: ['strip.fbx'] }, { convertFbx: fbxToGlb });
    const [file] = report.files;
    expect(file).toMatchObject({ format: 'fbx', vertices: 6, triangles: 4, joints: 2, morphTargets: 1 });
    expect(file.clips?.map(({ name }) => name)).toEqual(['bend']);
  });

  it('gives its animation to the commands', async () => {
    const request = { command: 'convert', inputs: ['strip.fbx'], output: 'strip.mdd', options: { fps: 4 } } as const;
    const { report } = await space.run(request, { convertFbx: fbxToGlb });
    expect(report.input.frames).toBe(5);
  });

  it('is refused by a host that cannot convert it', async () => {
    const refused = space.run({ command: 'info', inputs: ['strip.fbx'] });
    await expect(refused).rejects.toThrow(UnsupportedError);
    await expect(refused).rejects.toThrow("'strip.fbx' is an FBX file, which is not read here; export it as glTF");
  });
});
