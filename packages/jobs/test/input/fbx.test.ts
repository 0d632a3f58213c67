import { describe, expect, it } from 'vitest';
import { asciiFbx } from '../../../io/test/fbx/ascii-fbx.ts';
import { Workspace } from '../workspace.ts';

const space = new Workspace({ 'strip.fbx': Uint8Array.from(asciiFbx()) });

describe('an FBX as input', () => {
  it('is described as a glTF is', async () => {
    const { report } = await space.run({ command: 'info', inputs: ['strip.fbx'] });
    const [file] = report.files;
    expect(file).toMatchObject({ format: 'fbx', vertices: 6, triangles: 4, joints: 2, morphTargets: 1 });
    expect(file.clips?.map(({ name }) => name)).toEqual(['bend']);
  });

  it('gives its animation to the commands', async () => {
    const request = { command: 'convert', inputs: ['strip.fbx'], output: 'strip.mdd', options: { fps: 4 } } as const;
    const { report } = await space.run(request);
    expect(report.input.frames).toBe(5);
  });
});

describe('an FBX as output', () => {
  it('keeps skin, shapes and clips of a file that is one', async () => {
    await space.run({ command: 'convert', inputs: ['strip.fbx'], output: 'again.fbx' });
    const { report } = await space.run({ command: 'info', inputs: ['again.fbx'] });
    expect(report.files[0]).toMatchObject({ format: 'fbx', vertices: 6, triangles: 4, joints: 2, morphTargets: 1 });
    expect(report.files[0].clips?.map(({ name }) => name)).toEqual(['bend']);
  });

  it('has frames of positions as blend shapes', async () => {
    await space.run({ command: 'convert', inputs: ['strip.fbx'], output: 'strip.pc2', options: { fps: 4 } });
    await space.run({ command: 'convert', inputs: ['strip.fbx'], output: 'rest.obj', options: { frame: 'rest' } });
    const request = { command: 'convert', inputs: ['rest.obj', 'strip.pc2'], output: 'baked.fbx' } as const;
    const { report } = await space.run(request);
    expect(report.output).toMatchObject({ file: 'baked.fbx', frames: 5 });
    const { report: info } = await space.run({ command: 'info', inputs: ['baked.fbx'] });
    expect(info.files[0]).toMatchObject({ format: 'fbx', vertices: 6 });
    expect(info.files[0].morphTargets).toBeGreaterThan(0);
  });
});
