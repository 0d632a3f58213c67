import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { besides, readBytes, readHead } from '../../src/input/read-file.ts';
import { scratchFolder } from '../scratch-folder.ts';

describe('readBytes', () => {
  it('reads a file, or its head', () => {
    const file = join(scratchFolder(), 'a');
    writeFileSync(file, 'hello');
    expect(Buffer.from(readBytes(file)).toString()).toBe('hello');
    expect(Buffer.from(readHead(file, 2)).toString()).toBe('he');
    expect(readHead(file, 99)).toHaveLength(5);
  });

  it('says in one line why it cannot', () => {
    const folder = scratchFolder();
    const read = (path: string) => () => readBytes(path);
    expect(read(join(folder, 'none.obj'))).toThrow(InputError);
    expect(read(join(folder, 'none.obj'))).toThrow(`cannot read '${folder}/none.obj': there is no such file`);
    expect(read(folder)).toThrow('it is a folder');
    expect(read('/dev/zero')).toThrow('it is not a regular file');
    expect(read('a\0b')).toThrow('its name has a zero character');
    symlinkSync(join(folder, 'loop'), join(folder, 'loop'));
    expect(read(join(folder, 'loop'))).toThrow('its path is a loop of links');
  });
});

describe('besides', () => {
  it('gives files from the same folder and below, and nothing from elsewhere', () => {
    const outer = scratchFolder();
    const folder = join(outer, 'asset');
    mkdirSync(join(folder, 'textures'), { recursive: true });
    writeFileSync(join(outer, 'secret'), 'secret');
    writeFileSync(join(outer, 'asset-secret'), 'secret');
    writeFileSync(join(folder, 'a.bin'), 'inside');
    writeFileSync(join(folder, 'textures/t.png'), 'inside');
    symlinkSync(join(outer, 'secret'), join(folder, 'link.bin'));
    symlinkSync(outer, join(folder, 'up'));
    symlinkSync(join(folder, 'a.bin'), join(folder, 'textures/inner.bin'));
    const warnings: string[] = [];
    const resolve = besides(join(folder, 'a.gltf'), (message) => warnings.push(message));
    const text = (path: string) => {
      const bytes = resolve(path);
      return bytes && Buffer.from(bytes).toString();
    };
    expect(text('a.bin')).toBe('inside');
    expect(text('textures/t.png')).toBe('inside');
    expect(text('textures/inner.bin')).toBe('inside');
    expect(text('absent.bin')).toBeUndefined();
    expect(text('textures')).toBeUndefined();
    expect(warnings).toEqual([]);
    for (const leaving of ['link.bin', 'up/secret', '../secret', '../asset-secret']) {
      expect(text(leaving)).toBeUndefined();
      expect(warnings.pop()).toContain(`names '${leaving}', which leads outside its folder`);
    }
  });
});
