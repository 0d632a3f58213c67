import { openNumerics } from '@pelt/math';
import { barScene } from '@pelt/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { edgeWeights, GradientSurface } from '../../../src/envelope/runtime/gradient-surface.ts';
import { DeformationGradients } from '../../../src/shared/gradients/deformation-gradients.ts';

const { sequence } = barScene({ frames: 3, rings: 9, sides: 8 });
const { positions, triangles } = sequence.rest;
const n = positions.length / 3;
let numerics: Awaited<ReturnType<typeof openNumerics>>;

beforeAll(async () => {
  numerics = await openNumerics();
});

function anchored(...fixed: number[]): Uint8Array {
  const flags = new Uint8Array(n);
  for (const i of fixed) flags[i] = 1;
  return flags;
}

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Array.from(a).reduce((largest, value, k) => Math.max(largest, Math.abs(value - b[k])), 0);
}

describe('surface from gradients', () => {
  it('is the rest pose for identities', () => {
    const surface = new GradientSurface(numerics, positions, triangles, anchored(0), 0);
    const gradients = new Float64Array(3 * triangles.length).map((_, k) => ((k % 9) % 4 === 0 ? 1 : 0));
    const given = Float64Array.from(positions);
    expect(largestDifference(surface.solve(gradients, given, new Float64Array(3 * n)), positions)).toBeLessThan(1e-12);
    surface.dispose();
  });

  it('is the pose whose gradients are given, from one anchor', () => {
    const shape = sequence.frames.subarray(6 * n);
    const gradients = new DeformationGradients(positions, triangles).of(shape);
    const surface = new GradientSurface(numerics, positions, triangles, anchored(5), 0);
    const out = surface.solve(gradients, Float64Array.from(shape), new Float64Array(3 * n));
    expect(largestDifference(out, shape)).toBeLessThan(1e-6);
    surface.dispose();
  });

  it('goes to what it is pulled to as the pull grows, and may work in place', () => {
    const gradients = new Float64Array(3 * triangles.length);
    const given = Float64Array.from(positions, (value) => value + 1);
    const surface = new GradientSurface(numerics, positions, triangles, anchored(), 1e9);
    const expected = given.slice();
    expect(largestDifference(surface.solve(gradients, given, given), expected)).toBeLessThan(1e-6);
    surface.dispose();
  });

  it('gives back what is given where every vertex is fixed', () => {
    const given = Float64Array.from(positions, (_, k) => k);
    const surface = new GradientSurface(numerics, positions, triangles, new Uint8Array(n).fill(1), 0);
    expect(surface.solve(new Float64Array(3 * triangles.length), given, new Float64Array(3 * n))).toEqual(given);
    surface.dispose();
  });

  it('gives an edge without length a finite weight', () => {
    const flat = new Float32Array([0, 0, 0, 0, 0, 0, 1, 0, 0]);
    const weights = edgeWeights(flat, new Uint32Array([0, 1, 2]));
    expect(weights.every(Number.isFinite)).toBe(true);
    expect(weights[1]).toBeCloseTo(1, 12);
  });
});
