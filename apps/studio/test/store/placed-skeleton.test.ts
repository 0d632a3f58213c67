import { describe, expect, it } from 'vitest';
import {
  addJoint,
  brushed,
  type MirrorPlane,
  mirrorPlane,
  type PlacedJoint,
  type Point,
  painted,
  removeJoint,
} from '../../src/store/placed-skeleton.ts';

const PLANE: MirrorPlane = { axis: 0, at: 0 };
/** A line of sight along z through a limb as thick as 0.2. */
const through = (x: number, y: number): [Point, Point] => [
  [x, y, 0.1],
  [x, y, -0.1],
];

function placed(...steps: readonly (readonly [parent: number, x: number, y: number])[]): readonly PlacedJoint[] {
  return steps.reduce<readonly PlacedJoint[]>(
    (joints, [parent, x, y]) => addJoint(joints, parent, through(x, y), PLANE),
    [],
  );
}

describe('addJoint', () => {
  it('puts the first joint into the middle, wherever it was clicked', () => {
    expect(placed([-1, 0.3, 1])).toEqual([{ name: 'root', parent: -1, at: [0, 1, 0], twin: -1 }]);
  });

  it('gives a joint aside a twin, and its children that of the parent', () => {
    const joints = placed([-1, 0, 1], [0, 0.4, 0.9], [1, 0.4, 0.4]);
    expect(joints.map(({ name, parent, twin }) => [name, parent, twin])).toEqual([
      ['root', -1, -1],
      ['joint 1 left', 0, 2],
      ['joint 1 right', 0, 1],
      ['joint 2 left', 1, 4],
      ['joint 2 right', 2, 3],
    ]);
    for (const { at, twin } of joints) {
      if (twin >= 0) expect(joints[twin].at).toEqual([-at[0], at[1], at[2]]);
    }
  });

  it('has one joint where the body reaches across the plane, and where it is nearly on it', () => {
    expect(placed([-1, 0, 1], [0, 0.04, 1.2])[1].at).toEqual([0, 1.2, 0]);
    const across = addJoint(
      placed([-1, 0, 1]),
      0,
      [
        [0.5, 1.2, 0],
        [-0.3, 1.2, 0],
      ],
      PLANE,
    );
    expect(across).toHaveLength(2);
    expect(across[1].at[0]).toBe(0);
  });

  it('places one side alone without a plane', () => {
    const joints = addJoint(placed([-1, 0, 1]), 0, through(0.4, 0.9), undefined);
    expect(joints.slice(1)).toEqual([{ name: 'joint 1', parent: 0, at: [0.4, 0.9, 0], twin: -1 }]);
  });
});

describe('removeJoint', () => {
  it('takes the twin along, and what is below both', () => {
    const joints = placed([-1, 0, 1], [0, 0.4, 0.9], [1, 0.4, 0.4], [0, 0, 1.5], [5, 0.3, 1.6]);
    const left = removeJoint(joints, 1);
    expect(left.map(({ name }) => name)).toEqual(['root', 'joint 3', 'joint 4 left', 'joint 4 right']);
    expect(left.map(({ parent }) => parent)).toEqual([-1, 0, 1, 1]);
    expect(left.map(({ twin }) => twin)).toEqual([-1, -1, 3, 2]);
    expect(removeJoint(joints, 0)).toEqual([]);
  });
});

describe('mirrorPlane', () => {
  const symmetric = (axis: 0 | 2) =>
    Array.from({ length: 200 }, (_, k) => {
      // A curve that is alike on both sides of one plane alone.
      const [s, a] = [k % 2 ? 1 : -1, (k >> 1) / 100];
      const point = [s * (0.2 + a * a), Math.sin(5 * a), a ** 3 + 0.3 * a];
      return axis === 0 ? point : [point[2], point[1], point[0] + 3];
    }).flat();

  it.each([
    [0, 0],
    [2, 3],
  ] as const)('finds the plane of axis %i', (axis, at) => {
    const plane = mirrorPlane(symmetric(axis));
    expect(plane.axis).toBe(axis);
    expect(plane.at).toBeCloseTo(at, 6);
  });
});

describe('painting', () => {
  const row = Array.from({ length: 10 }, (_, i) => [i, 0, 0]).flat();

  it('finds vertices within the brush and its mirror image', () => {
    const centres: Point[] = [
      [1, 0, 0],
      [8, 0, 0],
    ];
    expect(brushed(row, centres, 1)).toEqual([0, 1, 2, 7, 8, 9]);
    expect(brushed(row, [], 1)).toEqual([]);
  });

  it('adds each vertex once, sorted, and takes away', () => {
    expect(painted([3, 5], [1, 3], false)).toEqual([1, 3, 5]);
    expect(painted([1, 3, 5], [3, 4], true)).toEqual([1, 5]);
  });
});
