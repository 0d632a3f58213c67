import { describe, expect, it } from 'vitest';
import { acyclic, cyclic, meshObject, OP, readScene, TRIANGLE, uniform, xformObject } from './scene.ts';

/** A triangle whose points are all (x, x, x) in sample x. */
const moving = (samples: readonly number[], sampling = 1) =>
  meshObject('m', { ...TRIANGLE, sampling, points: samples.map((x) => new Array(9).fill(x)) });

/** The first coordinate of each frame. */
const xs = ({ frames, times }: { frames: Float32Array; times: Float64Array }) =>
  Array.from(times, (_, t) => frames[(t * frames.length) / times.length]);

describe('times of an Alembic archive', () => {
  it('may be acyclic', () => {
    const sequence = readScene([moving([1, 2, 3])], {}, [acyclic(5, 5.5, 7)]);
    expect([...sequence.times]).toEqual([0, 0.5, 2]);
    expect(xs(sequence)).toEqual([1, 2, 3]);
  });

  it('may be cyclic', () => {
    const sequence = readScene([moving([1, 2, 3, 4])], {}, [cyclic(1, -0.25, 0.25)]);
    expect([...sequence.times]).toEqual([0, 0.5, 1, 1.5]);
    expect(xs(sequence)).toEqual([1, 2, 3, 4]);
  });

  it('is that of all samples of everything that moves, with points interpolated between', () => {
    const scene = xformObject(
      'x',
      {
        ops: [OP.translate],
        values: [
          [0, 0, 0],
          [0, 10, 0],
        ],
        sampling: 2,
      },
      [moving([0, 2, 4])],
    );
    const { times, frames } = readScene([scene], {}, [uniform(1), acyclic(0, 1.5)]);
    expect([...times]).toEqual([0, 1, 1.5, 2]);
    expect(Array.from(times, (_, t) => [...frames.subarray(9 * t, 9 * t + 2)])).toEqual([
      [0, 0],
      [2, expect.closeTo(2 + 10 / 1.5, 5)],
      [3, 13],
      [4, 14],
    ]);
  });

  it('takes times that differ by rounding as one', () => {
    const scene = xformObject(
      'x',
      {
        ops: [OP.translate],
        values: [
          [0, 0, 0],
          [1, 0, 0],
        ],
        sampling: 2,
      },
      [moving([0, 2])],
    );
    const { times } = readScene([scene], {}, [uniform(24), acyclic(1e-9, 0.0416666667)]);
    expect(times.length).toBe(2);
  });

  it('may be another, at a rate', () => {
    const sequence = readScene([moving([0, 1, 2])], { fps: 48 });
    expect([...sequence.times].map((time) => Math.round(time * 48))).toEqual([0, 1, 2, 3, 4]);
    expect(xs(sequence)).toEqual([0, expect.closeTo(0.5, 6), 1, expect.closeTo(1.5, 6), 2]);
    expect(xs(readScene([moving([0, 1, 2])], { fps: 12 }))).toEqual([0, 2]);
  });

  it('may hold a mesh before it starts and after it ends', () => {
    const late = xformObject(
      'x',
      {
        ops: [OP.translate],
        values: [
          [0, 0, 0],
          [0, 1, 0],
        ],
        sampling: 2,
      },
      [meshObject('a', TRIANGLE)],
    );
    const sequence = readScene([moving([1, 2]), late], {}, [uniform(1), uniform(1, 5)]);
    expect([...sequence.times]).toEqual([0, 1, 5, 6]);
    expect(xs(sequence)).toEqual([1, 2, 2, 2]);
  });
});
