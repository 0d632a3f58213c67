import { readFileSync } from 'node:fs';
import { realData, realDataFolder } from '@pelt/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CancelledError,
  NumericError,
  type Numerics,
  openNumerics,
  Random,
  SparseCholesky,
  type SparseSymmetric,
  sparseFromTriplets,
} from '../../src/index.ts';
import { SPARSE_CHOLESKY_DEFAULTS } from '../../src/sparse/cholesky.ts';
import type { Ordering } from '../../src/sparse/ordering.ts';
import { largestDifference, largestEntry, randomMatrix } from '../matrices.ts';
import { multiplySymmetric } from '../oracles/multiply-symmetric.ts';
import { plainCholesky, plainSparseSolve } from '../oracles/sparse-cholesky.ts';
import { matrixOfEdges, randomEdges, SHAPES, sheet, solid } from './examples.ts';
import { cotangentLaplacian, trianglesOfObj } from './laplacians.ts';

const ORDERINGS: readonly Ordering[] = ['amd', 'nested-dissection', 'natural', 'auto'];
const SIZES = [0, 1, 2, 3, 7, 64, 65];

/** ‖A x − b‖ / ‖b‖, in the Euclidean norm. */
function relativeResidual(matrix: SparseSymmetric, x: Float64Array, b: Float64Array, k: number): number {
  const product = multiplySymmetric(matrix, x, k);
  const norm = (values: Float64Array) => Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return b.length === 0 ? 0 : norm(product.map((value, i) => value - b[i])) / norm(b);
}

/** n on the diagonal and cosines elsewhere, all entries present. */
function dominantDense(size: number): SparseSymmetric {
  const columnStarts = Int32Array.from({ length: size + 1 }, (_, j) => j * size - (j * (j - 1)) / 2);
  const rows = new Int32Array(columnStarts[size]);
  const values = new Float64Array(rows.length);
  for (let j = 0, p = 0; j < size; j++) {
    for (let i = j; i < size; i++, p++) {
      rows[p] = i;
      values[p] = i === j ? size : Math.cos(i * j);
    }
  }
  return { size, columnStarts, rows, values };
}

describe('sparse Cholesky', () => {
  let pools: Numerics[];
  let numerics: Numerics;
  beforeAll(async () => {
    pools = await Promise.all([1, 2, 3].map((threads) => openNumerics({ threads })));
    numerics = pools[0];
  });
  afterAll(() => {
    for (const pool of pools) pool.close();
  });

  /** Factors, solves, disposes. */
  function solve(matrix: SparseSymmetric, rhs: Float64Array, k: number, ordering: Ordering = 'auto', pool = numerics) {
    const cholesky = new SparseCholesky(pool, matrix, { ordering });
    const x = cholesky.solve(rhs, k, new Float64Array(rhs.length));
    cholesky.dispose();
    return x;
  }

  it('solves with the identity, exactly', () => {
    const ones = Array.from({ length: 65 }, (_, i) => i);
    const identity = sparseFromTriplets(65, ones, ones, new Float64Array(65).fill(1));
    const b = randomMatrix(new Random(1), 65, 3);
    for (const ordering of ORDERINGS) expect(solve(identity, b, 3, ordering)).toEqual(b);
  });

  it('solves a tiny case', () => {
    // [4 2 0; 2 5 0; 0 0 9] (x₀, x₁, x₂) = (8, 8, 9): L = [2; 1 2; 0 0 3], and every step is exact.
    const matrix = sparseFromTriplets(3, [0, 1, 1, 2], [0, 0, 1, 2], [4, 2, 5, 9]);
    const cholesky = new SparseCholesky(numerics, matrix, { ordering: 'natural' });
    expect(cholesky.size).toBe(3);
    expect(cholesky.nonZeros).toBe(4);
    expect([...cholesky.solve(Float64Array.of(8, 8, 9), 1, new Float64Array(3))]).toEqual([1.5, 1, 1]);
    // Two at once, row by row, into the same array.
    const both = Float64Array.of(8, 4, 8, 2, 9, 0);
    expect(cholesky.solve(both, 2, both)).toBe(both);
    expect([...both]).toEqual([1.5, 1, 1, 0, 1, 0]);
    cholesky.dispose();
  });

  it.each(Object.keys(SHAPES))('agrees with the plain factorisation: %s', (shape) => {
    for (const size of SIZES) {
      const random = new Random(size);
      const matrix = SHAPES[shape](random, size);
      const natural = Int32Array.from({ length: size }, (_, v) => v);
      const twin = plainCholesky(matrix, natural)!;
      for (const ordering of ORDERINGS) {
        const cholesky = new SparseCholesky(numerics, matrix, { ordering });
        if (ordering === 'natural') expect(cholesky.nonZeros).toBe(twin.rows.length);
        for (const k of [1, 2, 3, 4]) {
          const b = randomMatrix(random, size, k);
          const x = cholesky.solve(b, k, new Float64Array(size * k));
          expect(relativeResidual(matrix, x, b, k)).toBeLessThan(1e-14);
          expect(largestDifference(x, plainSparseSolve(twin, b, k))).toBeLessThanOrEqual(1e-13 * largestEntry(x));
        }
        cholesky.dispose();
      }
    }
  });

  it('agrees with the plain factorisation on any graph', () => {
    const graphs = fc.record({
      size: fc.integer({ min: 1, max: 90 }),
      density: fc.double({ min: 0, max: 5, noNaN: true }),
      seed: fc.nat(),
      ordering: fc.constantFrom(...ORDERINGS),
      k: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(graphs, ({ size, density, seed, ordering, k }) => {
        const random = new Random(seed);
        const matrix = matrixOfEdges(random, size, randomEdges(random, size, Math.floor(density * size)));
        const b = randomMatrix(random, size, k);
        const x = solve(matrix, b, k, ordering);
        const twin = plainCholesky(
          matrix,
          Int32Array.from({ length: size }, (_, v) => v),
        )!;
        expect(largestDifference(x, plainSparseSolve(twin, b, k))).toBeLessThanOrEqual(1e-12 * largestEntry(x));
      }),
      { numRuns: 150, seed: 3 },
    );
  });

  it.each([
    ['a surface', sheet(50, 61)],
    ['a solid', solid(13, 12, 14)],
    // One supernode wider than several panels, and one that ends in the middle of a block.
    ['a dense matrix', SHAPES.dense(new Random(5), 203)],
  ])('has small residuals at every scale and recovers a known solution: %s', (_, matrix) => {
    for (const ordering of ORDERINGS) {
      const cholesky = new SparseCholesky(numerics, matrix, { ordering });
      for (const scale of [1, 1e6, 1e-6]) {
        const values = matrix.values.map((value) => value * scale);
        cholesky.refactor(values);
        for (const k of [1, 3]) {
          const known = randomMatrix(new Random(k), matrix.size, k);
          const b = multiplySymmetric({ ...matrix, values }, known, k);
          const x = cholesky.solve(b, k, new Float64Array(b.length));
          expect(relativeResidual({ ...matrix, values }, x, b, k)).toBeLessThan(1e-13);
          expect(largestDifference(x, known)).toBeLessThan(1e-10);
        }
      }
      cholesky.dispose();
    }
  });

  it('gives the same bits for any number of threads', () => {
    // Subtrees; fronts that threads share; panels that they share.
    for (const matrix of [sheet(90, 90), solid(14, 14, 14), dominantDense(1150)]) {
      const b = randomMatrix(new Random(7), matrix.size, 3);
      const results = pools.map((pool) => {
        const cholesky = new SparseCholesky(pool, matrix);
        const one = cholesky.solve(b.subarray(0, matrix.size), 1, new Float64Array(matrix.size));
        const three = cholesky.solve(b, 3, new Float64Array(3 * matrix.size));
        cholesky.dispose();
        return [one, three];
      });
      expect(relativeResidual(matrix, results[0][1], b, 3)).toBeLessThan(1e-13);
      for (const other of results.slice(1)) expect(other).toEqual(results[0]);
    }
  });

  it('solves each right-hand side as if it were alone', () => {
    const matrix = sheet(20, 20);
    const cholesky = new SparseCholesky(numerics, matrix);
    const b = randomMatrix(new Random(8), 400, 4);
    const together = cholesky.solve(b, 4, new Float64Array(1600));
    for (let c = 0; c < 4; c++) {
      const alone = cholesky.solve(
        b.filter((_, i) => i % 4 === c),
        1,
        new Float64Array(400),
      );
      expect(alone).toEqual(together.filter((_, i) => i % 4 === c));
    }
    cholesky.dispose();
  });

  it('corrects in single precision until nothing is missed, with the same bits for any number of threads', () => {
    for (const matrix of [sheet(30, 30), solid(14, 14, 14), dominantDense(1150)]) {
      const b = randomMatrix(new Random(11), matrix.size, 3);
      const results = pools.map((pool) => {
        const scope = pool.scope();
        const cholesky = new SparseCholesky(pool, matrix);
        const [missing, x] = [scope.f64From(b), scope.f64(b.length + 2)];
        x.view.fill(5, b.length);
        const residuals = [0, 1, 2, 3].map(() => {
          cholesky.correct(missing, 3, x);
          const found = x.view.slice(0, b.length);
          const product = multiplySymmetric(matrix, found, 3);
          missing.view.set(b.map((value, i) => value - product[i]));
          return relativeResidual(matrix, found, b, 3);
        });
        const result = x.view.slice();
        cholesky.dispose();
        scope.dispose();
        return { residuals, result };
      });
      const [{ residuals, result }, ...others] = results;
      expect(residuals[0]).toBeLessThan(1e-4);
      expect(residuals[3]).toBeLessThan(1e-13);
      expect([...result.subarray(b.length)]).toEqual([5, 5]);
      for (const other of others) expect(other).toEqual(results[0]);
    }
  });

  it('solves between blocks, and corrects with what it was factored for last', () => {
    const matrix = sheet(12, 12);
    const b = randomMatrix(new Random(12), 144, 3);
    const scope = numerics.scope();
    const [rhs, x] = [scope.f64From(b), scope.f64(b.length)];
    const cholesky = new SparseCholesky(numerics, matrix);
    cholesky.solveBlock(rhs, 3, x);
    expect(x.view.slice()).toEqual(cholesky.solve(b, 3, new Float64Array(b.length)));
    const whole = x.view.slice();
    x.view.fill(0);
    cholesky.correct(rhs, 3, x);
    cholesky.refactor(matrix.values.map((value) => 2 * value));
    x.view.fill(0);
    cholesky.correct(rhs, 3, x);
    expect(
      largestDifference(
        x.view.map((value) => 2 * value),
        whole,
      ),
    ).toBeLessThan(1e-5 * largestEntry(whole));
    expect(() => cholesky.correct(scope.f64(3), 3, x)).toThrow(/expected 144 × 3/);
    cholesky.dispose();
    scope.dispose();
  });

  it('factors other values with the same pattern', () => {
    const random = new Random(9);
    const edges = randomEdges(random, 200, 500).filter(([i, j]) => i !== j);
    const rows = [...edges.map(([i]) => i), ...Array.from({ length: 200 }, (_, i) => i)];
    const columns = [...edges.map(([, j]) => j), ...Array.from({ length: 200 }, (_, i) => i)];
    const matrixOf = (values: number[]) => sparseFromTriplets(200, rows, columns, values);
    const weights = () => rows.map((_, t) => (t < edges.length ? random.uniform(-1, 1) : 30));
    const cholesky = new SparseCholesky(numerics, matrixOf(weights()));
    for (let round = 0; round < 3; round++) {
      const matrix = matrixOf(weights());
      cholesky.refactor(matrix.values);
      const b = randomMatrix(random, 200, 3);
      expect(relativeResidual(matrix, cholesky.solve(b, 3, new Float64Array(600)), b, 3)).toBeLessThan(1e-14);
    }
    expect(() => cholesky.refactor(new Float64Array(3))).toThrow(/pattern of/);
    cholesky.dispose();
  });

  it('names the column where the matrix is not positive definite', () => {
    for (const ordering of ORDERINGS) {
      // An indefinite 2 × 2 block on 4 and 6: whichever of the two comes second fails.
      const damaged = sparseFromTriplets(
        8,
        [0, 1, 2, 3, 4, 5, 6, 7, 6],
        [0, 1, 2, 3, 4, 5, 6, 7, 4],
        [1, 1, 1, 1, 1, 1, 1, 1, 2],
      );
      expect(() => new SparseCholesky(numerics, damaged, { ordering })).toThrow(NumericError);
      expect(() => new SparseCholesky(numerics, damaged, { ordering })).toThrow(/column [46];/);
      // A column without entries, one with a negative diagonal, one that is not a number.
      const [i, values] = [
        [0, 1, 2],
        [1, 2, 3],
      ];
      const empty = sparseFromTriplets(4, i, i, values);
      expect(() => new SparseCholesky(numerics, empty, { ordering })).toThrow(/column 3;/);
      for (const value of [-1, 0, Number.NaN, Number.POSITIVE_INFINITY]) {
        const wrong = sparseFromTriplets(3, i, i, [1, value, 3]);
        expect(() => new SparseCholesky(numerics, wrong, { ordering })).toThrow(/column 1;/);
      }
    }
  });

  it('finds Laplacians singular that are fixed nowhere, in all sizes, at any scale', () => {
    for (const matrix of [sheet(5, 5, 0), sheet(70, 80, 0), solid(5, 5, 5, 0), solid(15, 15, 15, 0)]) {
      for (const scale of [1, 1e6, 1e-6]) {
        const values = matrix.values.map((value) => value * scale);
        expect(() => new SparseCholesky(numerics, { ...matrix, values })).toThrow(/not positive definite/);
      }
    }
    // The least that holds it is enough.
    expect(() => new SparseCholesky(numerics, sheet(70, 80, 1e-9)).dispose()).not.toThrow();
  });

  it('has no factor after a failure, and works again after the next', () => {
    const matrix = sheet(30, 30);
    for (const pool of pools) {
      const cholesky = new SparseCholesky(pool, matrix);
      const b = randomMatrix(new Random(10), 900, 1);
      const x = cholesky.solve(b, 1, new Float64Array(900));
      const negative = matrix.values.map((value) => -value);
      expect(() => cholesky.refactor(negative)).toThrow(NumericError);
      expect(() => cholesky.solve(b, 1, new Float64Array(900))).toThrow(/no factor/);
      cholesky.refactor(matrix.values);
      expect(cholesky.solve(b, 1, new Float64Array(900))).toEqual(x);
      cholesky.dispose();
    }
  });

  it('stops at the signal', () => {
    const matrix = solid(12, 12, 12);
    for (const pool of pools) {
      const before = pool.allocatedBytes;
      const cholesky = new SparseCholesky(pool, matrix);
      let asked = 0;
      // Raised in the midst of the factorisation.
      pool.signal = {
        get aborted() {
          return ++asked > 5;
        },
      };
      expect(() => cholesky.refactor(matrix.values)).toThrow(CancelledError);
      expect(() => new SparseCholesky(pool, matrix)).toThrow(CancelledError);
      pool.signal = undefined;
      cholesky.refactor(matrix.values);
      cholesky.dispose();
      // What the threads use as scratch stays with the pool.
      expect(pool.allocatedBytes - before).toBeLessThan(4e6);
    }
  });

  it('rejects what does not fit', () => {
    const matrix = sheet(3, 3);
    const cholesky = new SparseCholesky(numerics, matrix);
    const nine = new Float64Array(9);
    for (const k of [0, 5, 1.5]) expect(() => cholesky.solve(nine, k, nine)).toThrow(/1 to 4/);
    expect(() => cholesky.solve(nine, 2, nine)).toThrow(/expected 9 × 2/);
    expect(() => cholesky.solve(nine, 1, new Float64Array(8))).toThrow(/expected 9 × 1/);
    cholesky.dispose();
    expect(() => cholesky.solve(nine, 1, nine)).toThrow(/no factor/);
    expect(() => new SparseCholesky(numerics, { ...matrix, size: 8 })).toThrow(NumericError);
    expect(() => new SparseCholesky(numerics, matrix, { ordering: 'best' as Ordering })).toThrow(/unknown ordering/);
    expect(() => new SparseCholesky(numerics, matrix, { order: 'amd' } as object)).toThrow(/unknown option 'order'/);
    expect(SPARSE_CHOLESKY_DEFAULTS.ordering).toBe('auto');
  });

  it('gives its memory back', () => {
    const pool = pools[1];
    const matrix = sheet(40, 40);
    const rounds = (count: number) => {
      for (let round = 0; round < count; round++) {
        const cholesky = new SparseCholesky(pool, matrix);
        cholesky.refactor(matrix.values);
        cholesky.solve(new Float64Array(1600), 1, new Float64Array(1600));
        cholesky.dispose();
        const negative = { ...matrix, values: matrix.values.map((value) => -value) };
        expect(() => new SparseCholesky(pool, negative)).toThrow(NumericError);
      }
    };
    rounds(1);
    const before = pool.allocatedBytes;
    rounds(20);
    expect(pool.allocatedBytes).toBe(before);
  });

  const elephant = realData('elephant-gallop/rest.obj');
  it.skipIf(!elephant)(`solves on an elephant of 42k vertices (needs ${realDataFolder()})`, () => {
    const { positions, triangles } = trianglesOfObj(readFileSync(elephant!, 'utf8'));
    const matrix = cotangentLaplacian(positions, triangles, 1);
    const n = matrix.size;
    expect(n).toBe(42_321);
    const cholesky = new SparseCholesky(numerics, matrix);
    // CHOLMOD's AMD gives 1.9 million.
    expect(cholesky.nonZeros).toBeLessThan(1.9e6);
    const b = multiplySymmetric(matrix, positions, 3);
    const x = cholesky.solve(b, 3, new Float64Array(3 * n));
    expect(relativeResidual(matrix, x, b, 3)).toBeLessThan(1e-12);
    expect(largestDifference(x, positions)).toBeLessThan(1e-11);
    cholesky.dispose();
  });
});
