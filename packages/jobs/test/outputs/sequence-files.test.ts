import { UnsupportedError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { framePath, outputFormat, outputPaths } from '../../src/outputs/sequence-files.ts';

describe('outputFormat', () => {
  it('goes by the extension, in any case', () => {
    expect(outputFormat('a/b.c/walk.GLB')).toBe('glb');
    expect(outputFormat('walk.pc2')).toBe('pc2');
  });

  it('names what it can write where it cannot', () => {
    expect(() => outputFormat('walk.fbx')).toThrow(UnsupportedError);
    expect(() => outputFormat('walk.fbx')).toThrow(
      "'.fbx' files are not written; use .obj, .ply, .pc2, .mdd, .abc, .glb",
    );
    expect(() => outputFormat('out/walk')).toThrow("'out/walk' has no extension");
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
