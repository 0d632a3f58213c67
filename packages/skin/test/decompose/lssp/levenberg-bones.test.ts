import { openNumerics, Random, rotationExp } from '@pelt/math';
import { afterAll, describe, expect, it } from 'vitest';
import { LevenbergBones } from '../../../src/decompose/lssp/levenberg-bones.ts';

const numerics = await openNumerics({ threads: 1 });
afterAll(() => numerics.close());

const N = 60;
const M = 3;

/** Points with weights of three bones, the bones, and where these put the points. */
function scene(turn: number, seed = 5) {
  const random = new Random(seed);
  const points = Float64Array.from({ length: 3 * N }, () => random.uniform(-1, 1));
  const weights = Float64Array.from({ length: M * N }, () => random.uniform(0, 1) ** 3);
  const bones = new Float64Array(12 * M);
  for (let j = 0; j < M; j++) {
    const R = new Float64Array(9);
    rotationExp(
      Float64Array.from({ length: 3 }, () => random.uniform(-turn, turn)),
      0,
      R,
      0,
    );
    for (let k = 0; k < 9; k++) bones[12 * j + 4 * Math.floor(k / 3) + (k % 3)] = R[k];
    for (let d = 0; d < 3; d++) bones[12 * j + 4 * d + 3] = random.uniform(-1, 1);
  }
  return { points, weights, bones, targets: posed(points, weights, bones) };
}

function posed(points: Float64Array, weights: Float64Array, bones: Float64Array): Float64Array {
  const out = new Float64Array(3 * N);
  for (let i = 0; i < N; i++) {
    for (let j = 0; j < M; j++) {
      for (let d = 0; d < 3; d++) {
        const row = bones.subarray(12 * j + 4 * d, 12 * j + 4 * d + 4);
        const [x, y, z] = points.subarray(3 * i, 3 * i + 3);
        out[3 * i + d] += weights[i * M + j] * (row[0] * x + row[1] * y + row[2] * z + row[3]);
      }
    }
  }
  return out;
}

/** P (m × m × 10) and Q (m × 12), summed point by point. */
function momentsOf(points: Float64Array, weights: Float64Array, targets: Float64Array) {
  const P = new Float64Array(10 * M * M);
  const Q = new Float64Array(12 * M);
  for (let i = 0; i < N; i++) {
    const p = [...points.subarray(3 * i, 3 * i + 3), 1];
    for (let j = 0; j < M; j++) {
      for (let k = 0; k < M; k++) {
        for (let a = 0, e = 0; a < 4; a++) {
          for (let b = a; b < 4; b++)
            P[10 * (j * M + k) + e++] += weights[i * M + j] * weights[i * M + k] * p[a] * p[b];
        }
      }
      for (let e = 0; e < 12; e++) {
        Q[12 * j + e] += weights[i * M + j] * targets[3 * i + Math.floor(e / 4)] * p[e % 4];
      }
    }
  }
  return { P, Q };
}

function errorOf(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, x, k) => sum + (x - b[k]) ** 2, 0);
}

const IDENTITIES = Float64Array.from({ length: 12 * M }, (_, k) => ([0, 5, 10].includes(k % 12) ? 1 : 0));

describe('LevenbergBones', () => {
  function solve(P: Float64Array, Q: Float64Array, start: Float64Array, iterations: number): Float64Array {
    const bones = start.slice();
    const solver = new LevenbergBones(numerics, M, P);
    solver.solve(bones, Q, iterations);
    solver.dispose();
    return bones;
  }

  it('stays where the points are met', () => {
    const { points, weights, bones, targets } = scene(0.8);
    const { P, Q } = momentsOf(points, weights, targets);
    solve(P, Q, bones, 3).forEach((value, k) => {
      expect(value).toBeCloseTo(bones[k], 6);
    });
  });

  it('finds bones again that moved the points', () => {
    const { points, weights, bones, targets } = scene(0.6);
    const { P, Q } = momentsOf(points, weights, targets);
    solve(P, Q, IDENTITIES, 30).forEach((value, k) => {
      expect(value).toBeCloseTo(bones[k], 5);
    });
  });

  it('lowers the error with every step, and keeps rotations', () => {
    const { points, weights, targets } = scene(2.5, 8);
    // What no rigid bones can reach.
    const stretched = targets.map((value, k) => (k % 3 === 0 ? 1.4 * value : value));
    const { P, Q } = momentsOf(points, weights, stretched);
    let last = Number.POSITIVE_INFINITY;
    for (let steps = 0; steps < 8; steps++) {
      const bones = solve(P, Q, IDENTITIES, steps);
      const error = errorOf(posed(points, weights, bones), stretched);
      expect(error).toBeLessThanOrEqual(last);
      last = error;
      for (let k = 0; k < bones.length; k += 12) {
        const [a, b, c, , d, e, f, , g, h, i] = bones.subarray(k, k + 12);
        expect(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)).toBeCloseTo(1, 12);
        expect(a * d + b * e + c * f).toBeCloseTo(0, 12);
      }
    }
  });

  it('leaves a bone without points where it is', () => {
    const { points, weights, targets } = scene(0.3);
    const without = weights.map((w, k) => (k % M === 2 ? 0 : w));
    const { P, Q } = momentsOf(points, without, targets);
    expect(solve(P, Q, IDENTITIES, 5).subarray(24)).toEqual(IDENTITIES.subarray(24));
    expect(solve(new Float64Array(90), new Float64Array(36), IDENTITIES, 5)).toEqual(IDENTITIES);
  });
});
