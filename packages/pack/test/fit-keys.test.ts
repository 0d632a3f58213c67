import type { GltfChannel } from '@pelt/io/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitKeys } from '../src/fit-keys.ts';

function channel(path: GltfChannel['path'], rows: readonly (readonly number[])[], times?: readonly number[]) {
  return {
    node: 0,
    path,
    interpolation: 'LINEAR',
    size: rows[0].length,
    times: Float32Array.from(times ?? rows.map((_, t) => t / 30)),
    values: Float32Array.from(rows.flat()),
  } as const;
}

/** Σ of squared differences between a curve and what is linear between keys. */
function squares({ times, values, size }: GltfChannel, frames: readonly number[], keys: ArrayLike<number>): number {
  let sum = 0;
  for (let k = 0; k + 1 < frames.length; k++) {
    const [a, b] = [frames[k], frames[k + 1]];
    for (let t = a; t < b; t++) {
      const u = (times[t] - times[a]) / (times[b] - times[a]);
      for (let c = 0; c < size; c++) {
        sum += (values[t * size + c] - (1 - u) * keys[k * size + c] - u * keys[(k + 1) * size + c]) ** 2;
      }
    }
  }
  return sum;
}

function valuesAt({ values, size }: GltfChannel, frames: readonly number[]): Float32Array {
  return Float32Array.from(frames.flatMap((t) => [...values.subarray(t * size, (t + 1) * size)]));
}

const curves = fc
  .record({
    rows: fc.array(fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.double({ min: -1, max: 1, noNaN: true })), {
      minLength: 4,
      maxLength: 24,
    }),
    kept: fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }),
    gaps: fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 24, maxLength: 24 }),
  })
  .map(({ rows, kept, gaps }) => {
    let time = 0;
    const times = rows.map((_, t) => {
      time += gaps[t];
      return time;
    });
    const frames = rows.map((_, t) => t).filter((t) => t === 0 || t === rows.length - 1 || kept[t]);
    return { channel: channel('translation', rows, times), frames };
  });

describe('fitKeys', () => {
  it('leaves the values where all keys stay, and where only the ends do', () => {
    const rows = [
      [1, 5],
      [2, -1],
      [4, 0],
      [3, 3],
    ] as const;
    const own = channel('scale', rows);
    expect(fitKeys(own, [0, 1, 2, 3])).toEqual(own.values);
    expect(fitKeys(own, [0, 3])).toEqual(Float32Array.of(1, 5, 3, 3));
    expect(fitKeys(channel('scale', [[7, 8]]), [0])).toEqual(Float32Array.of(7, 8));
  });

  it('fits the middle of a bump by hand', () => {
    // 0 ½ 1 ½ 0 are the key's shares of five frames; Σ u² y = Σ u x gives y = 2.5 / 1.5.
    const own = channel('translation', [[0], [2], [0.5], [2], [0]]);
    expect(fitKeys(own, [0, 2, 4])[1]).toBeCloseTo(2.5 / 1.5, 6);
  });

  it('gives back a broken line from its corners', () => {
    const corners = [0, 7, 11, 20];
    const rows = Array.from({ length: 21 }, (_, t) => [t - 3 * Math.max(0, t - 7) + 5 * Math.max(0, t - 11), 1]);
    const own = channel('translation', rows);
    const [fitted, exact] = [fitKeys(own, corners), valuesAt(own, corners)];
    fitted.forEach((value, k) => {
      expect(value).toBeCloseTo(exact[k], 5);
    });
  });

  it('has the least error of all values with these ends', () => {
    fc.assert(
      fc.property(curves, fc.integer({ min: 0, max: 1000 }), ({ channel: own, frames }, chosen) => {
        const fitted = Float64Array.from(fitKeys(own, frames));
        const least = squares(own, frames, fitted);
        expect(least).toBeLessThanOrEqual(squares(own, frames, valuesAt(own, frames)) + 1e-6);
        if (frames.length < 3) return;
        const k = 2 + (chosen % (2 * frames.length - 4));
        for (const step of [-1e-2, 1e-2]) {
          const other = fitted.slice();
          other[k] += step;
          expect(squares(own, frames, other)).toBeGreaterThan(least);
        }
        // The ends, to the bit.
        expect([fitted[0], fitted[fitted.length - 1]]).toEqual([own.values[0], own.values[own.values.length - 1]]);
      }),
      { numRuns: 200, seed: 5 },
    );
  });

  it('has 1/√6 of the error of chords on a smooth curve', () => {
    const own = channel(
      'translation',
      Array.from({ length: 401 }, (_, t) => [Math.sin(t / 40)]),
    );
    const frames = Array.from({ length: 41 }, (_, k) => 10 * k);
    const ratio = Math.sqrt(squares(own, frames, fitKeys(own, frames)) / squares(own, frames, valuesAt(own, frames)));
    expect(ratio).toBeCloseTo(1 / Math.sqrt(6), 1);
  });

  it('fits rotations as unit quaternions, whatever their signs and lengths', () => {
    const turn = (t: number) => [Math.sin(0.02 * t * t), 0, 0, Math.cos(0.02 * t * t)];
    const rows = Array.from({ length: 13 }, (_, t) => turn(t));
    const strange = rows.map((row, t) => row.map((x) => (t % 3 ? -2 : 1) * x));
    const frames = [0, 3, 6, 9, 12];
    const [fitted, other] = [rows, strange].map((own) => fitKeys(channel('rotation', own), frames));
    for (let k = 0; k < fitted.length; k += 4) {
      expect(Math.hypot(...fitted.subarray(k, k + 4))).toBeCloseTo(1, 6);
      const dot = fitted.subarray(k, k + 4).reduce((sum, x, c) => sum + x * other[k + c], 0);
      expect(dot).toBeCloseTo(1, 6);
    }
  });

  it('keeps quaternions of length 0 finite', () => {
    const rows = Array.from({ length: 6 }, () => [0, 0, 0, 0]);
    expect([...fitKeys(channel('rotation', rows), [0, 2, 5])].every((value) => value === 0)).toBe(true);
  });
});
