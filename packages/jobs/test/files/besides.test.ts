import { describe, expect, it } from 'vitest';
import { besides } from '../../src/files/besides.ts';
import { MemoryFiles } from '../../src/files/memory-files.ts';
import { utf8 } from '../workspace.ts';

const inside = utf8('inside');
const files = new MemoryFiles({
  secret: utf8('secret'),
  'asset-secret': utf8('secret'),
  'asset/a.gltf': inside,
  'asset/a.bin': inside,
  'asset/textures/t.png': inside,
  'top.bin': inside,
});

describe('besides', () => {
  const warnings: string[] = [];
  const resolve = besides(files, 'asset/a.gltf', (message) => warnings.push(message));

  it('gives files from the same folder and below', () => {
    for (const named of ['a.bin', './a.bin', 'textures/t.png', 'textures/../a.bin']) {
      expect(resolve(named)).toEqual(inside);
    }
    expect(besides(files, 'top.gltf', () => {})('top.bin')).toEqual(inside);
    for (const absent of ['absent.bin', 'textures']) expect(resolve(absent)).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it('gives nothing from elsewhere, and says so', () => {
    for (const leaving of ['../secret', '../asset-secret', 'textures/../../secret', '..']) {
      expect(resolve(leaving)).toBeUndefined();
      expect(warnings.pop()).toContain(`'asset/a.gltf' names '${leaving}', which leads outside its folder`);
    }
    expect(resolve('/secret')).toBeUndefined();
  });
});
