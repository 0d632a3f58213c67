import { openNumerics } from '@pelt/math';
import { poseAt } from '@pelt/model';
import { elbowScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { PlainProduct } from '../../../src/envelope/runtime/plain-product.ts';
import { createReducedDeformer, EnvelopePalette, reduceEnvelope, trainEnvelope } from '../../../src/index.ts';

describe('PlainProduct', () => {
  it('writes the columns of a transform from rows of the matrix', () => {
    // One transform, two numbers: row r of the matrix gives column r of [A | t].
    const product = new PlainProduct(new Float64Array([1, 0, 0, 1, 1, 1, 2, -1]), 2);
    product.numbers.set([1, 3, 5, 0, 2, 4, 6, 0]);
    expect([...product.multiply()]).toEqual([1, 2, 3, 0, 3, 4, 7, 2, 5, 6, 11, 4]);
  });
});

describe('EnvelopePalette', () => {
  it('gives what the kernel gives in float32, for proxies, joints and displacements alike', async () => {
    const numerics = await openNumerics({ threads: 1 });
    try {
      const scene = elbowScene({ frames: 8, rings: 15, sides: 10 });
      const { rig, clip } = scene;
      const frames = [0, 2, 4, 6];
      const options = {
        frames,
        pull: 0,
        tolerance: 1e-3,
        heldShare: 0,
        fallback: false,
      };
      const { envelope } = trainEnvelope(scene, options, { numerics });
      const poses = frames.map((t) => poseAt(clip, t, rig.bones.length).transforms);
      const reduced = reduceEnvelope({ envelope, poses }, { proxies: 8, keys: 16, samples: 8 }, { numerics });
      const kernel = createReducedDeformer(reduced, {}, { numerics });
      const plain = new EnvelopePalette(reduced, rig.bones);
      for (let t = 0; t < 8; t++) {
        const pose = poseAt(clip, t, rig.bones.length).transforms;
        const expected = kernel.palette.update(pose);
        plain.update(pose).forEach((value, k) => {
          expect(Math.abs(value - expected[k])).toBeLessThan(5e-5);
        });
        expect(plain.joints).toEqual(kernel.palette.joints);
        expect(plain.keyRotations()).toEqual(kernel.palette.keyRotations());
      }
      expect(() => plain.update(new Float64Array(12))).toThrow('12 numbers are not 2 transforms');
      kernel.dispose();
    } finally {
      numerics.close();
    }
  });
});
