import { readFileSync } from 'node:fs';
import { type Bone, type Clip, type SkeletonMotion, validateClip } from '@pelt/model';
import { chainScene, realData } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { jointPositions } from '../../src/bvh/joint-positions.ts';
import { readBvh } from '../../src/bvh/read-bvh.ts';
import { clipFromSkeleton, skeletonFromClip } from '../../src/bvh/skeleton-clip.ts';

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  expect(a.length).toBe(b.length);
  let largest = 0;
  for (let k = 0; k < a.length; k++) largest = Math.max(largest, Math.abs(a[k] - b[k]));
  return largest;
}

const half = Math.SQRT1_2;

/** An arm along x whose elbow bends a quarter turn about z in the second frame. */
const ARM: SkeletonMotion = {
  name: 'arm',
  joints: [
    { name: 'LeftArm', parent: -1, offset: [1, 0, 0] },
    { name: 'LeftForeArm', parent: 0, offset: [1, 0, 0], tip: [0.5, 0, 0] },
  ],
  times: new Float64Array([0, 1]),
  rotations: new Float64Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, half, half]),
  translations: new Float64Array([1, 0, 0, 1, 0, 0, 1, 5, 0, 1, 0, 0]),
};

describe('clipFromSkeleton and skeletonFromClip', () => {
  it('is the identity at rest', () => {
    const { bones, clip } = clipFromSkeleton(ARM);
    expect(bones.map((bone) => [bone.rest[3], bone.rest[7], bone.rest[11]])).toEqual([
      [1, 0, 0],
      [2, 0, 0],
    ]);
    expect([...clip.transforms.subarray(0, 12)]).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
    validateClip(clip, 2);
  });

  it('carries children along', () => {
    const { clip } = clipFromSkeleton(ARM);
    // The elbow at (2, 5, 0), turned: a point 1 beyond it goes up.
    const [x, y] = [0, 4].map((row) => {
      const [a, , , d] = clip.transforms.subarray(36 + row, 40 + row);
      return a * 3 + d;
    });
    expect(x).toBeCloseTo(2, 12);
    expect(y).toBeCloseTo(6, 12);
  });

  it('gives the motion of a rig back, sliding joints included', () => {
    const { rig, clip } = chainScene();
    const motion = skeletonFromClip(rig.bones, clip);
    const again = clipFromSkeleton(motion);
    expect(largestDifference(again.clip.transforms, clip.transforms)).toBeLessThan(1e-9);
  });

  it('keeps the rotation of a bone that stretches, whatever its frame', () => {
    const bones: Bone[] = [{ name: 'a', parent: -1, rest: Float64Array.of(0, 2, 0, 1, 1, 0, 0, 1, 0, 0, 3, 1) }];
    // A quarter turn about z after a stretch along x.
    const clip: Clip = {
      name: 'c',
      times: new Float64Array([0]),
      transforms: Float64Array.of(0, -1, 0, 0, 2, 0, 0, 0, 0, 0, 1, 0),
    };
    const motion = skeletonFromClip(bones, clip);
    expect(largestDifference(motion.rotations, [0, 0, half, half])).toBeLessThan(1e-12);
    expect([...motion.translations]).toEqual([-1, 2, 1]);
  });
});

describe('jointPositions', () => {
  it('names the joints of a body and gives tips', () => {
    const motion = jointPositions(ARM);
    expect(motion.joints).toEqual(['leftShoulder', 'leftElbow', 'leftElbow tip']);
    expect(largestDifference(motion.positions.subarray(0, 9), [1, 0, 0, 2, 0, 0, 2.5, 0, 0])).toBeLessThan(1e-6);
    expect(largestDifference(motion.positions.subarray(9), [1, 5, 0, 2, 5, 0, 2, 5.5, 0])).toBeLessThan(1e-6);
    expect(new Set(motion.confidence)).toEqual(new Set([1]));
  });

  const walk = realData('motion/cmu-walk.bvh');
  it.skipIf(!walk)('keeps the limbs of a captured walk, and its feet on the ground (needs the measured data)', () => {
    const motion = jointPositions(readBvh(readFileSync(walk as string)));
    const J = motion.joints.length;
    const at = (t: number, name: string) => {
      const k = 3 * (t * J + motion.joints.indexOf(name));
      return [...motion.positions.subarray(k, k + 3)];
    };
    const shin = Math.hypot(2.53268, 6.95849);
    for (let t = 0; t < motion.times.length; t += 20) {
      const [knee, ankle] = [at(t, 'leftKnee'), at(t, 'leftAnkle')];
      expect(Math.hypot(...knee.map((value, k) => value - ankle[k]))).toBeCloseTo(shin, 3);
      expect(at(t, 'head')[1] - Math.min(at(t, 'leftToes')[1], at(t, 'rightToes')[1])).toBeGreaterThan(20);
    }
  });
});
