import { rotationExp } from '@pelt/math';
import { IDENTITY_TRANSFORM, type SkinWeights } from '@pelt/model';
import { cylinder } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { deformDualQuaternion } from '../../../src/shared/blending/dual-quaternion.ts';
import { deformLinear } from '../../../src/shared/blending/linear.ts';

/** A rigid transform: the rotation of a log, then a translation. */
function rigid(log: readonly number[], translation: readonly number[]): number[] {
  const r = new Float64Array(9);
  rotationExp(log, 0, r, 0);
  return [0, 1, 2].flatMap((row) => [r[3 * row], r[3 * row + 1], r[3 * row + 2], translation[row]]);
}

function halves(n: number): SkinWeights {
  const bones = Uint16Array.from({ length: 2 * n }, (_, k) => k % 2);
  return { slots: 2, bones, weights: new Float32Array(2 * n).fill(0.5) };
}

const POINTS = Float32Array.of(1, 0, 0, 0, 2, 0, 0, 0, 3, -1, 0.5, 0.25);

describe('dual quaternion skinning', () => {
  it('keeps the rest pose to the last bit', () => {
    const still = Float64Array.from([...IDENTITY_TRANSFORM, ...IDENTITY_TRANSFORM]);
    expect(deformDualQuaternion(POINTS, halves(4), still, new Float32Array(12))).toEqual(POINTS);
  });

  it('moves rigidly what all bones move alike', () => {
    const one = rigid([0.3, -2, 1.1], [4, 5, -6]);
    const both = Float64Array.from([...one, ...one]);
    const moved = deformDualQuaternion(POINTS, halves(4), both, new Float32Array(12));
    const expected = deformLinear(POINTS, halves(4), both, new Float32Array(12));
    moved.forEach((value, k) => {
      expect(value).toBeCloseTo(expected[k], 5);
    });
  });

  it('turns by half of a quarter turn, about its axis, without shrinking', () => {
    // Bone 0 at rest, bone 1 a quarter turn about the z axis through (2, 0): the blend is an eighth about the same.
    const quarter = rigid([0, 0, Math.PI / 2], [2, -2, 0]);
    const transforms = Float64Array.from([...IDENTITY_TRANSFORM, ...quarter]);
    const [x, y, z] = deformDualQuaternion(Float32Array.of(3, 0, 7), halves(1), transforms, new Float32Array(3));
    expect(x).toBeCloseTo(2 + Math.SQRT1_2, 6);
    expect(y).toBeCloseTo(Math.SQRT1_2, 6);
    expect(z).toBeCloseTo(7, 6);
  });

  it('goes the short way round, whichever of q and −q a bone has', () => {
    // 170° and −170° about z meet at 180°, not at 0°.
    const angle = (170 * Math.PI) / 180;
    const transforms = Float64Array.from([...rigid([0, 0, angle], [0, 0, 0]), ...rigid([0, 0, -angle], [0, 0, 0])]);
    const [x, y] = deformDualQuaternion(Float32Array.of(1, 0, 0), halves(1), transforms, new Float32Array(3));
    expect(x).toBeCloseTo(-1, 6);
    expect(y).toBeCloseTo(0, 6);
  });

  it('leaves out the stretch of a bone', () => {
    const stretched = rigid([0, 0, 1], [1, 2, 3]).map((value, k) => (k % 4 === 0 ? 2 * value : value));
    const transforms = Float64Array.from([...stretched, ...stretched]);
    const moved = deformDualQuaternion(POINTS, halves(4), transforms, new Float32Array(12));
    for (let i = 1; i < 4; i++) {
      const [a, b] = [0, 3 * i];
      const length = (p: Float32Array) => Math.hypot(p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]);
      expect(length(moved)).toBeCloseTo(length(POINTS), 5);
    }
  });

  it.each([1e-6, 1e6])('does not depend on the scale (%f)', (scale) => {
    const transforms = (s: number) =>
      Float64Array.from([...rigid([1, 0, 0], [s, 0, 0]), ...rigid([0, 2, 0], [0, 0, s])]);
    const small = deformDualQuaternion(POINTS, halves(4), transforms(1), new Float32Array(12));
    const scaled = POINTS.map((value) => scale * value);
    const large = deformDualQuaternion(scaled, halves(4), transforms(scale), new Float32Array(12));
    small.forEach((value, k) => {
      expect(large[k] / scale).toBeCloseTo(value, 5);
    });
  });

  it('keeps a twisted cylinder thick where linear blending halves its section', () => {
    const { mesh, rings, twisted } = cylinder({ sides: 16, bones: 2 });
    const n = mesh.positions.length / 3;
    const weights = new Float32Array(2 * n);
    for (let i = 0; i < n; i++) {
      const share = Math.min(Math.max((mesh.positions[3 * i] - 4) / 4, 0), 1);
      weights.set([1 - share, share], 2 * i);
    }
    const skin = { slots: 2, bones: Uint16Array.from(weights, (_, k) => k % 2), weights };
    const thinnest = (positions: Float32Array) =>
      Math.min(...rings.flat().map((i) => Math.hypot(positions[3 * i + 1], positions[3 * i + 2])));
    const pose = twisted(90);
    expect(thinnest(deformDualQuaternion(mesh.positions, skin, pose, new Float32Array(3 * n)))).toBeCloseTo(1, 5);
    expect(thinnest(deformLinear(mesh.positions, skin, pose, new Float32Array(3 * n)))).toBeLessThan(0.72);
  });
});
