import { openNumerics } from '@pelt/math';
import { IDENTITY_TRANSFORM, type Rig, UsageError } from '@pelt/model';
import { cylinder } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { PoseCoordinates } from '../../src/envelope/runtime/pose-coordinates.ts';
import { deformLinear } from '../../src/shared/blending/linear.ts';
import { teachPoses } from '../../src/teach/index.ts';
import { JointRanges } from '../../src/teach/joint-ranges.ts';
import { LeftOutErrors } from '../../src/teach/left-out-errors.ts';
import { expectCancels } from '../expect-cancels.ts';

const { mesh, bones, bent } = cylinder({ sides: 8, length: 6, bones: 2 });
const n = mesh.positions.length / 3;
const rig: Rig = {
  name: 'limb',
  mesh,
  bones,
  weights: {
    slots: 1,
    bones: Uint16Array.from({ length: n }, (_, i) => Number(mesh.positions[3 * i] > 3)),
    weights: new Float32Array(n).fill(1),
  },
};
const plain = (pose: Float64Array, out: Float32Array) => {
  deformLinear(mesh.positions, rig.weights, pose, out);
};
/** Angle of the joint. */
const turnOf = (pose: Float64Array) => {
  const { values } = new PoseCoordinates(bones).read(pose);
  return Math.hypot(values[6], values[7], values[8]);
};

const numerics = await openNumerics();
afterAll(() => numerics.close());

describe('joint ranges', () => {
  it('pose nothing by zeros', () => {
    const still = new JointRanges(bones, [], 1).pose(new Float64Array(6));
    expect(still).toEqual(Float64Array.from([...IDENTITY_TRANSFORM, ...IDENTITY_TRANSFORM]));
  });

  it('pose joints by their rotation vectors, about their own places', () => {
    const pose = new JointRanges(bones, [], 1).pose(Float64Array.of(0, 0, 0, 0.1, -0.4, 0.7));
    const { values } = new PoseCoordinates(bones).read(pose);
    [0.1, -0.4, 0.7].forEach((value, c) => {
      expect(values[6 + c]).toBeCloseTo(value, 12);
    });
    const [x, y, z] = [3, 7, 11].map((k) => bones[1].rest[k]);
    for (let r = 12; r < 24; r += 4) {
      const moved = pose[r] * x + pose[r + 1] * y + pose[r + 2] * z + pose[r + 3];
      expect(moved).toBeCloseTo([x, y, z][(r - 12) / 4], 12);
    }
  });
});

describe('left-out errors', () => {
  it('are zero where linear blending is right', () => {
    const errors = new LeftOutErrors(rig);
    const ranges = new JointRanges(bones, [], 1);
    for (const angle of [0.2, 0.5, 0.9]) {
      const joints = Float64Array.of(0, 0, 0, 0, 0, angle);
      const shape = new Float32Array(3 * n);
      plain(ranges.pose(joints), shape);
      errors.add(joints, ranges.pose(joints), shape);
    }
    for (const error of errors.errors()) expect(error).toBeLessThan(1e-12);
  });

  it('are those of a fit without the pose', () => {
    // One joint, three poses and rest, every vertex of the second bone pushed by 1, 4 and 9 along its own x.
    const errors = new LeftOutErrors(rig);
    const ranges = new JointRanges(bones, [], 1);
    [1, 2, 3].forEach((k) => {
      const joints = Float64Array.of(0, 0, 0, 0.2 * k, 0, 0);
      const pose = ranges.pose(joints);
      const shape = new Float32Array(3 * n);
      plain(pose, shape);
      for (let i = 0; i < n; i++) if (rig.weights.bones[i] === 1) shape[3 * i] += k * k;
      errors.add(joints, pose, shape);
    });
    // Without the second, the kernel |r| draws a straight line from 1 to 9: 5 in place of 4.
    const count = rig.weights.bones.reduce((sum, bone) => sum + bone, 0);
    expect(errors.errors()[4 + 2]).toBeCloseTo(count, 2);
  });
});

describe('teachPoses', () => {
  const teach = (options: object, solve = plain, poses: Float64Array[] = []) =>
    teachPoses({ rig, poses, teacher: { solve } }, options, { numerics });

  it('gives what the teacher solves, pose by pose', () => {
    const { transforms, shapes, train, heldOut } = teach({ poses: 9, heldOut: 2, range: 60 });
    expect([train.length, heldOut]).toEqual([9, [9, 10]]);
    const out = new Float32Array(3 * n);
    plain(transforms.slice(24 * 7, 24 * 8), out);
    expect(shapes.slice(3 * n * 7, 3 * n * 8)).toEqual(out);
  });

  it('stays in the ranges, and leaves out the same poses however many there are', () => {
    const few = teach({ poses: 3, heldOut: 2, range: 60 });
    const many = teach({ poses: 12, heldOut: 2, range: 60 });
    expect(many.transforms.slice(-48)).toEqual(few.transforms.slice(-48));
    for (let t = 0; t < 14; t++) expect(turnOf(many.transforms.slice(24 * t))).toBeLessThanOrEqual(Math.PI / 3 + 1e-9);
    const { transforms } = teach({ poses: 12, heldOut: 0 }, plain, [bent(50)]);
    for (let t = 0; t < 12; t++) {
      expect(turnOf(transforms.slice(24 * t))).toBeLessThanOrEqual(turnOf(bent(50)) + 1e-9);
    }
  });

  it('asks most where the skin is worst', () => {
    const bulging = (pose: Float64Array, out: Float32Array) => {
      plain(pose, out);
      const beyond = Math.max(0, turnOf(pose) - Math.PI / 4);
      for (let i = 0; i < n; i++) out[3 * i + 2] += 40 * beyond * beyond * Number(mesh.positions[3 * i] > 2);
    };
    const beyond = (solve: typeof plain) => {
      const { transforms, train } = teach({ poses: 24, heldOut: 0, range: 60 }, solve);
      return train.filter((t) => turnOf(transforms.slice(24 * t)) > Math.PI / 4).length;
    };
    expect(beyond(bulging)).toBeGreaterThan(1.5 * beyond(plain));
  });

  it('refuses joints that do not move, and numbers without sense', () => {
    expect(() => teach({})).toThrow(UsageError);
    expect(() => teach({ poses: 0, range: 10 })).toThrow(UsageError);
    expect(() => teach({ range: 200 })).toThrow(UsageError);
  });

  it('can be cancelled', () => {
    expectCancels(numerics, (run) =>
      teachPoses({ rig, poses: [], teacher: { solve: plain } }, { poses: 20, heldOut: 2, range: 60 }, run),
    );
  });
});
