import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OutputError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { OutputSet } from '../../src/output/output-set.ts';
import { scratchFolder } from '../scratch-folder.ts';

describe('OutputSet', () => {
  it('shows nothing under the target before commit, and all of it after', () => {
    const folder = scratchFolder();
    const temporary: string[] = [];
    const outputs = new OutputSet((path) => temporary.push(path));
    outputs.write(join(folder, 'a.glb'), new Uint8Array([1, 2, 3]));
    outputs.write(join(folder, 'b.json'), 'Größe');
    expect(readdirSync(folder).filter((name) => !name.startsWith('.'))).toEqual([]);
    expect(temporary).toHaveLength(2);
    expect(outputs.files).toEqual([
      { target: join(folder, 'a.glb'), bytes: 3 },
      { target: join(folder, 'b.json'), bytes: 7 },
    ]);
    expect(outputs.totalBytes).toBe(10);
    outputs.commit();
    expect(readdirSync(folder).sort()).toEqual(['a.glb', 'b.json']);
    expect([...readFileSync(join(folder, 'a.glb'))]).toEqual([1, 2, 3]);
  });

  it('leaves no trace when discarded, folders it made included, and old files as they were', () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'old.obj'), 'old');
    const outputs = new OutputSet();
    outputs.write(join(folder, 'old.obj'), 'new');
    outputs.write(join(folder, 'deep/er/frame.obj'), 'new');
    outputs.reserve(join(folder, 'report.json'));
    outputs.discard();
    expect(readdirSync(folder)).toEqual(['old.obj']);
    expect(readFileSync(join(folder, 'old.obj'), 'utf8')).toBe('old');
    outputs.discard();
  });

  it('drops what was reserved and never written', () => {
    const folder = scratchFolder();
    const outputs = new OutputSet();
    outputs.reserve(join(folder, 'a'));
    outputs.write(join(folder, 'b'), '');
    outputs.commit();
    expect(readdirSync(folder)).toEqual(['b']);
  });

  it('writes a target twice over itself', () => {
    const folder = scratchFolder();
    const outputs = new OutputSet();
    outputs.reserve(join(folder, 'a'));
    outputs.write(join(folder, 'a'), 'first');
    outputs.write(join(folder, './a'), 'second');
    expect(outputs.files).toHaveLength(1);
    outputs.commit();
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('second');
  });

  it('follows a link to its end and keeps the link', () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, 'real'));
    writeFileSync(join(folder, 'real/a.glb'), 'old');
    symlinkSync(join(folder, 'real/a.glb'), join(folder, 'a.glb'));
    const outputs = new OutputSet();
    outputs.write(join(folder, 'a.glb'), 'new');
    outputs.commit();
    expect(lstatSync(join(folder, 'a.glb')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, 'real/a.glb'), 'utf8')).toBe('new');
  });

  it('says why it cannot write, before any work is done', () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, 'sub'));
    writeFileSync(join(folder, 'file'), '');
    const reserve = (target: string) => () => new OutputSet().reserve(target);
    expect(reserve(join(folder, 'sub'))).toThrow(OutputError);
    expect(reserve(join(folder, 'sub'))).toThrow(`cannot write '${join(folder, 'sub')}': it is a folder`);
    expect(reserve(join(folder, 'file/a.glb'))).toThrow('a part of its path is a file, not a folder');
    expect(reserve('/dev/null')).toThrow('it is not a regular file');
    expect(reserve(join(folder, 'x'.repeat(300)))).toThrow(OutputError);
    expect(existsSync(join(folder, 'x'.repeat(300)))).toBe(false);
  });

  it('does not write through a link that waits under the temporary name', () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'victim'), 'safe');
    symlinkSync(join(folder, 'victim'), join(folder, `.a.glb.${process.pid}-0.tmp`));
    const outputs = new OutputSet();
    expect(() => outputs.write(join(folder, 'a.glb'), 'new')).toThrow(OutputError);
    outputs.discard();
    expect(readFileSync(join(folder, 'victim'), 'utf8')).toBe('safe');
  });
});
