/**
 * Dense kernels: product, factorisation, solves, rank-one updates; 3 × 3 batches.
 */
import { DenseCholesky, gemm, matrixOf, openNumerics, Random, transposed } from '@pelt/math';

const TWIN = 'plain TypeScript';

export async function measure(context) {
  const numerics = await openNumerics();
  const rows = [];
  try {
    rows.push(await product(context, numerics, 500));
    rows.push(...(await cholesky(context, numerics, 1000)));
  } finally {
    numerics.close();
  }
  return rows;
}

async function product(context, numerics, n) {
  context.log(`product of ${n} × ${n}`);
  const { multiply } = await context.twin('packages/math/test/matrices.ts');
  const scope = numerics.scope();
  const [a, b] = [randomMatrix(1, n), randomMatrix(2, n)];
  const c = matrixOf(scope.f64(n * n), n, n);
  const [left, right] = [matrixOf(scope.f64From(a), n, n), matrixOf(scope.f64From(b), n, n)];
  const times = context.compareTimes(
    () => gemm(numerics, 1, left, right, 0, c),
    () => multiply(a, b, n, n, n),
  );
  scope.dispose();
  return { case: `product ${n}`, metric: 'time', ...times, unit: 'ms', referenceName: TWIN };
}

async function cholesky(context, numerics, n) {
  context.log(`Cholesky of ${n} × ${n}`);
  const { plainFactor, plainSolve } = await context.twin('packages/math/test/oracles/symmetric-factor.ts');
  const a = positiveDefinite(numerics, n);
  const solver = new DenseCholesky(numerics, n);
  const factor = context.compareTimes(
    () => solver.factor(a),
    () => plainFactor(a, n, true),
  );
  const twin = plainFactor(a, n, true);
  const rhs = randomMatrix(3, n).subarray(0, 3 * n);
  const solve = context.compareTimes(
    () => solver.solve(rhs, 3),
    () => plainSolve(twin, n, rhs, 3),
  );
  const v = rhs.subarray(0, n);
  const update = context.compareTimes(
    () => solver.update(v, 1e-3),
    () => plainFactor(a, n, true),
  );
  solver.dispose();
  return [
    // At least 3.5 times as fast.
    { case: `Cholesky ${n}`, metric: 'factor', ...factor, unit: 'ms', referenceName: TWIN, target: 'ratio <= 0.2857' },
    { case: `Cholesky ${n}`, metric: 'solve, 3 right-hand sides', ...solve, unit: 'ms', referenceName: TWIN },
    { case: `Cholesky ${n}`, metric: 'rank-one update', ...update, unit: 'ms', referenceName: 'plain factorisation' },
  ];
}

function randomMatrix(seed, n) {
  const random = new Random(seed);
  return Float64Array.from({ length: n * n }, () => random.normal());
}

function positiveDefinite(numerics, n) {
  const scope = numerics.scope();
  const a = matrixOf(scope.f64From(randomMatrix(4, n)), n, n);
  const c = scope.f64(n * n);
  gemm(numerics, 1, a, transposed(a), 0, matrixOf(c, n, n));
  for (let k = 0; k < n; k++) c.view[k * n + k] += 1;
  const out = c.view.slice();
  scope.dispose();
  return out;
}
