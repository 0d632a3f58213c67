import type { GLTF } from '@gltf-transform/core';
import { describe, expect, it } from 'vitest';
import type { FileArray } from '../../src/gltf/compress/file-arrays.ts';
import { bitsByCost, jointInfluence } from '../../src/gltf/compress/joint-influence.ts';

/** An inverse bind matrix of a joint at (x, 0, 0), stretched by s. */
function inverseBind(x: number, s = 1): number[] {
  return [s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0, -s * x, 0, 0, 1];
}

/** Two joints, the second hanging on the first; a vertex on each, at (0, 2, 0) and (4, 0, 0). */
function arm(weights: FileArray): { json: GLTF.IGLTF; arrays: FileArray[] } {
  const json = {
    asset: { version: '2.0' },
    nodes: [{ mesh: 0, skin: 0 }, { children: [2] }, {}],
    skins: [{ joints: [1, 2], inverseBindMatrices: 3 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, JOINTS_0: 1, WEIGHTS_0: 2 } }] }],
  } as GLTF.IGLTF;
  const arrays = [
    { values: Float32Array.of(0, 2, 0, 4, 0, 0), size: 3, normalized: false },
    { values: Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0), size: 4, normalized: false },
    weights,
    { values: Float32Array.from([...inverseBind(0), ...inverseBind(3, 2)]), size: 16, normalized: false },
  ];
  return { json, arrays };
}

describe('influence of joints', () => {
  it('is the reach over all that hangs on a joint', () => {
    const floats = { values: Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0), size: 4, normalized: false };
    const bytes = { values: Uint8Array.of(255, 0, 0, 0, 255, 0, 0, 0), size: 4, normalized: true };
    for (const weights of [floats, bytes]) {
      const { json, arrays } = arm(weights);
      const found = jointInfluence(json, arrays);
      expect(found?.nodes).toEqual([1, 2]);
      expect(found?.turns[0]).toBeCloseTo(Math.sqrt(2 ** 2 + 4 ** 2), 6);
      expect(found?.turns[1]).toBeCloseTo(1, 6);
      expect([...(found?.shifts ?? [])].map((value) => value ** 2)).toEqual([2, 1].map((n) => expect.closeTo(n, 6)));
    }
  });

  it('is not asked of a mesh without a skin', () => {
    expect(jointInfluence({ asset: { version: '2.0' } } as GLTF.IGLTF, [])).toBeUndefined();
  });
});

describe('bits by cost', () => {
  it('are the mean where all cost the same', () => {
    expect(bitsByCost([3, 3, 3], 10, 4, 16)).toEqual([10, 10, 10]);
  });

  it('are one more for twice the cost', () => {
    expect(bitsByCost([1, 2, 4], 10, 4, 16)).toEqual([9, 10, 11]);
  });

  it('stay within their limits, and are few where nobody sees the curve', () => {
    expect(bitsByCost([1e-9, 1, 1e9], 15, 4, 16)).toEqual([11, 15, 16]);
    expect(bitsByCost([0, 1], 6, 4, 16)).toEqual([4, 6]);
    expect(bitsByCost([], 6, 4, 16)).toEqual([]);
  });
});
