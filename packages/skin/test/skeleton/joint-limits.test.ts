import { rotationExp } from '@pelt/math';
import { type Bone, type Clip, uniformTimes } from '@pelt/model';
import { chainScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { jointLimits } from '../../src/skeleton/joint-limits.ts';

const BONES: Bone[] = [0, 1].map((k) => ({
  name: `bone ${k}`,
  parent: k - 1,
  rest: Float64Array.of(1, 0, 0, k, 0, 1, 0, 0, 0, 0, 1, 0),
}));

/** The parent turns as it likes; the child turns in it by given rotation vectors. */
function clipOf(turns: readonly (readonly number[])[]): Clip {
  const transforms = new Float64Array(turns.length * 24);
  turns.forEach((turn, t) => {
    const parent = new Float64Array(9);
    const local = new Float64Array(9);
    rotationExp([0.3 * t, -0.2, 0.1 * t], 0, parent, 0);
    rotationExp(turn, 0, local, 0);
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        transforms[24 * t + 4 * r + c] = parent[3 * r + c];
        for (let e = 0; e < 3; e++) transforms[24 * t + 12 + 4 * r + c] += parent[3 * r + e] * local[3 * e + c];
      }
    }
  });
  return { name: 'turns', times: uniformTimes(turns.length, 30), transforms };
}

const RADIANS = Math.PI / 180;

describe('jointLimits', () => {
  it('calls a joint that stands fixed, and gives a root none', () => {
    const [root, joint] = jointLimits(BONES, clipOf([[0, 0, 0]]));
    expect(root).toBeUndefined();
    expect(joint).toMatchObject({ kind: 'fixed', swing: expect.closeTo(0, 6) });
  });

  it('measures a hinge about its axis', () => {
    const axis = [0.6, 0, 0.8];
    const turns = [0, 40, -25, 10].map((degrees) => axis.map((value) => value * degrees * RADIANS));
    const [, joint] = jointLimits(BONES, clipOf(turns));
    expect(joint?.kind).toBe('hinge');
    expect(joint?.twist[0]).toBeCloseTo(-25, 6);
    expect(joint?.twist[1]).toBeCloseTo(40, 6);
    expect(joint?.swing).toBeCloseTo(0, 4);
    axis.forEach((value, d) => {
      expect(joint?.axis[d]).toBeCloseTo(value, 6);
    });
  });

  it('follows a hinge beyond a half circle', () => {
    const turns = [0, 60, 120, 180, 240].map((degrees) => [0, degrees * RADIANS, 0]);
    expect(jointLimits(BONES, clipOf(turns))[1]?.twist[1]).toBeCloseTo(240, 6);
  });

  it('tells the swing of a ball joint', () => {
    const [, joint] = jointLimits(
      BONES,
      clipOf([
        [50 * RADIANS, 0, 0],
        [-50 * RADIANS, 0, 0],
        [0, 20 * RADIANS, 0],
      ]),
    );
    expect(joint?.kind).toBe('ball');
    expect(joint?.axis[0]).toBeCloseTo(1, 6);
    expect(joint?.swing).toBeCloseTo(20, 6);
  });

  it('knows the hinges of a chain', () => {
    const { rig, clip, joints } = chainScene();
    const limits = jointLimits(rig.bones, clip);
    for (const { kind, child, axis } of joints) {
      expect(limits[child]?.kind).toBe(kind);
      if (axis)
        expect(Math.abs(axis.reduce((sum, a, d) => sum + a * (limits[child]?.axis[d] ?? 0), 0))).toBeCloseTo(1, 6);
    }
  });
});
