/**
 * A little of everything that numerics does, on seeded numbers: run in Node and in a browser's worker, every bit of the
 * two results must agree.
 */
import { sumOfChunk } from '../../src/generated/calls.ts';
import {
  acos,
  atan2,
  cbrt,
  cos,
  DenseCholesky,
  exp,
  gemm,
  log,
  matrixOf,
  openNumerics,
  polarDecompositions,
  Random,
  SparseCholesky,
  sin,
  tan,
  transposed,
} from '../../src/index.ts';
import { solid } from '../sparse/examples.ts';

/** Enough for many chunks of each kernel, so that all threads take part. */
const ITEMS = 2000;
const SIZE = 150;
const GRAIN = 64;

export interface Sample {
  /** Threads that numerics had here. */
  readonly threads: number;
  readonly results: Readonly<Record<string, Float64Array>>;
}

export async function computeSample(threads: number): Promise<Sample> {
  const numerics = await openNumerics({ threads });
  const scope = numerics.scope();
  try {
    const random = new Random(7);
    const normal = (length: number) => Float64Array.from({ length }, () => random.normal());

    const values = scope.f64From(normal(ITEMS));
    const sums = scope.f64(Math.ceil(ITEMS / GRAIN));
    sumOfChunk(numerics, ITEMS, GRAIN, { values, sums, grain: GRAIN });

    const matrices = scope.f64From(normal(9 * ITEMS));
    const [rotations, stretches] = [1, 2].map(() => scope.f64(9 * ITEMS));
    polarDecompositions(numerics, ITEMS, matrices, rotations, stretches);

    // G = B Bᵀ + I is positive definite.
    const b = scope.f64From(normal(SIZE * SIZE));
    const gram = scope.f64(SIZE * SIZE);
    const whole = matrixOf(b, SIZE, SIZE);
    gemm(numerics, 1, whole, transposed(whole), 0, matrixOf(gram, SIZE, SIZE));
    const system = gram.view.slice();
    for (let k = 0; k < SIZE; k++) system[k * SIZE + k] += 1;
    const cholesky = new DenseCholesky(numerics, SIZE).factor(system);
    const solution = normal(5 * SIZE);
    cholesky.solveInPlace(solution, 5);

    // A solid large enough for nested dissection and for subtrees.
    const matrix = solid(16, 16, 16);
    const sparse = new SparseCholesky(numerics, matrix);
    const relaxed = normal(3 * matrix.size);
    sparse.solve(relaxed, 3, relaxed);
    sparse.dispose();

    // Where engines differ in `Math`, these must not.
    const elementary = Float64Array.from(
      [...normal(ITEMS)].flatMap((x) => {
        return [sin(9 * x), cos(9 * x), tan(x), atan2(x, 1 - x), acos(sin(x)), exp(9 * x), log(x * x), cbrt(x)];
      }),
    );

    const results = { sums, rotations, stretches, gram };
    const copies = Object.entries(results).map(([name, block]) => [name, block.view.slice()] as const);
    return { threads: numerics.threads, results: { ...Object.fromEntries(copies), solution, relaxed, elementary } };
  } finally {
    scope.dispose();
    numerics.close();
  }
}
