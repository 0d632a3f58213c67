import { describe, expect, it } from 'vitest';
import { groupsOf } from '../../../src/pose/training/proxies.ts';
import { splitGroups } from '../../../src/pose/training/split-groups.ts';
import type { EdgeGraph } from '../../../src/shared/mesh/edge-graph.ts';

/** A row of vertices, each beside the next. */
function row(n: number): EdgeGraph {
  const lists = Array.from({ length: n }, (_, i) => [i - 1, i + 1].filter((k) => k >= 0 && k < n));
  const starts = Int32Array.from({ length: n + 1 }, (_, i) => lists.slice(0, i).flat().length);
  return { starts, neighbours: Int32Array.from(lists.flat()) };
}

const equal = (n: number) => new Float64Array(n).fill(1 / n);

describe('splitting groups', () => {
  it('leaves groups alone whose vertices are alike, however many are wanted', () => {
    const grouping = groupsOf(Uint32Array.of(0, 0, 0, 1, 1, 1), row(6));
    const split = splitGroups(grouping, Float32Array.of(1, 1, 1, 2, 2, 2), equal(6), row(6), 5);
    expect(split.count).toBe(2);
    expect([...split.groups]).toEqual([0, 0, 0, 1, 1, 1]);
  });

  it('cuts where the features jump, the widest group first', () => {
    const grouping = groupsOf(Uint32Array.of(0, 0, 0, 0, 1, 1, 1, 1), row(8));
    const features = Float32Array.of(0, 0, 1, 1, 5, 5, 9, 9);
    expect([...splitGroups(grouping, features, equal(8), row(8), 3).groups]).toEqual([0, 0, 0, 0, 1, 1, 2, 2]);
    expect([...splitGroups(grouping, features, equal(8), row(8), 4).groups]).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
  });

  it('cuts across the direction of most difference', () => {
    const grouping = groupsOf(new Uint32Array(4), row(4));
    const features = Float32Array.of(0, 0, 0, 1, 10, 0, 10, 1);
    expect([...splitGroups(grouping, features, equal(4), row(4), 2).groups]).toEqual([0, 0, 1, 1]);
  });

  it('stops at one vertex a group and says which groups touch', () => {
    const split = splitGroups(
      groupsOf(new Uint32Array(3), row(3)),
      Float32Array.of(0, 1, 5),
      equal(3),
      row(3),
      Number.POSITIVE_INFINITY,
    );
    expect(split.count).toBe(3);
    expect([...split.graph.neighbours]).toEqual([1, 0, 2, 1]);
  });
});
