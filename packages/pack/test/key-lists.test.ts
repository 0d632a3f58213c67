import type { GltfChannel } from '@pelt/io/internal';
import { describe, expect, it } from 'vitest';
import { everyNth, keyLists } from '../src/key-lists.ts';

function channel(path: GltfChannel['path'], rows: readonly number[][], interpolation: 'LINEAR' | 'STEP' = 'LINEAR') {
  const times = Float32Array.from(rows, (_, t) => t / 30);
  return { node: 0, path, interpolation, size: rows[0].length, times, values: Float32Array.from(rows.flat()) };
}

/** The lists that are not even. */
function chosen(rows: readonly number[][], path: GltfChannel['path'] = 'translation', unit = 1) {
  const lists = keyLists([{ channel: channel(path, rows), unit }]);
  const even = new Set([1, 2, 3, 4, 6, 8, 12, 16, 24, 32].map((r) => String(everyNth(rows.length, r))));
  return lists.filter(({ frames }) => !even.has(String(frames))).map(({ frames }) => frames);
}

describe('keyLists', () => {
  it('has all keys first, and the ends in every list', () => {
    const rows = Array.from({ length: 20 }, (_, t) => [Math.sin(t), 0, 0]);
    const lists = keyLists([{ channel: channel('translation', rows), unit: 1 }]);
    expect(lists[0].frames).toEqual(Array.from({ length: 20 }, (_, t) => t));
    for (const { frames } of lists) {
      expect([frames[0], frames[frames.length - 1]]).toEqual([0, 19]);
      expect(frames.every((t, k) => k === 0 || t > frames[k - 1])).toBe(true);
    }
  });

  it('keeps the corners of a broken line', () => {
    const rows = Array.from({ length: 33 }, (_, t) => [Math.max(0, t - 11) - 3 * Math.max(0, t - 20), 0, 0]);
    const shortest = chosen(rows).filter((frames) => frames.length >= 4);
    for (const frames of shortest) expect(frames).toEqual(expect.arrayContaining([0, 11, 20, 32]));
    expect(shortest.length).toBeGreaterThan(0);
  });

  it('does not mind the signs of quaternions', () => {
    const turn = (t: number) => [Math.sin(t < 9 ? 0 : 0.1 * (t - 9)), 0, 0, Math.cos(t < 9 ? 0 : 0.1 * (t - 9))];
    const rows = Array.from({ length: 24 }, (_, t) => turn(t));
    const flipped = rows.map((row, t) => (t % 2 ? row.map((x) => -x) : row));
    expect(chosen(flipped, 'rotation')).toEqual(chosen(rows, 'rotation'));
  });

  it('weighs channels by what they move', () => {
    const bend = (at: number) =>
      channel(
        'translation',
        Array.from({ length: 12 }, (_, t) => [Math.max(0, t - at), 0, 0]),
      );
    const lists = keyLists([
      { channel: bend(3), unit: 1 },
      { channel: bend(7), unit: 1e-6 },
    ]);
    const three = lists.filter(({ frames }) => frames.length === 3).map(({ frames }) => frames[1]);
    expect(three).toContain(3);
    expect(three).not.toContain(7);
  });

  it('has even lists alone for steps, for what moves nothing, and for a few keys', () => {
    const rows = Array.from({ length: 9 }, (_, t) => [t * t, 0, 0]);
    expect(keyLists([{ channel: channel('translation', rows, 'STEP'), unit: 1 }])).toHaveLength(6);
    expect(chosen(rows, 'translation', 0)).toEqual([]);
    expect(keyLists([{ channel: channel('translation', [[1, 2, 3]]), unit: 1 }]).map(({ frames }) => frames)).toEqual([
      [0],
    ]);
  });
});
