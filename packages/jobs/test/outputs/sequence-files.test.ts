import { UnsupportedError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { MemoryFiles } from '../../src/files/memory-files.ts';
import { FileGuard } from '../../src/outputs/file-guard.ts';
import { MemoryOutputs } from '../../src/outputs/outputs.ts';
import {
  framePath,
  isWrittenInParts,
  outputFormat,
  outputPaths,
  PartWriter,
  writeSequence,
} from '../../src/outputs/sequence-files.ts';
import { scene } from '../chain-files.ts';

describe('outputFormat', () => {
  it('goes by the extension, in any case', () => {
    expect(outputFormat('a/b.c/walk.GLB')).toBe('glb');
    expect(outputFormat('walk.pc2')).toBe('pc2');
  });

  it('names what it can write where it cannot', () => {
    expect(() => outputFormat('walk.stl')).toThrow(UnsupportedError);
    expect(() => outputFormat('walk.stl')).toThrow(
      "'.stl' files are not written; use .obj, .ply, .pc2, .mdd, .abc, .glb, .fbx, .usdz, .usda, .vrm",
    );
    expect(() => outputFormat('out/walk')).toThrow("'out/walk' has no extension");
  });
});

describe('PartWriter', () => {
  const files = new MemoryFiles();

  async function written(path: string, cuts: readonly number[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const { sequence } = scene;
    const { outputs: target, job } = hostOf();
    const size = sequence.rest.positions.length;
    const writer = new PartWriter(path, sequence, job, {});
    for (const [k, to] of cuts.entries()) {
      await writer.add(sequence.frames.subarray((cuts[k - 1] ?? 0) * size, to * size));
    }
    return target.files;
  }

  function hostOf() {
    const outputs = new MemoryOutputs();
    const guard = new FileGuard(files, outputs, { reads: [], writes: [] });
    return { outputs, job: { files: guard.files, outputs: guard.outputs, warn: () => {} } };
  }

  it.each(['a.pc2', 'a.mdd', 'a.obj', 'a.ply'])('writes %s in parts as it does at once', async (path) => {
    const whole = hostOf();
    await writeSequence(path, scene.sequence, whole.job, {});
    expect(whole.outputs.files.size).toBe(path === 'a.pc2' || path === 'a.mdd' ? 1 : 12);
    for (const cuts of [[12], [1, 12], [5, 10, 12]]) {
      expect(await written(path, cuts)).toEqual(whole.outputs.files);
    }
  });

  it('is for formats that can be', () => {
    expect(['a.pc2', 'a.mdd', 'a.obj', 'a.ply', 'a.abc', 'a.glb'].filter(isWrittenInParts)).toHaveLength(4);
  });
});

describe('framePath', () => {
  it('numbers frames from 1, with digits enough for all', () => {
    expect(framePath('out/walk.obj', 0, 48)).toBe('out/walk-0001.obj');
    expect(framePath('out/walk.obj', 9, 12345)).toBe('out/walk-00010.obj');
  });

  it('puts the number where the # are, in the name and not in a folder', () => {
    expect(framePath('out#1/pose##.ply', 2, 48)).toBe('out#1/pose03.ply');
    expect(framePath('pose-###-x.obj', 1233, 2000)).toBe('pose-1234-x.obj');
    expect(framePath('a#/walk.obj', 0, 2)).toBe('a#/walk-0001.obj');
  });

  it('lists all files of a sequence', () => {
    expect(outputPaths('a.obj', 2)).toEqual(['a-0001.obj', 'a-0002.obj']);
    expect(outputPaths('a.obj', 1)).toEqual(['a.obj']);
    expect(outputPaths('a.mdd', 9)).toEqual(['a.mdd']);
  });
});
