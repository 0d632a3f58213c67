import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { OutputError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { OutputSet } from '../../src/output/output-set.ts';
import { commitStaged } from '../../src/output/staged-files.ts';
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
    expect(outputs.written).toEqual([
      { path: join(folder, 'a.glb'), bytes: 3 },
      { path: join(folder, 'b.json'), bytes: 7 },
    ]);
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
    expect(outputs.written).toHaveLength(1);
    outputs.commit();
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('second');
  });

  it('writes a target in parts, behind each other and in place of what was there', () => {
    const folder = scratchFolder();
    const target = join(folder, 'a');
    writeFileSync(target, 'old and long');
    const outputs = new OutputSet();
    outputs.reserve(target);
    for (const part of ['one ', 'two ', 'three']) outputs.append(target, Buffer.from(part));
    expect(outputs.written).toEqual([{ path: target, bytes: 13 }]);
    expect(readFileSync(target, 'utf8')).toBe('old and long');
    outputs.commit();
    expect(readFileSync(target, 'utf8')).toBe('one two three');
  });

  it('does not go on behind parts that are gone', () => {
    const folder = scratchFolder();
    const outputs = new OutputSet();
    outputs.append(join(folder, 'a'), Buffer.from('one'));
    rmSync(outputs.staged[0].temporary);
    expect(() => outputs.append(join(folder, 'a'), Buffer.from('two'))).toThrow(OutputError);
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

  it('is not in the way of another run for the same target, dead or alive', () => {
    const folder = scratchFolder();
    const target = join(folder, 'a.glb');
    const runs = Array.from({ length: 20 }, () => new OutputSet());
    for (const run of runs) run.reserve(target);
    expect(new Set(readdirSync(folder)).size).toBe(20);
    for (const name of readdirSync(folder)) expect(name).toMatch(/^\.a\.glb\.pelt-[0-9a-f]{8}\.tmp$/);
    runs[0].write(target, 'first');
    runs[0].commit();
    runs[1].write(target, 'second');
    runs[1].commit();
    for (const run of runs.slice(2)) run.discard();
    expect(readdirSync(folder)).toEqual(['a.glb']);
    expect(readFileSync(target, 'utf8')).toBe('second');
  });

  it('sweeps what a killed run left for the same target a day ago, and nothing else', () => {
    const folder = scratchFolder();
    const old = new Date(Date.now() - 25 * 3600 * 1000);
    const put = (name: string, time?: Date) => {
      writeFileSync(join(folder, name), '');
      if (time) utimesSync(join(folder, name), time, time);
    };
    put('.a.glb.pelt-00000001.tmp', old);
    const kept = [
      '.a.glb.pelt-00000002.tmp',
      '.b.glb.pelt-00000001.tmp',
      '.a.glb.pelt-0000000g.tmp',
      '.a.glb.pelt-00000001.old',
      '.a.glb.tmp',
      'a.glb',
    ];
    for (const name of kept) put(name, name === kept[0] ? undefined : old);
    symlinkSync(join(folder, 'a.glb'), join(folder, '.a.glb.pelt-00000003.tmp'));
    mkdirSync(join(folder, '.a.glb.pelt-00000004.tmp'));
    const outputs = new OutputSet();
    outputs.reserve(join(folder, 'a.glb'));
    outputs.discard();
    expect(readdirSync(folder).sort()).toEqual(
      [...kept, '.a.glb.pelt-00000003.tmp', '.a.glb.pelt-00000004.tmp'].sort(),
    );
  });

  it('writes its temporary file anew where another run took it for a dead one', () => {
    const folder = scratchFolder();
    const outputs = new OutputSet();
    outputs.reserve(join(folder, 'a.glb'));
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    outputs.write(join(folder, 'a.glb'), 'new');
    outputs.commit();
    expect(readdirSync(folder)).toEqual(['a.glb']);
  });
});

describe('commit', () => {
  /** Three targets, the first of them there before. */
  function stage(folder: string) {
    const at = (name: string) => join(folder, name);
    writeFileSync(at('a'), 'old a');
    const outputs = new OutputSet();
    for (const name of ['a', 'b', 'c']) outputs.write(at(name), `new ${name}`);
    return { outputs, at };
  }
  const textOf = (path: string) => readFileSync(path, 'utf8');

  it('replaces several files, and keeps no copy of the old ones', () => {
    const folder = scratchFolder();
    const { outputs, at } = stage(folder);
    outputs.commit();
    expect(readdirSync(folder).sort()).toEqual(['a', 'b', 'c']);
    expect(['a', 'b', 'c'].map((name) => textOf(at(name)))).toEqual(['new a', 'new b', 'new c']);
  });

  it.each(['a', 'b', 'c'])('takes everything back where %s has become a folder meanwhile', (bad) => {
    const folder = scratchFolder();
    const { outputs, at } = stage(folder);
    rmSync(at(bad), { force: true });
    mkdirSync(at(bad));
    expect(() => outputs.commit()).toThrow(`cannot write '${at(bad)}': it is a folder`);
    outputs.discard();
    expect(readdirSync(folder).sort()).toEqual([...new Set(['a', bad])]);
    if (bad !== 'a') expect(textOf(at('a'))).toBe('old a');
    expect(lstatSync(at(bad)).isDirectory()).toBe(true);
  });

  it('takes everything back where a temporary file is gone', () => {
    const folder = scratchFolder();
    const { outputs, at } = stage(folder);
    writeFileSync(at('b'), 'somebody was quicker');
    for (const { target, temporary } of outputs.staged) if (target === at('c')) rmSync(temporary);
    expect(() => outputs.commit()).toThrow(OutputError);
    outputs.discard();
    expect(readdirSync(folder).sort()).toEqual(['a', 'b']);
    expect([textOf(at('a')), textOf(at('b'))]).toEqual(['old a', 'somebody was quicker']);
  });

  it('is the business of whoever has the list, in whatever thread', () => {
    const folder = scratchFolder();
    const { outputs, at } = stage(folder);
    commitStaged(structuredClone(outputs.staged));
    expect(textOf(at('c'))).toBe('new c');
  });
});
