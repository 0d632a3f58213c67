import { writeObj, writePc2 } from '@pelt/io';
import { frameAt, vertexCount } from '@pelt/model';
import { deformLinear } from '@pelt/skin/blending';
import { armScene } from '@pelt/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { MemoryFiles, MemoryOutputs, openAnimation, openMatchedRig, runJob } from '../../src/index.ts';

describe('reading for a view', () => {
  const { sequence } = armScene({ frames: 6 });
  const files = new MemoryFiles({
    'arm.obj': new Uint8Array(writeObj(sequence.rest)[0].bytes),
    'arm.pc2': new Uint8Array(writePc2(sequence)),
  });
  beforeAll(async () => {
    const outputs = new MemoryOutputs();
    const inputs = ['arm.obj', 'arm.pc2'];
    await runJob({ command: 'fit', inputs, output: 'fit.glb', options: { bones: 4 } }, { files, outputs });
    files.set('fit.glb', new Uint8Array(outputs.files.get('fit.glb') ?? []));
    const options = { weights: 2, compress: 'meshopt' } as const;
    await runJob({ command: 'reduce', inputs: ['fit.glb'], output: 'packed.glb', options }, { files, outputs });
    files.set('packed.glb', new Uint8Array(outputs.files.get('packed.glb') ?? []));
  });

  it('reads the frames that the files hold', async () => {
    const read = await openAnimation(['arm.obj', 'arm.pc2'], {}, { files });
    expect(read.sequence.frames).toEqual(sequence.frames);
    expect(read.sequence.times[1]).toBeCloseTo(sequence.times[1], 6);
  });

  it.each(['fit.glb', 'packed.glb'])('matches the vertices of %s, in whatever order they are', async (path) => {
    const read = await openAnimation(['arm.obj', 'arm.pc2'], {}, { files });
    const { rig, clip, vertices, learnt } = await openMatchedRig(path, read, { files });
    expect(learnt).toBeUndefined();
    // After quantisation two neighbours may be taken for one.
    expect(new Set(vertices).size).toBeGreaterThan(0.98 * vertexCount(sequence.rest));
    const [posed, truth] = [new Float32Array(rig.mesh.positions.length), frameAt(sequence, 3)];
    deformLinear(rig.mesh.positions, rig.weights, clip.transforms.subarray(36 * rig.bones.length), posed);
    const apart = Array.from(vertices, (k, i) =>
      Math.hypot(...[0, 1, 2].map((c) => posed[3 * i + c] - truth[3 * k + c])),
    );
    // A wrong vertex would be an edge away; the arm is about one long.
    expect(Math.max(...apart)).toBeLessThan(0.03);
  });

  it('says so where the rig plays another number of frames, or nothing', async () => {
    const read = await openAnimation(['arm.obj', 'arm.pc2'], {}, { files });
    const times = read.sequence.times.subarray(0, 3);
    const half = { sequence: { ...read.sequence, times }, clips: [{ name: 'arm', times }] };
    await expect(openMatchedRig('fit.glb', half, { files })).rejects.toThrow(/frames/);
    await expect(openMatchedRig('arm.obj', read, { files })).rejects.toThrow(/not a glTF/);
  });

  it('reads all clips of a mesh behind each other, and of the rig that plays them', async () => {
    const clip = ['wave', 'reach'].map((name) => ({ name, files: ['arm.pc2'] }));
    const outputs = new MemoryOutputs();
    const request = { command: 'fit', inputs: ['arm.obj'], output: 'two.glb', options: { bones: 4, clip } } as const;
    await runJob(request, { files, outputs });
    const both = new MemoryFiles({ 'two.glb': new Uint8Array(outputs.files.get('two.glb') ?? []) });
    const read = await openAnimation(['arm.obj'], { clip }, { files });
    expect(read.clips.map(({ name, times }) => [name, times.length])).toEqual([
      ['wave', 6],
      ['reach', 6],
    ]);
    expect([read.sequence.times.length, read.skinned]).toEqual([12, false]);
    // At the pace of the clips, with a frame between them.
    expect(read.sequence.times[11]).toBeCloseTo(11 * sequence.times[1], 5);
    const matched = await openMatchedRig('two.glb', read, { files: both });
    expect(matched.clip.times.length).toBe(12);
    // A glTF of two clips is both of them, too, and moves itself.
    const own = await openAnimation(['two.glb'], {}, { files: both });
    expect([own.sequence.times.length, own.clips.length, own.skinned]).toEqual([12, 2, true]);
    // Clips of other names are not taken for these.
    const renamed = { ...read, clips: read.clips.map((span, k) => ({ ...span, name: `other-${k}` })) };
    await expect(openMatchedRig('two.glb', renamed, { files: both })).rejects.toThrow(/other-0/);
  });
});
