/** Whole archives that are cut or changed; mutated ones are read with those of other formats, in `test/fuzz`. */
import { PeltError, validateMeshSequence } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { readAlembicSequence } from '../../src/index.ts';
import { richArchive } from './mutate-archive.ts';
import { openBytes } from './scene.ts';

describe('an archive with one of everything', () => {
  it('is read', () => {
    const sequence = readAlembicSequence(openBytes(richArchive()));
    validateMeshSequence(sequence);
    expect(sequence.rest.positions.length / 3).toBe(15);
  });

  it('is refused when cut at any byte', () => {
    const good = richArchive();
    for (let length = 0; length < good.length; length++) {
      expect(() => readAlembicSequence(openBytes(good.slice(0, length)))).toThrow(PeltError);
    }
  });
});
