import { afterAll, describe, expect, it } from 'vitest';
import { openNumerics, Random, type SimplexProblems, simplexLeastSquares } from '../../src/index.ts';
import { bruteForceSimplex, quadratic } from '../oracles/simplex.ts';

const numerics = await openNumerics({ threads: 2 });
afterAll(() => numerics.close());

/** Random problems with A of `rows` × c: fewer rows than columns make the Gram matrix singular. */
function randomProblems(random: Random, count: number, c: number, rows: number, scale = 1): SimplexProblems {
  const gram = new Float64Array(count * c * c);
  const rhs = new Float64Array(count * c);
  const squaredNorms = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const a = Float64Array.from({ length: rows * c }, () => scale * random.normal());
    const b = Float64Array.from({ length: rows }, () => scale * random.normal());
    for (let r = 0; r < rows; r++) {
      squaredNorms[i] += b[r] ** 2;
      for (let j = 0; j < c; j++) {
        rhs[i * c + j] += a[r * c + j] * b[r];
        for (let k = 0; k < c; k++) gram[(i * c + j) * c + k] += a[r * c + j] * a[r * c + k];
      }
    }
  }
  return { size: c, gram, rhs, squaredNorms };
}

/** The matrix of problem i in the centred form, whose value is the squared residual. */
function centred({ size: c, gram, rhs, squaredNorms }: SimplexProblems, i: number): Float64Array {
  return Float64Array.from({ length: c * c }, (_, at) => {
    const [j, k] = [Math.floor(at / c), at % c];
    return gram[(i * c + j) * c + k] - rhs[i * c + j] - rhs[i * c + k] + squaredNorms[i];
  });
}

function expectConvex(x: Float64Array): void {
  expect(Math.min(...x)).toBeGreaterThanOrEqual(0);
  expect(x.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 12);
}

describe('least squares on the simplex', () => {
  it('gives 1 to the only column', () => {
    const problems = { size: 1, gram: Float64Array.of(4), rhs: Float64Array.of(1), squaredNorms: Float64Array.of(1) };
    expect(simplexLeastSquares(numerics, problems)).toEqual(Float64Array.of(1));
  });

  it('finds the point of a segment nearest to the target', () => {
    // Columns (0, 0) and (4, 0), target (1, 3): a quarter of the way along.
    const problems = {
      size: 2,
      gram: Float64Array.of(0, 0, 0, 16),
      rhs: Float64Array.of(0, 4),
      squaredNorms: Float64Array.of(10),
    };
    const x = simplexLeastSquares(numerics, problems);
    expect(x[0]).toBeCloseTo(0.75, 9);
    expect(x[1]).toBeCloseTo(0.25, 9);
  });

  it('takes a corner where the target lies beyond it', () => {
    // Target (−2, 0) before the first column.
    const problems = {
      size: 2,
      gram: Float64Array.of(0, 0, 0, 16),
      rhs: Float64Array.of(0, -8),
      squaredNorms: Float64Array.of(4),
    };
    expect(simplexLeastSquares(numerics, problems)).toEqual(Float64Array.of(1, 0));
  });

  it.each([
    [2, 4],
    [3, 9],
    [5, 12],
    [7, 20],
  ])('equals brute force over all supports, %i columns of %i rows (seed 5)', (c, rows) => {
    const count = 800;
    const problems = randomProblems(new Random(5), count, c, rows);
    const x = simplexLeastSquares(numerics, problems);
    for (let i = 0; i < count; i++) {
      const a = centred(problems, i);
      const mine = x.subarray(i * c, (i + 1) * c);
      expectConvex(mine);
      const best = bruteForceSimplex(a, c);
      expect(quadratic(a, c, mine)).toBeLessThanOrEqual(best.value * (1 + 1e-8) + 1e-10);
    }
  });

  it.each([8, 16, 33, 64, 65])('meets the conditions of Karush, Kuhn and Tucker with %i columns (seed 7)', (c) => {
    const count = 60;
    const problems = randomProblems(new Random(7), count, c, 2 * c);
    const x = simplexLeastSquares(numerics, problems);
    for (let i = 0; i < count; i++) {
      const a = centred(problems, i);
      const mine = x.subarray(i * c, (i + 1) * c);
      expectConvex(mine);
      const value = quadratic(a, c, mine);
      const scale = Math.max(...Array.from({ length: c }, (_, j) => a[j * c + j]));
      for (let j = 0; j < c; j++) {
        let gradient = -value;
        for (let k = 0; k < c; k++) gradient += a[j * c + k] * mine[k];
        if (mine[j] > 0) expect(Math.abs(gradient)).toBeLessThan(1e-8 * scale);
        else expect(gradient).toBeGreaterThan(-1e-8 * scale);
      }
    }
  });

  it('keeps at most the number of non-zeros asked for, near the best support (seed 9)', () => {
    const [c, count, limit] = [6, 400, 3];
    const problems = randomProblems(new Random(9), count, c, 15);
    const x = simplexLeastSquares(numerics, problems, { limit });
    let worse = 0;
    for (let i = 0; i < count; i++) {
      const a = centred(problems, i);
      const mine = x.subarray(i * c, (i + 1) * c);
      expectConvex(mine);
      expect(mine.filter((value) => value > 0).length).toBeLessThanOrEqual(limit);
      if (quadratic(a, c, mine) > 1.0001 * bruteForceSimplex(a, c, limit).value) worse++;
    }
    // Elimination is a heuristic: it finds the best support nearly always, not always.
    expect(worse).toBeLessThan(0.15 * count);
  });

  it('shares the weight of duplicate columns and stays at the optimum (seed 11)', () => {
    const [c, count] = [4, 200];
    const single = randomProblems(new Random(11), count, c, 10);
    // Every column twice.
    const gram = new Float64Array(count * 4 * c * c);
    const rhs = new Float64Array(count * 2 * c);
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < 2 * c; j++) {
        rhs[i * 2 * c + j] = single.rhs[i * c + (j >> 1)];
        for (let k = 0; k < 2 * c; k++) {
          gram[(i * 2 * c + j) * 2 * c + k] = single.gram[(i * c + (j >> 1)) * c + (k >> 1)];
        }
      }
    }
    const doubled = { size: 2 * c, gram, rhs, squaredNorms: single.squaredNorms };
    const x = simplexLeastSquares(numerics, doubled);
    const y = simplexLeastSquares(numerics, single);
    for (let i = 0; i < count; i++) {
      const mine = x.subarray(i * 2 * c, (i + 1) * 2 * c);
      expectConvex(mine);
      const joined = Float64Array.from({ length: c }, (_, j) => mine[2 * j] + mine[2 * j + 1]);
      const a = centred(single, i);
      expect(quadratic(a, c, joined)).toBeCloseTo(quadratic(a, c, y.subarray(i * c, (i + 1) * c)), 7);
    }
  });

  it('needs no more rows than columns (seed 13)', () => {
    const [c, count] = [6, 200];
    const problems = randomProblems(new Random(13), count, c, 3);
    const x = simplexLeastSquares(numerics, problems);
    for (let i = 0; i < count; i++) {
      expectConvex(x.subarray(i * c, (i + 1) * c));
      const a = centred(problems, i);
      const best = bruteForceSimplex(a, c, 4);
      expect(quadratic(a, c, x.subarray(i * c, (i + 1) * c))).toBeLessThan(best.value + 1e-6);
    }
  });

  it('starts warm anywhere and ends at the same place (seed 15)', () => {
    const [c, count] = [5, 200];
    const problems = randomProblems(new Random(15), count, c, 11);
    const cold = simplexLeastSquares(numerics, problems);
    const warm = simplexLeastSquares(numerics, problems, { start: new Float64Array(count * c).fill(1 / c) });
    for (let k = 0; k < cold.length; k++) expect(warm[k]).toBeCloseTo(cold[k], 6);
  });

  it.each([1e-6, 1e6])('gives the same weights at scale %d (seed 17)', (scale) => {
    const [c, count] = [5, 100];
    const one = simplexLeastSquares(numerics, randomProblems(new Random(17), count, c, 11));
    const other = simplexLeastSquares(numerics, randomProblems(new Random(17), count, c, 11, scale));
    for (let k = 0; k < one.length; k++) expect(other[k]).toBeCloseTo(one[k], 7);
  });

  it('gives convex weights where every column meets the target', () => {
    const problems = {
      size: 3,
      gram: new Float64Array(9),
      rhs: new Float64Array(3),
      squaredNorms: new Float64Array(1),
    };
    expectConvex(simplexLeastSquares(numerics, problems));
  });

  it('solves no problem at all, and says what is wrong with sizes', () => {
    const none = { size: 3, gram: new Float64Array(0), rhs: new Float64Array(0), squaredNorms: new Float64Array(0) };
    expect(simplexLeastSquares(numerics, none)).toEqual(new Float64Array(0));
    expect(() => simplexLeastSquares(numerics, { ...none, rhs: new Float64Array(1) })).toThrow(/do not hold/);
  });

  it('gives the same bits for 1 and 2 threads (seed 19)', async () => {
    const problems = randomProblems(new Random(19), 500, 8, 20);
    const one = await openNumerics({ threads: 1 });
    expect(simplexLeastSquares(one, problems, { limit: 4 })).toEqual(
      simplexLeastSquares(numerics, problems, { limit: 4 }),
    );
    one.close();
  });
});
