import { UsageError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { MemoryFiles } from '../../src/files/memory-files.ts';
import { FileGuard } from '../../src/outputs/file-guard.ts';
import { MemoryOutputs } from '../../src/outputs/outputs.ts';
import { utf8 } from '../workspace.ts';

const REPLACES = /^the output '.*' would replace an input; choose another name$/;

function guarded(reads: string[], writes: string[], hostWrites: string[] = []) {
  const files = new MemoryFiles({ 'in/a.obj': utf8('a'), 'in/b.png': utf8('b'), 'c.glb': utf8('c') });
  const target = new MemoryOutputs();
  return { ...pick(new FileGuard(files, target, { reads, writes }, hostWrites)), target };
}

function pick({ files, outputs }: FileGuard) {
  return { files, outputs };
}

describe('FileGuard', () => {
  it('lets a job read its inputs and write its outputs', () => {
    const { files, outputs, target } = guarded(['in/a.obj'], ['out.glb'], ['report.json']);
    expect(files.read('in/a.obj')).toEqual(utf8('a'));
    outputs.reserve('out.glb');
    outputs.write('out.glb', utf8('new'));
    expect([...target.files.keys()]).toEqual(['out.glb']);
    expect(outputs.written).toEqual([{ path: 'out.glb', bytes: 3 }]);
  });

  it.each([
    ['an output that is an input', ['in/a.obj'], ['in/a.obj'], []],
    ['the same by another path', ['in/a.obj'], ['in/../in/a.obj'], []],
    ['a file of the host that is an input', ['c.glb'], [], ['./c.glb']],
  ])('refuses %s before any work', (_, reads, writes, hostWrites) => {
    expect(() => guarded(reads, writes, hostWrites)).toThrow(UsageError);
    expect(() => guarded(reads, writes, hostWrites)).toThrow(REPLACES);
  });

  it('refuses two outputs of one name before any work', () => {
    expect(() => guarded([], ['x.glb'], ['x.glb'])).toThrow("two outputs are named 'x.glb'; choose another name");
    expect(() => guarded([], ['x.glb', './x.glb'])).toThrow("the outputs 'x.glb' and './x.glb' are one file");
  });

  it('refuses what a job only finds out as it goes', () => {
    const { files, outputs } = guarded(['in'], ['in/####.obj']);
    files.readRange('in/a.obj', 0, 1);
    expect(() => outputs.claim(['in/1.obj', 'in/a.obj'])).toThrow(REPLACES);
    expect(() => outputs.write('in/a.obj', utf8('new'))).toThrow(REPLACES);
    outputs.reserve('in/b.png');
    expect(() => files.read('in/b.png')).toThrow(REPLACES);
  });

  it('refuses to write a file twice, that of the host included', () => {
    const { outputs } = guarded([], ['x.obj'], ['report.json']);
    outputs.write('x.mtl', utf8('1'));
    expect(() => outputs.write('./x.mtl', utf8('2'))).toThrow("two outputs are named './x.mtl'");
    expect(() => outputs.write('report.json', utf8('2'))).toThrow("two outputs are named 'report.json'");
  });

  it('leaves an input alone where the output has the same bytes, as a texture that is copied to its own place', () => {
    const { files, outputs, target } = guarded(['in/a.obj'], ['in/new.obj']);
    files.read('in/b.png');
    outputs.write('in/b.png', utf8('b'));
    expect(target.files.size).toBe(0);
    expect(() => outputs.write('in/b.png', utf8('x'))).toThrow(REPLACES);
  });

  it('probes without a claim', () => {
    const { files, outputs } = guarded([], []);
    outputs.probe('in/a.obj');
    expect(files.read('in/a.obj')).toEqual(utf8('a'));
  });
});
