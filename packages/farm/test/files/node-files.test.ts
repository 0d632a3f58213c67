import { existsSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../../../cli/test/scratch-folder.ts';
import { besides } from '../../../jobs/src/files/besides.ts';
import { NodeFiles } from '../../src/files/node-files.ts';

const files = new NodeFiles();

describe('NodeFiles', () => {
  it('reads a file, or a part of it', () => {
    const file = join(scratchFolder(), 'a');
    writeFileSync(file, 'hello');
    const part = (start: number, end: number) => Buffer.from(files.readRange(file, start, end)).toString();
    expect(Buffer.from(files.read(file)).toString()).toBe('hello');
    expect([part(0, 2), part(1, 3), part(3, 99), part(7, 9), part(0, 0)]).toEqual(['he', 'el', 'lo', '', '']);
    expect(files.stat(file)).toEqual({ kind: 'file', bytes: 5 });
  });

  it('lists a folder, and tells what is what', () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, 'sub'));
    writeFileSync(join(folder, 'a'), '');
    expect([...files.list(folder)].sort()).toEqual(['a', 'sub']);
    expect(files.stat(join(folder, 'sub')).kind).toBe('folder');
    expect(files.stat('/dev/zero').kind).toBe('other');
    expect(() => files.list(join(folder, 'none'))).toThrow('there is no such file');
    expect(() => files.list(join(folder, 'a'))).toThrow('a part of its path is a file');
  });

  it('knows a file by any of its paths', () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, 'sub'));
    writeFileSync(join(folder, 'a'), '');
    symlinkSync(join(folder, 'a'), join(folder, 'sub/link'));
    const identity = files.identify(join(folder, 'a'));
    expect(identity).toMatch(/\/a$/);
    expect(files.identify(join(folder, 'sub/link'))).toBe(identity);
    expect(files.identify(`${folder}/sub/../a`)).toBe(identity);
    expect(files.identify(join(folder, 'b'))).toBeUndefined();
  });

  it('has one key for all names of a file, hard links and files to come included', () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, 'sub'));
    symlinkSync(join(folder, 'sub'), join(folder, 'link'));
    writeFileSync(join(folder, 'a'), '');
    linkSync(join(folder, 'a'), join(folder, 'sub/hard'));
    const key = (path: string) => files.key(join(folder, path));
    expect(key('sub/hard')).toBe(key('a'));
    expect(key('link/hard')).toBe(key('./sub/../a'));
    expect(key('link/new')).toBe(key('sub/new'));
    expect(key('link/no/such/folder')).toBe(key('sub/no/such/folder'));
    expect(new Set(['a', 'b', 'sub', 'sub/a', 'sub/new'].map(key)).size).toBe(5);
    // Names that differ in case are two files, unless the file system takes them for one.
    const ignoresCase = existsSync(join(folder, 'SUB'));
    expect(key('sub/NEW') === key('sub/new')).toBe(ignoresCase);
  });

  it('reads into the room that it is given', () => {
    const file = join(scratchFolder(), 'a');
    writeFileSync(file, 'hello');
    const room = new Uint8Array(4);
    expect(files.readRange(file, 1, 5, room).buffer).toBe(room.buffer);
    expect(Buffer.from(room).toString()).toBe('ello');
    expect(Buffer.from(files.readRange(file, 0, 5, room)).toString()).toBe('hello');
  });

  it('says in one line why it cannot read', () => {
    const folder = scratchFolder();
    for (const read of [
      (path: string) => () => files.read(path),
      (path: string) => () => files.readRange(path, 0, 9),
    ]) {
      expect(read(join(folder, 'none.obj'))).toThrow(InputError);
      expect(read(join(folder, 'none.obj'))).toThrow(`cannot read '${folder}/none.obj': there is no such file`);
      expect(read(folder)).toThrow('it is a folder');
      expect(read('/dev/zero')).toThrow('it is not a regular file');
      expect(read('a\0b')).toThrow('its name has a zero character');
    }
    symlinkSync(join(folder, 'loop'), join(folder, 'loop'));
    expect(() => files.read(join(folder, 'loop'))).toThrow('its path is a loop of links');
  });
});

describe('files that a file names', () => {
  it('come from the same folder and below, whatever links say', () => {
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
    const resolve = besides(files, join(folder, 'a.gltf'), (message) => warnings.push(message));
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
