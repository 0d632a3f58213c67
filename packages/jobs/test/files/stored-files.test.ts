import { InputError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { areSame, POSIX_PATHS } from '../../src/files/files.ts';
import { MemoryFiles } from '../../src/files/memory-files.ts';
import { utf8 } from '../workspace.ts';

const files = new MemoryFiles({
  'rest.obj': utf8('hello'),
  'frames/a/1.obj': utf8('one'),
  '/frames/2.obj': utf8('two'),
});
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('MemoryFiles', () => {
  it('gives what was put in, whole or in part', () => {
    expect(text(files.read('rest.obj'))).toBe('hello');
    expect([files.readRange('rest.obj', 1, 3), files.readRange('rest.obj', 3, 99)].map(text)).toEqual(['el', 'lo']);
    expect(files.readRange('rest.obj', 7, 9)).toHaveLength(0);
    expect(files.stat('rest.obj')).toEqual({ kind: 'file', bytes: 5 });
  });

  it('has the folders that its paths speak of', () => {
    expect([...files.list('frames')].sort()).toEqual(['2.obj', 'a']);
    expect(files.list('frames/a/')).toEqual(['1.obj']);
    expect([...files.list('.')].sort()).toEqual(['frames', 'rest.obj']);
    expect(files.stat('frames/a').kind).toBe('folder');
    expect(new MemoryFiles().list('/')).toEqual([]);
  });

  it('knows a file by any of its paths', () => {
    for (const path of [
      'rest.obj',
      '/rest.obj',
      './rest.obj',
      'frames/../rest.obj',
      '../../rest.obj',
      'a//../rest.obj',
    ]) {
      expect(files.identify(path)).toBe('/rest.obj');
      expect(text(files.read(path))).toBe('hello');
    }
    expect(areSame(files, 'frames/2.obj', './frames//2.obj')).toBe(true);
    expect(areSame(files, 'rest.obj', 'frames/2.obj')).toBe(false);
    expect(areSame(files, 'none', 'none')).toBe(false);
    expect(files.identify('none')).toBeUndefined();
  });

  it('says in one line why it cannot read', () => {
    expect(() => files.read('none.obj')).toThrow(InputError);
    expect(() => files.read('none.obj')).toThrow("cannot read 'none.obj': there is no such file");
    expect(() => files.stat('none.obj')).toThrow('there is no such file');
    expect(() => files.readRange('frames', 0, 1)).toThrow('it is a folder');
    expect(() => files.list('rest.obj')).toThrow('there is no such folder');
  });

  it('takes entries and new contents, too', () => {
    const own = new MemoryFiles(new Map([['a', utf8('1')]]));
    own.set('./a', utf8('2'));
    own.set('b/c', utf8('3'));
    expect(text(own.read('a'))).toBe('2');
    expect(own.list('b')).toEqual(['c']);
  });
});

describe('POSIX_PATHS', () => {
  it('joins and takes apart', () => {
    const { join, dirname, basename } = POSIX_PATHS;
    expect([join('a', 'b'), join('a/', 'b'), join('/', 'b'), join('.', 'b')]).toEqual(['a/b', 'a/b', '/b', 'b']);
    expect(['a/b/c.obj', 'c.obj', '/c.obj', 'a\\b'].map(dirname)).toEqual(['a/b', '.', '/', '.']);
    expect(['a/b/c.obj', 'c.obj', '/c.obj', 'a\\b'].map(basename)).toEqual(['c.obj', 'c.obj', 'c.obj', 'a\\b']);
  });
});
