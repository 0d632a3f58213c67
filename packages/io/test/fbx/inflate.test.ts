import { InputError } from '@pelt/model';
import fc from 'fast-check';
import { zlibSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { inflateExactly } from '../../src/fbx/inflate.ts';

describe('inflateExactly', () => {
  it('gives nothing back for nothing', () => {
    expect(inflateExactly(zlibSync(new Uint8Array(0)), 0)).toEqual(new Uint8Array(0));
  });

  it('reads a stored block written by hand', () => {
    // zlib header, last block and stored, length 3 and its complement, three bytes.
    const stream = Uint8Array.of(0x78, 0x01, 1, 3, 0, 0xfc, 0xff, 7, 8, 9);
    expect([...inflateExactly(stream, 3)]).toEqual([7, 8, 9]);
  });

  it.each([0, 1, 6, 9] as const)('gives back what level %d deflated', (level) => {
    const bytes = fc.array(fc.nat({ max: 255 }), { maxLength: 300 });
    fc.assert(
      fc.property(bytes, fc.integer({ min: 1, max: 40 }), (values, times) => {
        const whole = Uint8Array.from(Array.from({ length: times }, () => values).flat());
        expect(inflateExactly(zlibSync(whole, { level }), whole.length)).toEqual(whole);
      }),
      { seed: 7, numRuns: 60 },
    );
  });

  it('stops at the declared size, whatever the stream holds', () => {
    const bomb = zlibSync(new Uint8Array(50_000_000));
    expect(bomb.length).toBeLessThan(60_000);
    const before = process.memoryUsage().arrayBuffers;
    expect(() => inflateExactly(bomb, 1000)).toThrow('gives more than the 1000 bytes that are declared');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1e6);
  });

  it('refuses a stream that is shorter than declared, cut or changed', () => {
    const stream = zlibSync(Uint8Array.from({ length: 500 }, (_, k) => (k * k) % 251));
    expect(() => inflateExactly(stream, 501)).toThrow('holds 500 bytes, but 501 are declared');
    for (let length = 0; length < stream.length - 8; length += 7) {
      expect(() => inflateExactly(stream.slice(0, length), 500)).toThrow(InputError);
    }
    for (let k = 0; k < stream.length - 4; k++) {
      const changed = stream.slice();
      changed[k] ^= 0x55;
      try {
        expect(inflateExactly(changed, 500)).toHaveLength(500);
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
      }
    }
  });
});
