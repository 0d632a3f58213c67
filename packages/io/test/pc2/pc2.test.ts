import { readFileSync } from 'node:fs';
import { InputError, UnsupportedError, UsageError, validateMeshSequence, vertexCount } from '@pelt/model';
import { realData } from '@pelt/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readObj } from '../../src/obj/read-obj.ts';
import { readPc2, writePc2 } from '../../src/pc2/pc2.ts';
import { sequenceFromCache } from '../../src/point-cache.ts';
import { bytesOf, coordinate, tetrahedronSequence } from '../meshes.ts';

/** A file by hand: header fields, then values. */
function pc2(fields: { version?: number; points?: number; step?: number; samples?: number }, values: number[]) {
  const { version = 1, points = 1, step = 1, samples = 1 } = fields;
  const view = new DataView(new ArrayBuffer(32 + values.length * 4));
  bytesOf('POINTCACHE2\0').forEach((byte, k) => {
    view.setUint8(k, byte);
  });
  view.setInt32(12, version, true);
  view.setInt32(16, points, true);
  view.setFloat32(20, 5, true);
  view.setFloat32(24, step, true);
  view.setInt32(28, samples, true);
  values.forEach((value, k) => {
    view.setFloat32(32 + k * 4, value, true);
  });
  return new Uint8Array(view.buffer);
}

describe('PC2', () => {
  it('reads points, and times from the rate', () => {
    const cache = readPc2(pc2({ points: 1, samples: 3, step: 2 }, [1, 2, 3, 4, 5, 6, 7, 8, 9]), {
      name: 'a/run.pc2',
      fps: 10,
    });
    expect(cache).toEqual({
      name: 'run',
      points: 1,
      times: Float64Array.of(0, 0.2, 0.4),
      frames: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9),
    });
  });

  it('gives every sequence back', () => {
    const frames = fc.array(coordinate, { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(frames, { minLength: 1, maxLength: 6 }), fc.constantFrom(24, 30, 60), (all, fps) => {
        const times = all.map((_, t) => t / fps);
        const sequence = tetrahedronSequence(times, Float32Array.from(all.flat()));
        const back = sequenceFromCache(sequence.rest, readPc2(writePc2(sequence, { fps }), { fps }));
        validateMeshSequence(back);
        expect(back.frames).toEqual(sequence.frames);
        back.times.forEach((time, t) => {
          expect(time).toBeCloseTo(times[t], 6);
        });
      }),
    );
  });

  it('tells that uneven times are lost', () => {
    const warnings: string[] = [];
    const onWarning = (message: string) => warnings.push(message);
    writePc2(tetrahedronSequence([0, 1, 2], new Float32Array(36)), { onWarning });
    expect(warnings).toEqual([]);
    writePc2(tetrahedronSequence([0, 1, 3], new Float32Array(36)), { onWarning });
    expect(warnings).toEqual(['PC2: the frames are not evenly spaced in time; the format keeps their mean rate only']);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('takes the rate of frames where the step is %d', (step) => {
    const warnings: string[] = [];
    const cache = readPc2(pc2({ samples: 2, step }, [0, 0, 0, 1, 1, 1]), {
      fps: 10,
      onWarning: (message) => warnings.push(message),
    });
    expect([...cache.times]).toEqual([0, 0.1]);
    expect(warnings).toEqual(['PC2 file: the times of the frames do not increase; 10 frames a second are taken']);
  });

  it('takes one frame of one point, and tells of bytes that are too many', () => {
    const warnings: string[] = [];
    const cache = readPc2(pc2({}, [1, 2, 3, 4]), { onWarning: (message) => warnings.push(message) });
    expect([...cache.frames]).toEqual([1, 2, 3]);
    expect(warnings).toEqual(['PC2 file: 4 bytes behind the last frame are not read']);
  });

  it.each([
    ['another file', bytesOf('POINTCACHE3\0'.padEnd(40)), InputError, 'does not begin with POINTCACHE2'],
    ['nothing', new Uint8Array(0), InputError, "'signature' needs 12 bytes at byte 0, but 0 are left"],
    ['version 2', pc2({ version: 2 }, [1, 2, 3]), UnsupportedError, 'version 2, only 1 is known'],
    ['no points', pc2({ points: 0 }, []), InputError, "'points' is 0"],
    ['2^32 − 1 points', pc2({ points: -1 }, []), InputError, "'points' is -1"],
    ['no samples', pc2({ samples: 0 }, []), InputError, "'samples' is 0"],
    ['2^31 samples', pc2({ samples: 2 ** 31 - 1 }, [1, 2, 3]), InputError, "'samples' is 2147483647"],
    ['both', pc2({ points: 2 ** 31 - 1, samples: 2 ** 31 - 1 }, [1, 2, 3]), InputError, 'but 12 are left'],
    [
      'a frame too few',
      pc2({ samples: 2 }, [1, 2, 3]),
      InputError,
      "'samples' is 2, which needs 24 bytes, but 12 are left",
    ],
    ['NaN', pc2({ samples: 2 }, [1, 2, 3, 4, Number.NaN, 6]), InputError, 'point 0 of frame 1 has the coordinate NaN'],
    [
      'infinity',
      pc2({ points: 2 }, [1, 2, 3, 4, 5, -1 / 0]),
      InputError,
      'point 1 of frame 0 has the coordinate -Infinity',
    ],
  ])('refuses %s', (_, bytes, kind, message) => {
    expect(() => readPc2(bytes)).toThrow(kind);
    expect(() => readPc2(bytes)).toThrow(message);
  });

  it.each([0, -1, Number.NaN])('refuses %d frames a second', (fps) => {
    expect(() => readPc2(pc2({}, [1, 2, 3]), { fps })).toThrow(UsageError);
    expect(() => writePc2(tetrahedronSequence([0], new Float32Array(12)), { fps })).toThrow(UsageError);
  });

  it.skipIf(!realData('horse-gallop/clip.pc2'))('reads a real clip, and writes the same bytes', () => {
    const bytes = readFileSync(realData('horse-gallop/clip.pc2') ?? '');
    const rest = readObj(readFileSync(realData('horse-gallop/rest.obj') ?? ''), { name: 'rest.obj' });
    const sequence = sequenceFromCache(rest, readPc2(bytes, { name: 'clip.pc2' }));
    validateMeshSequence(sequence);
    expect([vertexCount(rest), sequence.times.length]).toEqual([8431, 48]);
    expect(Buffer.compare(writePc2(sequence), bytes)).toBe(0);
  });
});
