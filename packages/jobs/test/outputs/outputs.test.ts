import { describe, expect, it } from 'vitest';
import { MemoryOutputs, totalBytes } from '../../src/outputs/outputs.ts';
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
    outputs.append('b', utf8('34'));
    outputs.append('d', utf8('5'));
    expect(outputs.files.get('b')).toEqual(utf8('1234'));
    expect(outputs.files.get('d')).toEqual(utf8('5'));
  });
});
