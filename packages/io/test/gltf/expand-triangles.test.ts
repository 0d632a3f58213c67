import { InputError } from '@pelt/model';
import { expect, it } from 'vitest';
import { expandTriangles, TRIANGLE_FAN, TRIANGLE_STRIP, TRIANGLES } from '../../src/gltf/expand-triangles.ts';

const expand = (mode: number, corners: number[], vertices = 10) => [
  ...expandTriangles(mode, corners, vertices, 'here'),
];

it('leaves triangles alone', () => {
  expect(expand(TRIANGLES, [0, 1, 2, 3, 4, 5])).toEqual([0, 1, 2, 3, 4, 5]);
});

it('turns every second triangle of a strip', () => {
  expect(expand(TRIANGLE_STRIP, [0, 1, 2, 3, 4])).toEqual([0, 1, 2, 1, 3, 2, 2, 3, 4]);
});

it('opens a fan about its first corner', () => {
  expect(expand(TRIANGLE_FAN, [0, 1, 2, 3])).toEqual([1, 2, 0, 2, 3, 0]);
});

it('leaves out the joints of a strip, and keeps the sides of what follows', () => {
  // 2, 3, 3, 4, 4 is the way from one strip to the next.
  expect(expand(TRIANGLE_STRIP, [0, 1, 2, 2, 3, 3, 4, 5])).toEqual([0, 1, 2, 3, 5, 4]);
});

it('ignores corners that make no triangle', () => {
  expect(expand(TRIANGLES, [0, 1, 2, 3])).toEqual([0, 1, 2]);
  for (const mode of [TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN]) expect(expand(mode, [0, 1])).toEqual([]);
});

it('names an index that is out of range', () => {
  expect(() => expand(TRIANGLES, [0, 1, 7], 3)).toThrow(
    new InputError('here: index 7 at 2 is out of range, there are 3 vertices'),
  );
});
