import { exampleCount, poseAt, UsageError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { buildPoser } from '../../../src/pose/training/build-poser.ts';
import { findSymmetry, mirroredTransforms } from '../../../src/pose/training/mirrored-examples.ts';
import { deformLinear } from '../../../src/shared/blending/linear.ts';

/** A strip of squares along x from −2 to 2, flat, with a bone on either side and weights that meet in the middle. */
const columns = 9;
const positions = new Float32Array(columns * 2 * 3);
for (let k = 0; k < columns * 2; k++) positions.set([-2 + Math.floor(k / 2) * 0.5, k % 2, 0.1 * (k % 2)], 3 * k);
const triangles = Uint32Array.from({ length: (columns - 1) * 6 }, (_, k) => {
  const first = 2 * Math.floor(k / 6);
  return first + [0, 2, 1, 1, 2, 3][k % 6];
});
const right = Float32Array.from({ length: columns * 2 }, (_, k) => Math.floor(k / 2) / (columns - 1));
const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
const rig = {
  name: 'strip',
  mesh: { name: 'strip', positions, triangles },
  bones: ['left', 'right'].map((name) => ({ name, parent: -1, rest: Float64Array.from(identity) })),
  weights: {
    slots: 2,
    bones: Uint16Array.from({ length: columns * 4 }, (_, k) => k % 2),
    weights: Float32Array.from({ length: columns * 4 }, (_, k) => (k % 2 === 1 ? right[k >> 1] : 1 - right[k >> 1])),
  },
};
/** The right side goes up by one, and a little forward. */
const raised = [1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0.2];
const clip = { name: 'raise', times: Float64Array.of(0), transforms: Float64Array.from([...identity, ...raised]) };

describe('mirrored examples', () => {
  it('do with the left what the right did', () => {
    const mirrored = mirroredTransforms(rig, clip);
    if (!mirrored) throw new Error('not symmetric');
    const [own, other] = [clip.transforms, mirrored].map((transforms) =>
      deformLinear(positions, rig.weights, transforms, new Float32Array(positions.length)),
    );
    for (let k = 0; k < columns * 2; k++) {
      const twin = 2 * (columns - 1 - Math.floor(k / 2)) + (k % 2);
      const expected = [-own[3 * twin], own[3 * twin + 1], own[3 * twin + 2]];
      expected.forEach((value, c) => {
        // Gradients have a hundredth of the positions' weight.
        expect(Math.abs(other[3 * k + c] - value)).toBeLessThan(0.005);
      });
    }
  });

  it('leave the rest pose at rest', () => {
    const rest = { ...clip, transforms: Float64Array.from([...identity, ...identity]) };
    mirroredTransforms(rig, rest)?.forEach((value, k) => {
      expect(value).toBeCloseTo(identity[k % 12], 6);
    });
  });

  it('double the examples of a poser, without details, where the mesh is symmetric', () => {
    const poser = buildPoser({ rig, clip }, { mirror: true, names: ['up'] });
    expect(poser.exampleNames).toEqual(['up', 'up mirrored']);
    expect(poser.exampleDetails).toEqual([]);
    expect(Array.from(poseAt({ ...clip, transforms: poser.exampleTransforms }, 0, 2).transforms)).toEqual(
      Array.from(clip.transforms),
    );
  });

  it('are none where the mesh is not symmetric', () => {
    const bent = positions.map((value, k) => (k % 3 === 0 ? value : value + Math.max(0, positions[k - (k % 3)]) ** 2));
    const crooked = { ...rig, mesh: { ...rig.mesh, positions: bent } };
    expect(mirroredTransforms(crooked, clip)).toBeUndefined();
    expect(exampleCount(buildPoser({ rig: crooked, clip }, { mirror: true }))).toBe(1);
  });

  it('are none of a mesh without extent, and not of gradients that they do not have', () => {
    expect(findSymmetry(new Float64Array(9), Uint32Array.of(0, 1, 2))?.counterparts).toHaveLength(3);
    const sequence = { name: '', rest: rig.mesh, frames: positions.slice(), times: Float64Array.of(0) };
    const options = { mirror: true, gradients: 'meshes' } as const;
    expect(() => buildPoser({ rig, clip, examples: sequence }, options)).toThrow(UsageError);
  });
});
