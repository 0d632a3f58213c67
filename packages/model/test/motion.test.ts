import { describe, expect, it } from 'vitest';
import { InputError } from '../src/errors.ts';
import {
  frameNearest,
  jointsAt,
  type Motion,
  type SkeletonMotion,
  validateMotion,
  validateSkeletonMotion,
} from '../src/motion.ts';

/** Two frames of two joints. */
const motion: Motion = {
  name: 'wave',
  joints: ['leftWrist', 'nose'],
  positions: Float32Array.from({ length: 12 }, (_, k) => k),
  confidence: new Float32Array([1, 0, 0.5, 1]),
  times: new Float64Array([0, 0.5]),
};

/** Two frames of a root and its child. */
const skeleton: SkeletonMotion = {
  name: 'nod',
  joints: [
    { name: 'root', parent: -1, offset: [0, 0, 0] },
    { name: 'head', parent: 0, offset: [0, 1, 0], tip: [0, 0.2, 0] },
  ],
  times: new Float64Array([0, 0.5]),
  rotations: new Float64Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.6, 0, 0.8]),
  translations: new Float64Array(12),
};

function expectInvalid(change: Partial<Motion>, message: string): void {
  const changed = { ...motion, ...change };
  expect(() => validateMotion(changed)).toThrow(InputError);
  expect(() => validateMotion(changed)).toThrow(message);
}

function expectInvalidSkeleton(change: Partial<SkeletonMotion>, message: string): void {
  const changed = { ...skeleton, ...change };
  expect(() => validateSkeletonMotion(changed)).toThrow(InputError);
  expect(() => validateSkeletonMotion(changed)).toThrow(message);
}

describe('Motion', () => {
  it('has frames that are views', () => {
    const joints = jointsAt(motion, 1);
    expect([...joints]).toEqual([6, 7, 8, 9, 10, 11]);
    expect(joints.buffer).toBe(motion.positions.buffer);
  });

  it('finds the nearest frame, also beyond the ends', () => {
    const times = new Float64Array([0, 1, 2, 4]);
    // time, frame
    for (const [time, frame] of [
      [-1, 0],
      [0.4, 0],
      [0.6, 1],
      [2.9, 2],
      [3.1, 3],
      [9, 3],
      [2, 2],
    ]) {
      expect(frameNearest(times, time)).toBe(frame);
    }
  });

  it('is accepted as it is; refused with other sizes, NaN, equal names, confidence outside 0 to 1, bad times', () => {
    validateMotion(motion);
    expectInvalid({ joints: [] }, "motion 'wave': no joints");
    expectInvalid({ joints: ['a', 'a'] }, "two joints are called 'a'");
    expectInvalid({ times: new Float64Array() }, 'no frames');
    expectInvalid({ times: new Float64Array([0, 0]) }, 'frame 1 at 0 s does not come after');
    expectInvalid({ positions: new Float32Array(11) }, 'length 11, expected 12');
    expectInvalid({ positions: motion.positions.with(7, Number.NaN) }, 'element 2 is NaN');
    expectInvalid({ confidence: new Float32Array(3) }, 'length 3, expected 4');
    expectInvalid({ confidence: new Float32Array([1, 1, 1, 1.5]) }, "confidence 1.5 of 'nose' in frame 1");
    expectInvalid({ confidence: new Float32Array([Number.NaN, 1, 1, 1]) }, "confidence NaN of 'leftWrist' in frame 0");
  });
});

describe('SkeletonMotion', () => {
  it('is accepted as it is; refused with children before parents, other sizes, rotations that are none', () => {
    validateSkeletonMotion(skeleton);
    const [root, head] = skeleton.joints;
    expectInvalidSkeleton({ joints: [] }, "skeleton motion 'nod': no joints");
    expectInvalidSkeleton(
      { joints: [root, { ...head, parent: 1 }] },
      "parent 1 of 'head' must be −1 or come before it",
    );
    expectInvalidSkeleton({ joints: [root, { ...head, name: 'root' }] }, "two joints are called 'root'");
    expectInvalidSkeleton({ joints: [root, { ...head, offset: [0, Number.NaN, 0] }] }, "'head' is not finite");
    expectInvalidSkeleton(
      { joints: [root, { ...head, tip: [0, Number.POSITIVE_INFINITY, 0] }] },
      "'head' is not finite",
    );
    expectInvalidSkeleton({ rotations: new Float64Array(15) }, 'length 15, expected 16');
    expectInvalidSkeleton({ translations: new Float64Array(11) }, 'length 11, expected 12');
    expectInvalidSkeleton(
      { rotations: skeleton.rotations.with(15, 0.9) },
      "of 'head' in frame 1 is not a unit quaternion",
    );
    expectInvalidSkeleton({ times: new Float64Array() }, 'no frames');
  });
});
