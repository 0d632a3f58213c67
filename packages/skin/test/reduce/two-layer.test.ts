import { openNumerics } from '@pelt/math';
import { CancelledError, type Rig, UsageError, validateSkinWeights, virtualCount } from '@pelt/model';
import { afterAll, describe, expect, it } from 'vitest';
import { blendTransforms, deformTwoLayer } from '../../src/reduce/runtime/two-layer.ts';
import { reduceTwoLayer } from '../../src/reduce/two-layer/reduce-two-layer.ts';
import { kLargestWeights } from '../../src/reduce/weights/k-largest.ts';
import { reduceWeights } from '../../src/reduce/weights/reduce-weights.ts';
import { deformLinear } from '../../src/shared/blending/linear.ts';
import { denseCreature } from './dense-rig.ts';

const numerics = await openNumerics();
afterAll(() => numerics.close());

const { rig, clip } = denseCreature();
const n = rig.mesh.positions.length / 3;
const m = rig.bones.length;

describe('deformTwoLayer', () => {
  it('gives the rest pose for bones at rest, exactly', () => {
    const skin = {
      masters: { slots: 2, bones: Uint16Array.of(0, 1, 1, 0), weights: Float32Array.of(0.5, 0.5, 1, 0) },
      vertices: { slots: 2, bones: Uint16Array.of(0, 1, 1, 0), weights: Float32Array.of(0.25, 0.75, 1, 0) },
    };
    const rest = Float32Array.of(1, 2, 3, -4, 5, 0.5);
    const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
    const out = deformTwoLayer(
      rest,
      skin,
      Float64Array.from([...identity, ...identity]),
      new Float64Array(24),
      new Float32Array(6),
    );
    expect([...out]).toEqual([...rest]);
  });

  it('is linear blending by the product of its layers', () => {
    const { skin } = reduceTwoLayer({ rig, clips: [clip] }, { virtual: 40 }, { numerics });
    const { masters, vertices } = skin;
    const virtual = new Float64Array(12 * virtualCount(skin));
    const pose = clip.transforms.subarray(5 * m * 12, 6 * m * 12);
    const layered = deformTwoLayer(rig.mesh.positions, skin, pose, virtual, new Float32Array(3 * n));
    // The product, vertex by vertex, in plain arithmetic.
    for (const i of [0, 17, n - 1]) {
      const sum = [0, 0, 0];
      for (let s = 2 * i; s < 2 * i + 2; s++) {
        for (let k = vertices.bones[s] * masters.slots; k < (vertices.bones[s] + 1) * masters.slots; k++) {
          const w = vertices.weights[s] * masters.weights[k];
          for (let row = 0; row < 3; row++) {
            const at = masters.bones[k] * 12 + 4 * row;
            let moved = pose[at + 3];
            for (let c = 0; c < 3; c++) moved += pose[at + c] * rig.mesh.positions[3 * i + c];
            sum[row] += w * moved;
          }
        }
      }
      for (let row = 0; row < 3; row++) expect(layered[3 * i + row]).toBeCloseTo(sum[row], 5);
    }
  });
});

describe('reduceTwoLayer', () => {
  it('is exact where there are as many virtual bones as kinds of vertices', () => {
    // Every vertex wholly on one bone: the bones themselves are the atoms.
    const single: Rig = { ...rig, weights: kLargestWeights(rig.weights, 1) };
    for (const objective of ['shapes', 'weights'] as const) {
      const reduced = reduceTwoLayer({ rig: single, clips: [clip] }, { objective, virtual: m }, { numerics });
      expect(virtualCount(reduced.skin)).toBeLessThanOrEqual(m);
      expect(reduced.error.eRms).toBeLessThan(1e-3);
    }
  });

  it.each(['shapes', 'weights'] as const)(
    'minimising the error of the %s, is convex in both layers and better with more',
    (objective) => {
      const errors = [8, 24, 72].map((virtual) => {
        const { skin, error } = reduceTwoLayer({ rig, clips: [clip] }, { objective, virtual }, { numerics });
        expect(virtualCount(skin)).toBe(virtual);
        validateSkinWeights(skin.masters, virtual, m);
        validateSkinWeights(skin.vertices, n, virtual);
        return error.eRms;
      });
      expect(errors[1]).toBeLessThan(errors[0]);
      expect(errors[2]).toBeLessThan(errors[1]);
    },
  );

  it('knows of the examples what the weights do not say', () => {
    const [shapes, weights] = (['shapes', 'weights'] as const).map(
      (objective) => reduceTwoLayer({ rig, clips: [clip] }, { objective, virtual: 48 }, { numerics }).error.eRms,
    );
    expect(shapes).toBeLessThan(weights);
  });

  it('costs four blends a vertex by default and is better than the four largest weights', () => {
    const spread = denseCreature(40);
    const input = { rig: spread.rig, clips: [spread.clip] };
    const reduced = reduceTwoLayer(input, {}, { numerics });
    expect(reduced.blendsPerVertex).toBeLessThanOrEqual(4);
    expect(reduced.blendsPerVertex).toBeGreaterThan(3.5);
    const largest = reduceWeights(input, { method: 'k-largest', weights: 4 }, { numerics });
    expect(reduced.error.eRms).toBeLessThan(0.5 * largest.error.eRms);
  });

  it('says no to what cannot be, and stops when it is told to', () => {
    expect(() => reduceTwoLayer({ rig, clips: [clip] }, { virtual: -1 }, { numerics })).toThrow(UsageError);
    expect(() => reduceTwoLayer({ rig, clips: [clip] }, { blends: 1.5 }, { numerics })).toThrow(UsageError);
    const before = numerics.allocatedBytes;
    let told = 0;
    const context = {
      signal: {
        get aborted() {
          return told > 2;
        },
      },
      onProgress: () => {
        told++;
      },
    };
    expect(() => reduceTwoLayer({ rig, clips: [clip] }, {}, { numerics, ...context })).toThrow(CancelledError);
    expect(numerics.allocatedBytes).toBe(before);
  });

  it('takes one virtual bone, and a mesh of one vertex', () => {
    expect(virtualCount(reduceTwoLayer({ rig, clips: [clip] }, { virtual: 1 }, { numerics }).skin)).toBe(1);
    const point: Rig = {
      ...rig,
      mesh: { name: 'point', positions: Float32Array.of(1, 1, 1), triangles: new Uint32Array(0) },
      weights: { slots: 2, bones: Uint16Array.of(0, 1), weights: Float32Array.of(0.5, 0.5) },
    };
    expect(reduceTwoLayer({ rig: point, clips: [clip] }, {}, { numerics }).error.eRms).toBeLessThan(1e-3);
  });
});

describe('blendTransforms', () => {
  it('of whole weights copies', () => {
    const skin = { slots: 1, bones: Uint16Array.of(1, 0), weights: Float32Array.of(1, 1) };
    const transforms = Float64Array.from({ length: 24 }, (_, k) => k);
    expect([...blendTransforms(skin, transforms, new Float64Array(24))]).toEqual([
      ...transforms.subarray(12),
      ...transforms.subarray(0, 12),
    ]);
    // A blend of one layer is linear skinning itself.
    const rest = Float32Array.of(1, 2, 3);
    const one = { slots: 1, bones: Uint16Array.of(1), weights: Float32Array.of(1) };
    expect(deformLinear(rest, one, transforms, new Float32Array(3))[0]).toBe(12 + 13 * 2 + 14 * 3 + 15);
  });
});
