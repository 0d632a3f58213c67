import { describe, expect, it } from 'vitest';
import { frameReader, type MeshSequence, uniformTimes, weldFrames, weldSequence } from '../src/index.ts';

/** Points of a small grid, so that many coincide at rest; some of these part in a later frame. */
function crowded(n: number, S: number, cells: number, seed: number): MeshSequence {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const positions = Float32Array.from({ length: 3 * n }, () => Math.floor(cells * random()));
  const frames = Float32Array.from({ length: S * 3 * n }, (_, k) => {
    const own = positions[k % (3 * n)] + Math.floor(k / (3 * n));
    return random() < 0.02 ? own + 1 : own;
  });
  const triangles = Uint32Array.from({ length: 3 * n }, () => Math.floor(n * random()));
  return { name: 'crowd', rest: { name: 'crowd', positions, triangles }, frames, times: uniformTimes(S, 24) };
}

describe('weldFrames', () => {
  it.each([1, 2, 3, 4])('merges what weldSequence merges (seed %i)', (seed) => {
    for (const cells of [1, 3, 40]) {
      const sequence = crowded(200, 4, cells, seed);
      const expected = weldSequence(sequence);
      const { map, first, triangles } = weldFrames(frameReader(sequence));
      expect(map).toEqual(expected.map);
      expect(first).toEqual(expected.first);
      expect(triangles).toEqual(expected.sequence.rest.triangles);
    }
  });

  it('reads no frame where nothing coincides at rest', () => {
    const { rest, times } = crowded(1, 3, 10, 1);
    const readFrame = () => {
      throw new Error('read');
    };
    expect([...weldFrames({ rest, times, readFrame }).first]).toEqual([0]);
  });

  it('takes 0 and −0 for one place, and an empty mesh', () => {
    const positions = Float32Array.of(0, 0, 0, -0, 0, 0);
    const rest = { name: '', positions, triangles: new Uint32Array(0) };
    const times = uniformTimes(1, 24);
    expect([...weldFrames(frameReader({ name: '', rest, frames: positions, times })).map]).toEqual([0, 0]);
    const empty = { ...rest, positions: new Float32Array(0) };
    expect(weldFrames(frameReader({ name: '', rest: empty, frames: positions.slice(6), times })).map.length).toBe(0);
  });
});
