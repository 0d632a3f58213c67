import { describe, expect, it } from 'vitest';
import { CentreLine } from '../../src/embed/centre-line.ts';
import { centreTree, nearestCell } from '../../src/embed/centre-tree.ts';
import { solidOfField } from '../../src/embed/solid.ts';

type Point = readonly [number, number, number];

/** Distance from a segment of a radius. */
function rod(a: Point, b: Point, radius: number) {
  const u = b.map((value, k) => value - a[k]);
  const squared = u.reduce((sum, value) => sum + value * value, 0);
  return (x: number, y: number, z: number) => {
    const p = [x - a[0], y - a[1], z - a[2]];
    const share = Math.min(1, Math.max(0, p.reduce((sum, value, k) => sum + value * u[k], 0) / squared));
    return Math.hypot(...p.map((value, k) => value - share * u[k])) - radius;
  };
}

/** Three rods of radius 0.1 that meet in the origin. */
const ENDS: readonly Point[] = [
  [0, 1.4, 0],
  [1, -0.6, 0],
  [-1, -0.7, 0],
];
const rods = ENDS.map((end) => rod([0, 0, 0], end, 0.1));
const bounds = { min: [-1.2, -0.9, -0.15], max: [1.2, 1.6, 0.15] };
const fork = solidOfField(
  (x, y, z) => Math.min(...rods.map((field) => field(x, y, z))),
  { min: [bounds.min[0], bounds.min[1], bounds.min[2]], max: [bounds.max[0], bounds.max[1], bounds.max[2]] },
  8000,
);

describe('the centre tree of a fork', () => {
  const tree = centreTree(fork, 10);
  const at = (cell: number) => [...fork.centres.subarray(3 * cell, 3 * cell + 3)];
  const apart = (a: readonly number[], b: readonly number[]) => Math.hypot(...a.map((value, k) => value - b[k]));

  it('ends where the fork does, the most prominent first', () => {
    expect(tree.tips).toHaveLength(3);
    for (const end of ENDS) expect(Math.min(...tree.tips.map((cell) => apart(at(cell), end)))).toBeLessThan(0.15);
    expect(tree.prominences).toEqual(tree.prominences.toSorted((a, b) => b - a));
  });

  it('has lines in the middle, which meet where the rods do', () => {
    const [a, b, c] = ENDS.map((end) => nearestCell(fork, end));
    const line = new CentreLine(tree, a, b);
    expect(line.length).toBeGreaterThan(2.4);
    expect(line.length).toBeLessThan(3);
    for (const share of [0.2, 0.4, 0.7, 0.8]) {
      const point = line.at(share * line.length);
      expect(Math.min(...rods.map((field) => field(...point)))).toBeLessThan(-0.06);
    }
    expect(apart(line.at(line.branchOf(c)), [0, 0, 0])).toBeLessThan(0.2);
    expect(line.nearest([0, 0.7, 0]).away).toBeLessThan(0.05);
  });
});

it('reaches parts that do not touch', () => {
  const two = [rod([0, 0, 0], [1, 0, 0], 0.1), rod([1.4, 0, 0], [2.4, 0, 0], 0.1)];
  const solid = solidOfField(
    (x, y, z) => Math.min(...two.map((field) => field(x, y, z))),
    { min: [-0.2, -0.2, -0.2], max: [2.6, 0.2, 0.2] },
    4000,
  );
  const tree = centreTree(solid, 4);
  const [a, b] = [nearestCell(solid, [0, 0, 0]), nearestCell(solid, [2.4, 0, 0])];
  expect(new CentreLine(tree, a, b).length).toBeGreaterThan(2.2);
  expect([...tree.fromRoot].every(Number.isFinite)).toBe(true);
});
