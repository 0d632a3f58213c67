/** Files are read and parsed once by a command, however many of its stages look at them. */
import { writeMorphGlb, writeObj, writePc2, writeSkinnedGlb } from '@pelt/io';
import { type JobRequest, MemoryFiles, MemoryOutputs, OpenedFiles, openAnimation, runJob } from '@pelt/jobs';
import { creatureScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';

const { rig, clip, sequence } = creatureScene({ frames: 5, detail: 0.12 });
const again = { ...clip, name: 'again' };
const FILES = {
  'two.glb': (await writeSkinnedGlb({ rig, clips: [clip, again] })).bytes,
  'rig.glb': (await writeSkinnedGlb({ rig, clips: [clip] })).bytes,
  'morph.glb': (await writeMorphGlb(sequence)).bytes,
  'rest.obj': writeObj(sequence.rest)[0].bytes,
  'clip.pc2': writePc2(sequence),
};

/** Files that count how often each is read as a whole. */
class CountingFiles extends MemoryFiles {
  readonly reads = new Map<string, number>();

  override read(path: string): Uint8Array<ArrayBuffer> {
    this.reads.set(path, (this.reads.get(path) ?? 0) + 1);
    return super.read(path);
  }
}

describe('a glTF is opened once', () => {
  it.each<[JobRequest, string[]]>([
    [{ command: 'convert', inputs: ['two.glb'], output: 'a.mdd' }, ['two.glb']],
    [{ command: 'convert', inputs: ['two.glb'], output: 'a.glb' }, ['two.glb']],
    [{ command: 'convert', inputs: ['two.glb'], output: 'a.glb', options: { bake: true } }, ['two.glb']],
    [{ command: 'convert', inputs: ['two.glb'], output: 'a.glb', options: { compress: 'meshopt' } }, ['two.glb']],
    [{ command: 'convert', inputs: ['morph.glb'], output: 'a.pc2' }, ['morph.glb']],
    [{ command: 'info', inputs: ['two.glb'] }, ['two.glb']],
    [{ command: 'fit', inputs: ['two.glb'], output: 'a.glb', options: { bones: 2 } }, ['two.glb']],
    [{ command: 'fit', inputs: ['two.glb'], output: 'a.glb', options: { bones: 2, compress: 'meshopt' } }, ['two.glb']],
    [{ command: 'reduce', inputs: ['two.glb'], output: 'a.glb', options: { weights: 2 } }, ['two.glb']],
    [{ command: 'compare', inputs: ['morph.glb', 'rig.glb'] }, ['morph.glb', 'rig.glb']],
    [{ command: 'compare', inputs: ['rest.obj', 'clip.pc2', 'rig.glb'] }, ['rig.glb']],
    [
      {
        command: 'envelope',
        inputs: ['rig.glb', 'rest.obj', 'clip.pc2'],
        output: 'a.glb',
        options: { predictor: 'ssd' },
      },
      ['rig.glb'],
    ],
  ])('by %o', async (request, expected) => {
    const files = new CountingFiles(FILES);
    await runJob(request, { files, outputs: new MemoryOutputs() });
    for (const path of expected) expect(`${path}: ${files.reads.get(path)}`).toBe(`${path}: 1`);
  });

  it('by a job and whoever shows its result, where the host hands it on', async () => {
    const files = new CountingFiles(FILES);
    const opened = new OpenedFiles();
    const request = { command: 'fit', inputs: ['two.glb'], output: 'a.glb', options: { bones: 2 } } as const;
    await runJob(request, { files, opened, outputs: new MemoryOutputs() });
    const { sequence: shown } = await openAnimation(['two.glb'], {}, { files, opened });
    expect(shown.times).toHaveLength(10);
    expect(files.reads.get('two.glb')).toBe(1);
  });
});

describe('an opened file', () => {
  const source = { path: 'two.glb', format: 'glb', bytes: FILES['two.glb'].length } as const;

  it('has mesh, clips, character and frames', async () => {
    const file = await new OpenedFiles().open(source, { files: new MemoryFiles(FILES), warn: () => {} });
    expect(file.label).toBe('two.glb');
    expect(file.bytes).toHaveLength(FILES['two.glb'].length);
    expect(file.clips).toEqual([clip.name, 'again']);
    expect(file.mesh.positions.length).toBeGreaterThan(0);
    expect(file.character()).toBe(file.character());
    expect(file.character().joints).toHaveLength(rig.bones.length);
    const frames = await file.frames(1);
    expect(frames.times).toHaveLength(5);
  });

  it('says what is wrong with it to everyone who opens it, and fails for each', async () => {
    const opened = new OpenedFiles();
    const files = new CountingFiles({ 'bad.glb': Uint8Array.of(1, 2, 3) });
    const bad = { ...source, path: 'bad.glb' };
    for (let k = 0; k < 2; k++) await expect(opened.open(bad, { files, warn: () => {} })).rejects.toThrow(/bad\.glb/);
    expect(files.reads.get('bad.glb')).toBe(1);
  });
});
