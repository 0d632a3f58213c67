import { Random, rotationExp } from '@pelt/math';
import { frameAt, UsageError } from '@pelt/model';
import { creatureScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { DeformationGradients, splitGradients } from '../../../src/shared/gradients/deformation-gradients.ts';

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** Every vertex times a 3 × 3, plus a translation. */
function mapped(positions: ArrayLike<number>, m: ArrayLike<number>, translation = [0, 0, 0]): Float64Array {
  return Float64Array.from(positions, (_, k) => {
    const i = k - (k % 3);
    const r = 3 * (k % 3);
    return m[r] * positions[i] + m[r + 1] * positions[i + 1] + m[r + 2] * positions[i + 2] + translation[k % 3];
  });
}

function multiplied(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  return IDENTITY.map((_, k) => {
    const [r, c] = [3 * Math.floor(k / 3), k % 3];
    return a[r] * b[c] + a[r + 1] * b[3 + c] + a[r + 2] * b[6 + c];
  });
}

/** Largest difference between each gradient and one matrix. */
function farthest(gradients: Float64Array, from: ArrayLike<number>): number {
  return gradients.reduce((most, value, k) => Math.max(most, Math.abs(value - from[k % 9])), 0);
}

/** Two triangles in the plane z = 0 that share an edge. */
const SQUARE = { positions: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0], triangles: Uint32Array.of(0, 1, 2, 0, 2, 3) };

describe('deformation gradients', () => {
  const { sequence } = creatureScene({ frames: 2, detail: 0.06 });
  const { positions, triangles } = sequence.rest;

  it('are the identity at rest', () => {
    const gradients = new DeformationGradients(positions, triangles);
    expect(farthest(gradients.of(positions), IDENTITY)).toBeLessThan(1e-12);
    expect(gradients.areas.every((area) => area > 0)).toBe(true);
  });

  it('of a flat square: a stretch in its plane, and the normal with the root of the area', () => {
    const gradients = new DeformationGradients(SQUARE.positions, SQUARE.triangles);
    const stretched = mapped(SQUARE.positions, [4, 0, 0, 0, 1, 0, 0, 0, 1]);
    // The normal (e₁ × e₂)/√‖e₁ × e₂‖ grows with the root of the area: 2 where the area is 4.
    expect(farthest(gradients.of(stretched), [4, 0, 0, 0, 1, 0, 0, 0, 2])).toBeLessThan(1e-14);
  });

  it('are the rotation of a rigid motion, and the scale of a scaled one, at any size', () => {
    const rotation = new Float64Array(9);
    rotationExp([0.4, -1.9, 1.1], 0, rotation, 0);
    for (const size of [1e-6, 1, 1e6]) {
      const rest = mapped(
        positions,
        IDENTITY.map((value) => size * value),
      );
      const gradients = new DeformationGradients(rest, triangles);
      expect(farthest(gradients.of(mapped(rest, rotation, [size, 2 * size, -size])), rotation)).toBeLessThan(1e-9);
      const tripled = rotation.map((value) => 3 * value);
      expect(farthest(gradients.of(mapped(rest, tripled)), tripled)).toBeLessThan(1e-9);
    }
  });

  it('take edges to edges', () => {
    const gradients = new DeformationGradients(positions, triangles);
    const posed = frameAt(sequence, 1);
    const d = gradients.of(posed);
    for (let t = 0; t < gradients.count; t++) {
      const [a, b] = [3 * triangles[3 * t], 3 * triangles[3 * t + 1]];
      for (let r = 0; r < 3; r++) {
        let edge = 0;
        for (let c = 0; c < 3; c++) edge += d[9 * t + 3 * r + c] * (positions[b + c] - positions[a + c]);
        expect(Math.abs(edge - (posed[b + r] - posed[a + r]))).toBeLessThan(1e-12);
      }
    }
  });

  it('split into a proper rotation and a symmetric stretch, mirrored ones too', () => {
    const random = new Random(5);
    const gradients = Float64Array.from({ length: 9 * 200 }, () => random.uniform(-1, 1));
    const [rotations, stretches] = [new Float64Array(1800), new Float64Array(1800)];
    splitGradients(gradients, rotations, stretches);
    for (let at = 0; at < 1800; at += 9) {
      const r = rotations.subarray(at, at + 9);
      const s = stretches.subarray(at, at + 9);
      expect(farthest(Float64Array.from(multiplied(r, s)), gradients.subarray(at, at + 9))).toBeLessThan(1e-11);
      const determinant =
        r[0] * (r[4] * r[8] - r[5] * r[7]) + r[1] * (r[5] * r[6] - r[3] * r[8]) + r[2] * (r[3] * r[7] - r[4] * r[6]);
      expect(determinant).toBeCloseTo(1, 11);
      expect([s[1], s[2], s[5]]).toEqual([s[3], s[6], s[7]]);
    }
  });

  it('of flat triangles are those of their neighbours, ring by ring', () => {
    // Beside the square: a triangle folded onto the edge 1–2, and one folded onto that.
    const rest = [...SQUARE.positions, 1, 0.5, 0, 1, 0.25, 0];
    const faces = Uint32Array.of(...SQUARE.triangles, 1, 4, 2, 1, 5, 4);
    const gradients = new DeformationGradients(rest, faces);
    expect(Array.from(gradients.areas)).toEqual([0.5, 0.5, 0, 0]);
    const doubled = [2, 0, 0, 0, 2, 0, 0, 0, 2];
    expect(farthest(gradients.of(mapped(rest, doubled)), doubled)).toBeLessThan(1e-14);
  });

  it('of a part without any area are the identity, and a pose that flattens stays finite', () => {
    const nothing = new DeformationGradients([0, 0, 0, 1, 0, 0, 2, 0, 0], Uint32Array.of(0, 1, 2));
    expect(Array.from(nothing.of([5, 0, 0, 5, 0, 0, 5, 0, 0]))).toEqual(IDENTITY);
    const square = new DeformationGradients(SQUARE.positions, SQUARE.triangles);
    const flattened = square.of(mapped(SQUARE.positions, [1, 0, 0, 0, 0, 0, 0, 0, 1]));
    const [rotations, stretches] = [new Float64Array(18), new Float64Array(18)];
    splitGradients(flattened, rotations, stretches);
    expect([...flattened, ...rotations, ...stretches].every(Number.isFinite)).toBe(true);
  });

  it('refuse a pose of another mesh', () => {
    const gradients = new DeformationGradients(SQUARE.positions, SQUARE.triangles);
    expect(() => gradients.of([0, 0, 0])).toThrow(UsageError);
  });
});
