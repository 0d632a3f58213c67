import { openNumerics } from '@pelt/math';
import { poseAt } from '@pelt/model';
import { elbowScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { PlainProduct } from '../../../src/envelope/runtime/plain-product.ts';
import { EnvelopePalette, ReducedDeformer, reduceEnvelope, trainEnvelope } from '../../../src/index.ts';

describe('PlainProduct', () => {
  it('writes the columns of a transform from rows of the matrix', () => {
    // One transform, two numbers: row r of the matrix gives column r of [A | t].
    const product = new PlainProduct(new Float64Array([1, 0, 0, 1, 1, 1, 2, -1]), 2);
    product.columns.set([1, 2, 3, 4, 5, 6]);
    expect([...product.multiply()]).toEqual([1, 2, 3, 0, 3, 4, 7, 2, 5, 6, 11, 4]);
  });
});

describe('EnvelopePalette', () => {
  it('gives what the kernel gives, for proxies, joints and displacements alike', async () => {
    const numerics = await openNumerics({ threads: 1 });
    try {
      const { sequence, rig, clip } = elbowScene({ frames: 8, rings: 15, sides: 10 });
      const frames = [0, 2, 4, 6];
      const { envelope } = trainEnvelope(rig, clip, sequence, numerics, frames, {
        pull: 0,
        tolerance: 1e-3,
        heldShare: 0,
        fallback: false,
      });
      const poses = frames.map((t) => poseAt(clip, t, rig.bones.length).transforms);
      const reduced = reduceEnvelope(envelope, poses, numerics, { proxies: 8, keys: 16, samples: 8 });
      const kernel = new ReducedDeformer(numerics, reduced);
      const plain = new EnvelopePalette(reduced, rig.bones);
      for (let t = 0; t < 8; t++) {
        const pose = poseAt(clip, t, rig.bones.length).transforms;
        const expected = kernel.proxies(pose);
        plain.update(pose).forEach((value, k) => {
          expect(Math.abs(value - expected[k])).toBeLessThan(1e-10);
        });
        expect(plain.joints).toEqual(kernel.joints());
        expect(plain.keyRotations()).toEqual(kernel.keyRotations());
      }
      expect(() => plain.update(new Float64Array(12))).toThrow('1 transforms for 2 bones');
      kernel.dispose();
    } finally {
      numerics.close();
    }
  });
});
