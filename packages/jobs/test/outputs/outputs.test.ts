import { UsageError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { MemoryFiles } from '../../src/files/memory-files.ts';
import { MemoryOutputs, totalBytes } from '../../src/outputs/outputs.ts';
import { refuseToReplace } from '../../src/outputs/refuse-to-replace.ts';
import { utf8 } from '../workspace.ts';

describe('MemoryOutputs', () => {
  it('keeps what is written, and not what is only reserved', () => {
    const outputs = new MemoryOutputs();
    outputs.reserve('c');
    outputs.write('b', utf8('123'));
    outputs.write('a', utf8('1'));
    outputs.write('b', utf8('12'));
    expect(outputs.written).toEqual([
      { path: 'b', bytes: 2 },
      { path: 'a', bytes: 1 },
    ]);
    expect(totalBytes(outputs)).toBe(3);
    expect(outputs.files.get('b')).toEqual(utf8('12'));
  });
});

describe('refuseToReplace', () => {
  const files = new MemoryFiles({ 'in/a.obj': utf8('') });

  it('goes by the file, not by its path, and lets new files be', () => {
    expect(() => refuseToReplace(files, ['out.obj', 'in/../in/a.obj'], ['in/a.obj'])).toThrow(UsageError);
    expect(() => refuseToReplace(files, ['out.obj', 'new/a.obj'], ['in/a.obj', 'absent'])).not.toThrow();
  });
});
