import { expect, it } from 'vitest';
import { treeNeighbours } from '../../src/skeleton/tree-neighbours.ts';

it('joins bones to their parents and children', () => {
  // A root with two children, the first of which has one of its own; a bone alone.
  expect(treeNeighbours([-1, 0, 0, 1, -1])).toEqual([[1, 2], [0, 3], [0], [1], []]);
  expect(treeNeighbours([])).toEqual([]);
});
