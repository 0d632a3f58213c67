import type { MeshSequence } from '@pelt/model';
import { armScene, creatureScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { concatenateSequences } from '../../src/index.ts';

describe('concatenateSequences', () => {
  const part = (name: string, from: number, to: number): MeshSequence => {
    const { sequence } = creatureScene({ frames: 6 });
    const size = sequence.rest.positions.length;
    const times = sequence.times.slice(0, to - from);
    return { ...sequence, name, frames: sequence.frames.slice(from * size, to * size), times };
  };

  it('puts frames one behind the other, and gives each clip its own back', () => {
    const [walk, stop] = [part('walk', 0, 4), part('stop', 4, 6)];
    const { sequence, split } = concatenateSequences([walk, stop]);
    expect(sequence.frames).toEqual(Float32Array.of(...walk.frames, ...stop.frames));
    const transforms = Float64Array.from({ length: 6 * 12 }, (_, k) => k);
    const clips = split({ name: 'all', times: sequence.times, transforms });
    expect(clips.map(({ name }) => name)).toEqual(['walk', 'stop']);
    expect(clips[0].transforms).toEqual(transforms.slice(0, 48));
    expect(clips[1]).toEqual({ name: 'stop', times: stop.times, transforms: transforms.slice(48) });
  });

  it('is the sequence itself where there is one', () => {
    const only = part('only', 0, 3);
    expect(concatenateSequences([only]).sequence.frames).toEqual(only.frames);
  });

  it('names the clip that does not fit', () => {
    const walk = part('walk', 0, 2);
    expect(() => concatenateSequences([walk, { ...armScene({ frames: 2 }).sequence, name: 'arm' }])).toThrow(
      /clip 'arm' has \d+ vertices, clip 'walk' \d+/,
    );
    const flipped = { ...walk, name: 'flipped', rest: { ...walk.rest, triangles: walk.rest.triangles.toReversed() } };
    expect(() => concatenateSequences([walk, flipped])).toThrow(/'flipped' has different triangles/);
    expect(() => concatenateSequences([])).toThrow(/no sequences/);
  });
});
