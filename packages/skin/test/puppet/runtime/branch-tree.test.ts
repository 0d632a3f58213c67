import { describe, expect, it } from 'vitest';
import { branchTree } from '../../../src/puppet/runtime/branch-tree.ts';

describe('branchTree', () => {
  it('connects each pose with the nearest that is already there', () => {
    // On a line at 0, 10, 2, 5: from the second (10) on.
    expect([...branchTree(Float64Array.of(0, 10, 2, 5), 4, 1)]).toEqual([2, -1, 3, 1]);
    // In the plane: a square's corners, from one of them.
    const square = branchTree(Float64Array.of(0, 0, 1, 0, 1, 1, 0, 1), 4, 0);
    expect(square[0]).toBe(-1);
    expect(square[2]).not.toBe(0);
  });

  it('copes with one pose, equal poses and no numbers', () => {
    expect([...branchTree(Float64Array.of(4), 1, 0)]).toEqual([-1]);
    expect([...branchTree(Float64Array.of(4, 4, 4), 3, 2)]).toEqual([2, 2, -1]);
    expect([...branchTree(new Float64Array(0), 2, 0)]).toEqual([-1, 0]);
  });
});
