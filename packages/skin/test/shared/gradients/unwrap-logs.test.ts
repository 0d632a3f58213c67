import { Random, rotationExp } from '@pelt/math';
import { describe, expect, it } from 'vitest';
import { LogUnwrapper } from '../../../src/shared/gradients/unwrap-logs.ts';
import type { EdgeGraph } from '../../../src/shared/mesh/edge-graph.ts';

/** Items in a row, each the neighbour of the next; `breaks` are those that are not joined to the one before. */
function row(count: number, breaks: readonly number[] = []): EdgeGraph {
  const lists = Array.from({ length: count }, (_, i) =>
    [i - 1, i + 1].filter((j) => j >= 0 && j < count && !breaks.includes(Math.max(i, j))),
  );
  const starts = new Int32Array(count + 1);
  lists.forEach((list, i) => {
    starts[i + 1] = starts[i] + list.length;
  });
  return { starts, neighbours: Int32Array.from(lists.flat()) };
}

function rotationsOf(logs: Float64Array): Float64Array {
  const rotations = new Float64Array(3 * logs.length);
  for (let i = 0; 3 * i < logs.length; i++) rotationExp(logs, 3 * i, rotations, 9 * i);
  return rotations;
}

function farthest(a: Float64Array, b: Float64Array): number {
  return a.reduce((most, value, k) => Math.max(most, Math.abs(value - b[k])), 0);
}

/** A rod whose items turn about nearly one axis, from nothing to `turns` whole turns at its end. */
function twistedRod(count: number, turns: number): Float64Array {
  const logs = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    const angle = (2 * Math.PI * turns * i) / (count - 1);
    const tilt = 0.1 * Math.sin(i / 5);
    logs.set([angle * Math.cos(tilt), angle * Math.sin(tilt), 0], 3 * i);
  }
  return logs;
}

describe('unwrapped logarithms', () => {
  it('of rotations that do not turn are zero', () => {
    expect(Array.from(new LogUnwrapper(row(3)).unwrap(rotationsOf(new Float64Array(9))))).toEqual(Array(9).fill(0));
  });

  it('carry an angle on beyond half a turn', () => {
    // 0°, 120°, 240°: the principal logarithm of the last one would be −120°.
    const logs = Float64Array.of(0, 0, 0, 0, 0, (2 * Math.PI) / 3, 0, 0, (4 * Math.PI) / 3);
    expect(farthest(new LogUnwrapper(row(3)).unwrap(rotationsOf(logs)), logs)).toBeLessThan(1e-14);
  });

  it('follow a rod that is twisted by nearly three turns', () => {
    const logs = twistedRod(60, 2.9);
    expect(farthest(new LogUnwrapper(row(60)).unwrap(rotationsOf(logs)), logs)).toBeLessThan(1e-9);
  });

  it('begin where the least is turned, whatever the order of the items', () => {
    const logs = twistedRod(40, 1.9);
    const reversed = new Float64Array(logs.length);
    for (let i = 0; i < 40; i++) reversed.set(logs.subarray(3 * i, 3 * i + 3), 3 * (39 - i));
    expect(farthest(new LogUnwrapper(row(40)).unwrap(rotationsOf(reversed)), reversed)).toBeLessThan(1e-9);
  });

  it('let a noisy item decide for itself alone', () => {
    // A strip of two rows of items with cross-links; one item in the middle is turned by a random rotation.
    const [length, noisy] = [30, 14];
    const id = (i: number, side: number) => 2 * i + side;
    const lists = Array.from({ length: 2 * length }, (_, k) => {
      const [i, side] = [Math.floor(k / 2), k % 2];
      return [id(i - 1, side), id(i, 1 - side), id(i + 1, side)]
        .filter((j) => j >= 0 && j < 2 * length)
        .sort((a, b) => a - b);
    });
    const starts = new Int32Array(2 * length + 1);
    lists.forEach((list, i) => {
      starts[i + 1] = starts[i] + list.length;
    });
    const rod = twistedRod(length, 1.5);
    const logs = new Float64Array(6 * length);
    for (let k = 0; k < 2 * length; k++) logs.set(rod.subarray(3 * (k >> 1), 3 * (k >> 1) + 3), 3 * k);
    const rotations = rotationsOf(logs);
    rotationExp([1, -2, 1.5], 0, rotations, 9 * noisy);
    const found = new LogUnwrapper({ starts, neighbours: Int32Array.from(lists.flat()) }).unwrap(rotations);
    found.set(logs.subarray(3 * noisy, 3 * noisy + 3), 3 * noisy);
    expect(farthest(found, logs)).toBeLessThan(1e-9);
  });

  it('follow a body through whole turns over time, each part of it', () => {
    const unwrapper = new LogUnwrapper(row(20, [8]));
    let previous: Float64Array | undefined;
    for (let t = 0; t <= 100; t++) {
      const turned = Float64Array.from({ length: 60 }, (_, k) =>
        k % 3 === 1 ? 0.25 * t + 0.02 * Math.floor(k / 3) : 0,
      );
      const found = unwrapper.unwrap(rotationsOf(turned), previous);
      expect(farthest(found, turned)).toBeLessThan(1e-9);
      previous = found;
    }
    expect(previous?.[1]).toBeCloseTo(25, 6);
  });

  it('always give the rotations back, and the same numbers every time', () => {
    const random = new Random(11);
    const logs = Float64Array.from({ length: 300 }, () => random.uniform(-6, 6));
    const rotations = rotationsOf(logs);
    const unwrapper = new LogUnwrapper(row(100, [30, 31]));
    const found = unwrapper.unwrap(rotations);
    expect(farthest(rotationsOf(found), rotations)).toBeLessThan(1e-12);
    expect(unwrapper.unwrap(rotations)).toEqual(found);
  });

  it('of nothing are nothing', () => {
    expect(new LogUnwrapper(row(0)).unwrap(new Float64Array(0)).length).toBe(0);
  });
});
