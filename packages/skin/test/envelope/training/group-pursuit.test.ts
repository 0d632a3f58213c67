import { Random } from '@pelt/math';
import { describe, expect, it } from 'vitest';
import { pursueGroups } from '../../../src/envelope/training/group-pursuit.ts';

/** The problem of columns X, W of them with as many rows, and Y with `outputs` columns. */
function problemOf(X: readonly (readonly number[])[], Y: readonly (readonly number[])[], groups: number[][]) {
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, k) => sum + value * b[k], 0);
  return {
    groups,
    entry: (a: number, b: number) => dot(X[a], X[b]),
    column: (a: number) => Float64Array.from(X, (column) => dot(column, X[a])),
    cross: Float64Array.from(X.flatMap((column) => Y.map((y) => dot(column, y)))),
    outputs: Y.length,
    total: Y.reduce((sum, y) => sum + dot(y, y), 0),
    isShared: () => true,
  };
}

function noise(random: Random, length: number): number[] {
  return Array.from({ length }, () => random.uniform(-1, 1));
}

describe('pursueGroups', () => {
  it('takes nothing where there is nothing to explain', () => {
    const { columns } = pursueGroups(problemOf([[1, 0]], [[0, 0]], [[0]]), { most: 3, left: 0 });
    expect(columns).toEqual([]);
  });

  it('takes the column that points along, with its length', () => {
    // Y = 3 · the second column.
    const X = [
      [1, 0, 0],
      [0, 2, 0],
    ];
    const { columns, coefficients } = pursueGroups(problemOf(X, [[0, 6, 0]], [[0], [1]]), { most: 1, left: 0 });
    expect(columns).toEqual([1]);
    expect(coefficients[0]).toBeCloseTo(3, 4);
  });

  it('finds the groups that made a target among many', () => {
    const random = new Random(3);
    const rows = 60;
    const X = Array.from({ length: 30 }, () => noise(random, rows));
    const groups = Array.from({ length: 10 }, (_, g) => [3 * g, 3 * g + 1, 3 * g + 2]);
    // Columns of the third and the eighth group, in two outputs.
    const made = (shares: readonly (readonly [number, number])[]) =>
      Array.from({ length: rows }, (_, r) => shares.reduce((sum, [c, share]) => sum + share * X[c][r], 0));
    const Y = [
      made([
        [6, 1],
        [23, -2],
      ]),
      made([
        [7, 0.5],
        [21, 1.5],
      ]),
    ];
    const { columns, coefficients } = pursueGroups(problemOf(X, Y, groups), { most: 2, left: 0 });
    expect([...columns].sort((a, b) => a - b)).toEqual([6, 7, 8, 21, 22, 23]);
    const of = (column: number, output: number) => coefficients[2 * columns.indexOf(column) + output];
    expect(of(6, 0)).toBeCloseTo(1, 3);
    expect(of(23, 0)).toBeCloseTo(-2, 3);
    expect(of(21, 1)).toBeCloseTo(1.5, 3);
    expect(of(8, 1)).toBeCloseTo(0, 3);
  });

  it('takes a shared group before an equal one that nobody has', () => {
    const X = [
      [1, 0],
      [1, 0],
    ];
    const problem = { ...problemOf(X, [[1, 0]], [[0], [1]]), isShared: (g: number) => g === 1 };
    expect(pursueGroups(problem, { most: 1, left: 0 }).columns).toEqual([1]);
  });

  it('shares a part between columns that repeat each other', () => {
    const X = [
      [1, 1, 0],
      [1, 1, 0],
      [0, 0, 1],
    ];
    const { coefficients: c } = pursueGroups(problemOf(X, [[1, 1, 1]], [[0, 1, 2]]), { most: 3, left: 0 });
    expect(c[0]).toBeCloseTo(0.5, 3);
    expect(c[1]).toBeCloseTo(0.5, 3);
    expect(c[2]).toBeCloseTo(1, 3);
  });
});
