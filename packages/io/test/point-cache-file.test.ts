import { InputError, UsageError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../src/byte-source.ts';
import { openMdd, writeMdd } from '../src/mdd/mdd.ts';
import { openPc2, writePc2 } from '../src/pc2/pc2.ts';
import { animationFromCache } from '../src/point-cache-file.ts';
import { tetrahedronSequence } from './meshes.ts';

const S = 5;
const sequence = tetrahedronSequence(
  Array.from({ length: S }, (_, t) => t / 24),
  Float32Array.from({ length: S * 12 }, (_, k) => Math.fround(k / 7 - 3)),
);
const frame = (t: number) => sequence.frames.slice(12 * t, 12 * t + 12);

/** Keeps what is read; fills the room that is offered, or gives bytes of its own at any alignment. */
class Watched implements ByteSource {
  readonly ranges: [number, number][] = [];
  readonly #bytes: Uint8Array;
  readonly #fills: boolean;
  readonly size: number;

  constructor(bytes: Uint8Array, fills: boolean, size = bytes.length) {
    this.#bytes = bytes;
    this.#fills = fills;
    this.size = size;
  }

  read(from: number, count: number, into?: Uint8Array): Uint8Array {
    this.ranges.push([from, count]);
    if (from + count > this.size) throw new Error('read beyond the end');
    const found = this.#bytes.subarray(from % this.#bytes.length, (from % this.#bytes.length) + count);
    if (!this.#fills || !into) return Uint8Array.of(0, ...found).subarray(1);
    into.set(found);
    return into;
  }
}

describe.each([
  ['PC2', openPc2, writePc2(sequence), 32],
  ['MDD', openMdd, writeMdd(sequence), 8 + 4 * S],
] as const)('a %s that is opened', (_, open, bytes, start) => {
  it.each([true, false])('gives any frame, or vertices of it, and reads no other (room is filled: %s)', (fills) => {
    const source = new Watched(bytes, fills);
    const cache = open(source);
    expect([cache.points, cache.times.length]).toEqual([4, S]);
    source.ranges.length = 0;
    const out = new Float32Array(12);
    for (const t of [3, 0, 4]) {
      cache.readFrame(t, out);
      expect(out).toEqual(frame(t));
    }
    const some = new Float32Array(6);
    cache.readFrame(2, some, [3, 0]);
    expect([...some]).toEqual([...frame(2).subarray(9), ...frame(2).subarray(0, 3)]);
    expect(source.ranges).toEqual([3, 0, 4, 2].map((t) => [start + 48 * t, 48]));
  });

  it('reads the range that holds the vertices, where they increase', () => {
    const source = new Watched(bytes, true);
    const cache = open(source);
    source.ranges.length = 0;
    const some = new Float32Array(6);
    cache.readFrame(2, some, [1, 3]);
    expect([...some]).toEqual([...frame(2).subarray(3, 6), ...frame(2).subarray(9)]);
    expect(source.ranges).toEqual([[start + 48 * 2 + 12, 36]]);
  });

  it('refuses frames and vertices that are not there', () => {
    const cache = open(new Watched(bytes, true));
    const out = new Float32Array(12);
    expect(() => cache.readFrame(S, out)).toThrow(UsageError);
    expect(() => cache.readFrame(0, out.subarray(3))).toThrow('out has 9 numbers, expected 12');
    expect(() => cache.readFrame(0, out.subarray(9), [4])).toThrow('there is no vertex 4');
  });

  it('names the frame of a coordinate that is not finite when it is read', () => {
    const damaged = bytes.slice();
    damaged.fill(0xff, start + 2 * 48 + 16, start + 2 * 48 + 20);
    const cache = open(new Watched(damaged, true), { name: 'a' });
    cache.readFrame(1, new Float32Array(12));
    expect(() => cache.readFrame(2, new Float32Array(12))).toThrow(InputError);
    expect(() => cache.readFrame(2, new Float32Array(12))).toThrow(/'a': point 1 of frame 2 has the coordinate NaN/);
  });

  it('is an animation of its mesh alone', () => {
    const cache = open(new Watched(bytes, true));
    expect(animationFromCache(sequence.rest, cache).times).toBe(cache.times);
    const other = { ...sequence.rest, positions: new Float32Array(9) };
    expect(() => animationFromCache(other, cache)).toThrow('has 4 points, but mesh');
  });
});

it('reads ranges apart where vertices are far from each other', () => {
  const points = 10_000;
  const positions = Float32Array.from({ length: 3 * points }, (_, k) => k);
  const many = { ...sequence, rest: { ...sequence.rest, positions }, frames: positions, times: Float64Array.of(0) };
  const source = new Watched(writePc2(many), true);
  const cache = openPc2(source);
  source.ranges.length = 0;
  const vertices = [7, 9, 5000, 9999];
  const some = new Float32Array(12);
  cache.readFrame(0, some, vertices);
  expect([...some]).toEqual(vertices.flatMap((i) => [3 * i, 3 * i + 1, 3 * i + 2]));
  expect(source.ranges).toEqual([
    [32 + 12 * 7, 36],
    [32 + 12 * 5000, 12],
    [32 + 12 * 9999, 12],
  ]);
});

it('finds frames behind 4 GiB', () => {
  // A header that promises 2 ** 20 frames of 1000 points, over a source that repeats its few bytes.
  const points = 1000;
  const head = writePc2(sequence).slice(0, 32);
  new DataView(head.buffer).setInt32(16, points, true);
  new DataView(head.buffer).setInt32(28, 2 ** 20, true);
  const frames = Float32Array.from({ length: points * 3 }, (_, k) => k);
  const size = 32 + 2 ** 20 * points * 12;
  const ranges: number[] = [];
  const cache = openPc2({
    size,
    read: (from, count) => {
      ranges.push(from);
      return from === 0 ? head : new Uint8Array(frames.buffer).subarray(0, count);
    },
  });
  const out = new Float32Array(points * 3);
  cache.readFrame(2 ** 20 - 1, out);
  expect(ranges.at(-1)).toBe(size - points * 12);
  expect(out).toEqual(frames);
});
