import { InputError } from '@pelt/model';
import { expect, it } from 'vitest';
import { sequenceFromCache } from '../src/point-cache.ts';
import { tetrahedron } from './meshes.ts';

const CACHE = { name: 'run', points: 4, times: Float64Array.of(0), frames: new Float32Array(12) };

it('puts a cache on its mesh without copying either', () => {
  const rest = tetrahedron();
  const sequence = sequenceFromCache(rest, CACHE);
  expect(sequence.name).toBe('run');
  expect(sequence.rest).toBe(rest);
  expect(sequence.frames).toBe(CACHE.frames);
  expect(sequenceFromCache(rest, { ...CACHE, name: '' }).name).toBe('tetrahedron');
});

it('names both and their counts where they do not fit', () => {
  const run = () => sequenceFromCache(tetrahedron(), { ...CACHE, points: 5, frames: new Float32Array(15) });
  expect(run).toThrow(InputError);
  expect(run).toThrow("cache 'run' has 5 points, but mesh 'tetrahedron' has 4 vertices");
});
