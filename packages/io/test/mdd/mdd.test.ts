import { readFileSync } from 'node:fs';
import { InputError, validateMeshSequence } from '@pelt/model';
import { realData } from '@pelt/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMdd, writeMdd } from '../../src/mdd/mdd.ts';
import { sequenceFromCache } from '../../src/point-cache.ts';
import { coordinate, tetrahedronSequence } from '../meshes.ts';

/** A file by hand: both counts, then times and coordinates. */
function mdd(frames: number, points: number, values: number[]) {
  const view = new DataView(new ArrayBuffer(8 + values.length * 4));
  view.setInt32(0, frames);
  view.setInt32(4, points);
  values.forEach((value, k) => {
    view.setFloat32(8 + k * 4, value);
  });
  return new Uint8Array(view.buffer);
}

function read(bytes: Uint8Array) {
  const warnings: string[] = [];
  return { cache: readMdd(bytes, { onWarning: (message) => warnings.push(message) }), warnings };
}

describe('MDD', () => {
  it('reads times and points', () => {
    const { cache, warnings } = read(mdd(2, 1, [0, 0.5, 1, 2, 3, 4, 5, 6]));
    expect(cache).toEqual({
      name: '',
      points: 1,
      times: Float64Array.of(0, 0.5),
      frames: Float32Array.of(1, 2, 3, 4, 5, 6),
    });
    expect(warnings).toEqual([]);
  });

  it('gives every sequence back', () => {
    const frames = fc.array(coordinate, { minLength: 12, maxLength: 12 });
    const steps = fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(frames, { minLength: 1, maxLength: 6 }), steps, (all, gaps) => {
        // Sums of 64ths: exact in float32.
        const times = all.map((_, t) => gaps.slice(0, t).reduce((sum, gap) => sum + gap / 64, 0));
        const sequence = tetrahedronSequence(times, Float32Array.from(all.flat()));
        const back = sequenceFromCache(sequence.rest, readMdd(writeMdd(sequence)));
        validateMeshSequence(back);
        expect([back.frames, back.times]).toEqual([sequence.frames, sequence.times]);
      }),
    );
  });

  it('starts at 0, wherever the file starts', () => {
    expect([...read(mdd(2, 1, [-2, -1, 0, 0, 0, 0, 0, 0])).cache.times]).toEqual([0, 1]);
  });

  it.each([[[0, 0]], [[1, 0]], [[0, Number.NaN]], [[Number.NaN, 1]], [[0, Number.POSITIVE_INFINITY]]])(
    'spaces frames evenly where their times are %j',
    (times) => {
      const { cache, warnings } = read(mdd(2, 1, [...times, 0, 0, 0, 1, 1, 1]));
      expect([...cache.times]).toEqual([0, 1 / 24]);
      expect(warnings).toEqual(['MDD file: the times of the frames do not increase; 24 frames a second are taken']);
    },
  );

  it.each([
    ['nothing', new Uint8Array(0), "'frames' needs 4 bytes at byte 0, but 0 are left"],
    ['no frames', mdd(0, 1, []), "'frames' is 0"],
    ['negative frames', mdd(-1, 1, []), "'frames' is -1"],
    ['no points', mdd(1, 0, [0]), "'points' is 0"],
    ['2^31 frames', mdd(2 ** 31 - 1, 1, [0, 1, 2, 3]), "'frames' is 2147483647"],
    ['2^31 of both', mdd(2 ** 31 - 1, 2 ** 31 - 1, [0, 1, 2, 3]), 'but 16 are left'],
    ['a frame too few', mdd(2, 1, [0, 1, 1, 2, 3]), "'frames' is 2, which needs 32 bytes, but 20 are left"],
    ['NaN', mdd(1, 2, [0, 1, 2, 3, 4, 5, Number.NaN]), 'point 1 of frame 0 has the coordinate NaN'],
  ])('refuses %s', (_, bytes, message) => {
    expect(() => readMdd(bytes)).toThrow(InputError);
    expect(() => readMdd(bytes)).toThrow(message);
  });

  it.skipIf(!realData('caches/cube.mdd'))('reads a real cube: 24 corners of a unit box, four frames', () => {
    const bytes = readFileSync(realData('caches/cube.mdd') ?? '');
    const { cache, warnings } = read(bytes);
    expect([cache.points, ...cache.times]).toEqual([24, 0, 1, 2, 3]);
    for (const value of cache.frames.subarray(0, 72)) expect(Math.abs(value)).toBe(0.5);
    expect(warnings).toEqual([]);
  });
});
