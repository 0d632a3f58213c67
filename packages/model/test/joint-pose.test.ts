import { describe, expect, it } from 'vitest';
import { InputError } from '../src/errors.ts';
import { type JointPose, poseFromJoints } from '../src/joint-pose.ts';
import type { Bone } from '../src/rig.ts';

/** A bone whose frame is skewed: it must not matter. */
function boneAt(name: string, parent: number, x: number, y: number, z: number): Bone {
  return { name, parent, rest: Float64Array.of(2, 0.5, 0, x, 0, 1, 0.3, y, 0, 0, -1, z) };
}

/** An arm along x: shoulder at 1, elbow at 2, wrist at 3. */
const ARM = [boneAt('shoulder', -1, 1, 0, 0), boneAt('elbow', 0, 2, 0, 0), boneAt('wrist', 1, 3, 0, 0)];

/** Where bone j of a pose takes a point. */
function carry(pose: JointPose, j: number, point: readonly number[]): number[] {
  const { transforms } = poseFromJoints(ARM, pose);
  return [0, 4, 8].map((row) => {
    const [a, b, c, d] = transforms.subarray(12 * j + row, 12 * j + row + 4);
    return a * point[0] + b * point[1] + c * point[2] + d;
  });
}

function expectPoint(actual: number[], expected: number[]): void {
  actual.forEach((value, k) => {
    expect(value, `${actual} for ${expected}`).toBeCloseTo(expected[k], 12);
  });
}

describe('poseFromJoints', () => {
  it('is the identity without changes', () => {
    const { transforms } = poseFromJoints(ARM, {});
    expect([...transforms]).toEqual(ARM.flatMap(() => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]));
    expect([...poseFromJoints(ARM, { elbow: {} }).transforms]).toEqual([...transforms]);
  });

  it('turns a joint with what hangs on it', () => {
    const bent: JointPose = { elbow: { degrees: [0, 0, 90] } };
    expectPoint(carry(bent, 0, [2, 0, 0]), [2, 0, 0]);
    expectPoint(carry(bent, 1, [3, 0, 0]), [2, 1, 0]);
    expectPoint(carry(bent, 2, [4, 0, 0]), [2, 2, 0]);
  });

  it('turns about x first, then y, then z, in the axes that the parent has brought along', () => {
    expectPoint(carry({ shoulder: { degrees: [90, 0, 90] } }, 0, [1, 1, 0]), [1, 0, 1]);
    expectPoint(carry({ shoulder: { degrees: [0, 90, 90] } }, 0, [2, 0, 0]), [1, 0, -1]);
    // The elbow's z axis has become −x by the shoulder's turn.
    const both: JointPose = { shoulder: { degrees: [0, -90, 0] }, elbow: { degrees: [0, 0, 90] } };
    expectPoint(carry(both, 1, [3, 0, 0]), [1, 1, 1]);
  });

  it('takes the same turn as a quaternion, of any length', () => {
    const half = Math.SQRT1_2;
    expectPoint(carry({ elbow: { quaternion: [0, 0, 3 * half, 3 * half] } }, 1, [3, 0, 0]), [2, 1, 0]);
  });

  it('slides a joint in its parent and stretches with the children', () => {
    expectPoint(carry({ elbow: { translation: [0.5, 0, 1] } }, 2, [3, 0, 0]), [3.5, 0, 1]);
    const turned: JointPose = { shoulder: { degrees: [0, 0, 90] }, elbow: { translation: [0.5, 0, 0] } };
    expectPoint(carry(turned, 1, [2, 0, 0]), [1, 1.5, 0]);
    expectPoint(carry({ shoulder: { scale: [2, 1, 1] } }, 2, [3, 0, 0]), [5, 0, 0]);
  });

  it('refuses bones that are not there or are there twice', () => {
    expect(() => poseFromJoints(ARM, { knee: {} })).toThrow(InputError);
    expect(() => poseFromJoints(ARM, { knee: {} })).toThrow("no bone 'knee'; there are shoulder, elbow, wrist");
    const twins = [...ARM, boneAt('wrist', 1, 3, 1, 0)];
    expect(() => poseFromJoints(twins, { wrist: {} })).toThrow("2 bones are called 'wrist'");
  });
});
