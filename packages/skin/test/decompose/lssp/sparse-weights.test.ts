import { Random } from '@pelt/math';
import { describe, expect, it } from 'vitest';
import { SparseWeights } from '../../../src/decompose/lssp/sparse-weights.ts';

/** Gram form of a random problem of `rows` equations: A, b = x_j·v and ‖v‖². */
function randomProblem(m: number, rows: number, seed: number) {
  const random = new Random(seed);
  const columns = Array.from({ length: m }, () => Array.from({ length: rows }, () => random.uniform(-1, 1)));
  const v = Array.from({ length: rows }, () => random.uniform(-1, 1));
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, k) => sum + x * b[k], 0);
  return {
    gram: Float64Array.from(columns.flatMap((a) => columns.map((b) => dot(a, b)))),
    product: Float64Array.from(columns, (a) => dot(a, v)),
    squaredNorm: dot(v, v),
  };
}

describe('SparseWeights', () => {
  it('leaves a solution as it is', () => {
    const { gram, product } = randomProblem(6, 20, 1);
    const weights = new Float64Array(6);
    const solver = new SparseWeights(6);
    solver.solve(gram, product, 0.1, weights, 0);
    const again = weights.slice();
    solver.solve(gram, product, 0.1, again, 0);
    again.forEach((w, j) => {
      expect(w).toBeCloseTo(weights[j], 9);
    });
  });

  it('shrinks by λ what it keeps, and drops what is worth less', () => {
    // Orthonormal trajectories: each weight is its product less λ, or nothing.
    const gram = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
    const weights = new Float64Array(4);
    new SparseWeights(3).solve(gram, Float64Array.of(0.7, 0.2, -0.4), 0.25, weights, 1);
    expect(weights[0]).toBe(0);
    expect(weights[1]).toBeCloseTo(0.45, 8);
    expect(weights[2]).toBe(0);
    expect(weights[3]).toBe(0);
  });

  it.each([2, 3, 4, 5, 6])('meets the conditions of the minimum (seed %d)', (seed) => {
    const m = 12;
    const { gram, product, squaredNorm } = randomProblem(m, 15, seed);
    const lambda = 0.2;
    const weights = new Float64Array(m);
    const explained = new SparseWeights(m).solve(gram, product, lambda, weights, 0);
    let error = squaredNorm;
    for (let j = 0; j < m; j++) {
      let slope = lambda - product[j];
      for (let k = 0; k < m; k++) slope += gram[j * m + k] * weights[k];
      expect(weights[j]).toBeGreaterThanOrEqual(0);
      if (weights[j] > 0) expect(Math.abs(slope)).toBeLessThan(1e-7);
      else expect(slope).toBeGreaterThan(-1e-7);
      error += weights[j] * (slope - lambda - product[j]);
    }
    expect(squaredNorm - explained).toBeCloseTo(error, 7);
  });

  it('uses fewer bones where λ is large, and none where it is larger than all products', () => {
    const { gram, product } = randomProblem(20, 60, 7);
    const used = [0, 2, 100].map((lambda) => {
      const weights = new Float64Array(20);
      new SparseWeights(20).solve(gram, product, lambda, weights, 0);
      return weights.filter((w) => w > 0).length;
    });
    expect(used[0]).toBeGreaterThan(used[1]);
    expect(used[1]).toBeGreaterThan(0);
    expect(used[2]).toBe(0);
  });

  it('takes bones that move alike, and none that moves', () => {
    const weights = new Float64Array(2);
    new SparseWeights(2).solve(Float64Array.of(1, 1, 1, 1), Float64Array.of(1, 1), 0, weights, 0);
    expect(weights[0] + weights[1]).toBeCloseTo(1, 6);
    const still = new Float64Array(2);
    expect(new SparseWeights(2).solve(new Float64Array(4), new Float64Array(2), 0.1, still, 0)).toBe(0);
    expect(still).toEqual(new Float64Array(2));
  });
});
