import quadprog from 'quadprog';
import { describe, expect, it } from 'vitest';
import { type ConvexQp, NumericError, Random, solveConvexQp } from '../../src/index.ts';
import { identity, largestDifference, multiply, randomMatrix, randomPositiveDefinite, transpose } from '../matrices.ts';

/** The conditions of Karush, Kuhn and Tucker: together they are the optimum. */
function validate(problem: ConvexQp, scale = 1): Float64Array {
  const { x, multipliers, active } = solveConvexQp(problem);
  const n = problem.linear.length;
  const m = problem.bounds.length;
  const gradient = multiply(problem.hessian, x, n, n, 1);
  for (let k = 0; k < n; k++) {
    let pull = 0;
    for (let i = 0; i < m; i++) pull += multipliers[i] * problem.constraints[i * n + k];
    expect(Math.abs(gradient[k] - problem.linear[k] - pull)).toBeLessThan(1e-9 * scale);
  }
  for (let i = 0; i < m; i++) {
    let slack = -problem.bounds[i];
    for (let k = 0; k < n; k++) slack += problem.constraints[i * n + k] * x[k];
    if (i < problem.equations) expect(Math.abs(slack)).toBeLessThan(1e-9 * scale);
    else {
      expect(slack).toBeGreaterThan(-1e-9 * scale);
      expect(multipliers[i]).toBeGreaterThanOrEqual(0);
      expect(Math.abs(slack * multipliers[i])).toBeLessThan(1e-9 * scale * scale);
    }
    if (!active.includes(i)) expect(multipliers[i]).toBe(0);
  }
  return x;
}

/** The same by the package quadprog, which counts from one. */
function oracle({ hessian, linear, constraints, bounds, equations }: ConvexQp): number[] {
  const n = linear.length;
  const m = bounds.length;
  const oneBased = (rows: number, columns: number, entry: (r: number, c: number) => number) => [
    [],
    ...Array.from({ length: rows }, (_, r) => [0, ...Array.from({ length: columns }, (_unused, c) => entry(r, c))]),
  ];
  const result = quadprog.solveQP(
    oneBased(n, n, (r, c) => hessian[r * n + c]),
    [0, ...Array.from(linear)],
    oneBased(n, m, (r, c) => constraints[c * n + r]),
    [0, ...Array.from(bounds)],
    equations,
  );
  expect(result.message).toBe('');
  return result.solution.slice(1);
}

/** Feasible by construction: the bounds hold at a random point. */
function randomProblem(random: Random, n: number, m: number, equations: number): ConvexQp {
  const point = randomMatrix(random, n, 1);
  const constraints = randomMatrix(random, m, n);
  const values = multiply(constraints, point, m, n, 1);
  return {
    hessian: randomPositiveDefinite(random, n),
    linear: randomMatrix(random, n, 1).map((x) => 10 * x),
    constraints,
    bounds: values.map((value, i) => (i < equations ? value : value - Math.abs(random.normal()))),
    equations,
  };
}

describe('solveConvexQp', () => {
  it('gives the free minimum where nothing binds', () => {
    const x = validate({ hessian: [2, 0, 0, 4], linear: [2, 4], constraints: [], bounds: [], equations: 0 });
    expect(largestDifference(x, [1, 1])).toBeLessThan(1e-15);
  });

  it('projects onto a half-plane, a line and a corner', () => {
    const to = (constraints: number[], bounds: number[], equations: number) =>
      validate({ hessian: identity(2), linear: [3, 1], constraints, bounds, equations });
    // x ≤ 2
    expect(largestDifference(to([-1, 0], [-2], 0), [2, 1])).toBeLessThan(1e-15);
    // x + y = 1
    expect(largestDifference(to([1, 1], [1], 1), [1.5, -0.5])).toBeLessThan(1e-15);
    // x ≤ 1, y ≤ 0.5, x + y ≤ 5 (idle)
    expect(largestDifference(to([-1, 0, 0, -1, -1, -1], [-1, -0.5, -5], 0), [1, 0.5])).toBeLessThan(1e-15);
  });

  it('projects onto the simplex', () => {
    const n = 5;
    const constraints = [...new Float64Array(n).fill(1), ...identity(n)];
    const bounds = [1, 0, 0, 0, 0, 0];
    const x = validate({
      hessian: identity(n),
      linear: [0.9, 0.8, 0.1, -0.2, 0.05],
      constraints,
      bounds,
      equations: 1,
    });
    expect(largestDifference(x, [0.55, 0.45, 0, 0, 0])).toBeLessThan(1e-15);
  });

  it.each([
    [1, 1, 0],
    [2, 3, 1],
    [3, 7, 0],
    [7, 3, 3],
    [7, 20, 2],
    [20, 40, 5],
  ])('meets the conditions of the optimum and agrees with quadprog: %i unknowns, %i constraints', (n, m, equations) => {
    const random = new Random(n * 100 + m);
    for (let round = 0; round < 40; round++) {
      const problem = randomProblem(random, n, m, equations);
      const x = validate(problem);
      expect(largestDifference(x, oracle(problem))).toBeLessThan(1e-9);
    }
  });

  it.each([1, 1e-6])('survives integer constraints, where everything touches, with curvature down to %f', (least) => {
    const random = new Random(10);
    const integers = (count: number, size: number) =>
      Float64Array.from({ length: count }, () => random.integer(2 * size + 1) - size);
    for (let round = 0; round < 400; round++) {
      const n = 1 + random.integer(6);
      const m = random.integer(16);
      const equations = Math.min(m, random.integer(3));
      const root = integers(n * n, 1);
      const hessian = multiply(root, transpose(root, n, n), n, n, n);
      for (let k = 0; k < n; k++) hessian[k * n + k] += least;
      const constraints = integers(m * n, 1);
      const values = multiply(constraints, integers(n, 2), m, n, 1);
      const bounds = values.map((value, i) => (i < equations ? value : value - random.integer(2)));
      validate({ hessian, linear: integers(n, 5), constraints, bounds, equations }, 1e3);
    }
  });

  it.each([1e-6, 1e6])('finds the same at scale %f', (scale) => {
    const problem = randomProblem(new Random(9), 6, 10, 1);
    const x = solveConvexQp(problem).x;
    const scaled = {
      ...problem,
      linear: Float64Array.from(problem.linear, (v) => v * scale),
      bounds: Float64Array.from(problem.bounds, (v) => v * scale),
    };
    expect(
      largestDifference(
        validate(scaled, scale).map((v) => v / scale),
        x,
      ),
    ).toBeLessThan(1e-12);
  });

  it('takes constraints that repeat, touch at a point, or are rows of zeros', () => {
    const base = { hessian: identity(2), linear: [2, 2] };
    const repeated = { ...base, constraints: [1, 1, 2, 2, -1, 0, -1, 0, -3, 0], bounds: [1, 2, -0.4, -0.4, -1.2] };
    expect(largestDifference(solveConvexQp({ ...repeated, equations: 2 }).x, [0.4, 0.6])).toBeLessThan(1e-14);
    // x ≤ 1, y ≤ 1, x + y ≤ 2, all through (1, 1)
    const corner = { ...base, constraints: [-1, 0, 0, -1, -1, -1], bounds: [-1, -1, -2], equations: 0 };
    expect(largestDifference(validate(corner), [1, 1])).toBeLessThan(1e-14);
    const zeros = { ...base, constraints: [0, 0, -1, 0], bounds: [-1, -1], equations: 0 };
    expect(largestDifference(validate(zeros), [1, 2])).toBeLessThan(1e-14);
  });

  it('says that there is no solution', () => {
    const base = { hessian: identity(1), linear: [0] };
    expect(() => solveConvexQp({ ...base, constraints: [1, -1], bounds: [2, -1], equations: 0 })).toThrow(
      /contradicts/,
    );
    expect(() => solveConvexQp({ ...base, constraints: [1, 1], bounds: [2, 1], equations: 2 })).toThrow(/contradicts/);
    expect(() => solveConvexQp({ ...base, constraints: [0], bounds: [1], equations: 0 })).toThrow(/contradicts/);
  });

  it('refuses a matrix that is not positive definite, and sizes that do not fit', () => {
    const base = { constraints: [], bounds: [], equations: 0 };
    expect(() => solveConvexQp({ ...base, hessian: [1, 0, 0, -1], linear: [0, 0] })).toThrow(/column 1/);
    expect(() => solveConvexQp({ ...base, hessian: [1], linear: [0, 0] })).toThrow(NumericError);
  });

  it('takes no unknowns', () => {
    expect(solveConvexQp({ hessian: [], linear: [], constraints: [], bounds: [], equations: 0 }).x.length).toBe(0);
  });
});
