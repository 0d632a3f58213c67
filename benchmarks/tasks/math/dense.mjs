/**
 * Dense kernels beside their plain twins: product, factorisations, solves, eigenproblem; times and residuals.
 */
import { DenseCholesky, gemm, matrixOf, openNumerics, Random, symmetricEigen, transposed } from '@pelt/math';

const TWIN = 'plain TypeScript';
/** A few long runs are enough where one takes seconds. */
const LONG = { runs: 3, warmUps: 1, milliseconds: 0 };

export async function measure(context) {
  const numerics = await openNumerics();
  try {
    return [
      ...(await product(context, numerics, 500)),
      ...(await cholesky(context, numerics, 1000)),
      ...eigen(context, numerics, 300),
      ...eigen(context, numerics, 1500, false),
    ];
  } finally {
    numerics.close();
  }
}

async function product(context, numerics, n) {
  const name = `product ${n}`;
  if (!context.wants(name)) return [];
  context.log(name);
  const { multiply } = await context.twin('packages/math/test/matrices.ts');
  const scope = numerics.scope();
  const [a, b] = [randomMatrix(1, n, n), randomMatrix(2, n, n)];
  const c = matrixOf(scope.f64(n * n), n, n);
  const [left, right] = [matrixOf(scope.f64From(a), n, n), matrixOf(scope.f64From(b), n, n)];
  const times = context.compareTimes(
    () => gemm(numerics, 1, left, right, 0, c),
    () => multiply(a, b, n, n, n),
  );
  scope.dispose();
  return [{ case: name, metric: 'time', ...times, unit: 'ms', referenceName: TWIN }];
}

async function cholesky(context, numerics, n) {
  const name = `Cholesky ${n}`;
  if (!context.wants(name)) return [];
  context.log(name);
  const { plainFactor, plainSolve } = await context.twin('packages/math/test/oracles/dense-cholesky.ts');
  const a = positiveDefinite(numerics, n);
  const solver = new DenseCholesky(numerics, n);
  const factor = context.compareTimes(
    () => solver.factor(a),
    () => plainFactor(a, n),
  );
  const twin = plainFactor(a, n);
  const rhs = randomMatrix(3, n, 3);
  const solve = context.compareTimes(
    () => solver.solve(rhs, 3),
    () => plainSolve(twin, n, rhs, 3),
  );
  const residual = relativeResidual(a, solver.solve(rhs, 3), rhs, n, 3);
  solver.dispose();
  return [
    // At least 3.5 times as fast.
    { case: name, metric: 'factor', ...factor, unit: 'ms', referenceName: TWIN, target: 'ratio <= 0.2857' },
    { case: name, metric: 'solve, 3 right-hand sides', ...solve, unit: 'ms', referenceName: TWIN },
    { case: name, metric: 'relative residual', value: residual, unit: '', target: 'value <= 1e-12' },
  ];
}

function eigen(context, numerics, n, withTwin = true) {
  const name = `symmetric eigenproblem ${n}`;
  if (!context.wants(name)) return [];
  context.log(name);
  const random = randomMatrix(5, n, n);
  const a = random.map((x, k) => x + random[(k % n) * n + Math.floor(k / n)]);
  const time = timeOrCompare(context, withTwin, (kernels) => symmetricEigen(a, n, kernels), numerics);
  const { values, vectors } = symmetricEigen(a, n, numerics);
  const largest = Math.max(Math.abs(values[0]), Math.abs(values[n - 1]));
  const columns = sampleColumns(n);
  const residual = columns.map((k) => {
    const x = column(vectors, n, n, k);
    return distance(times(a, x, n, n), x, values[k]) / largest;
  });
  return [
    { case: name, metric: 'time', unit: 'ms', ...time },
    { case: name, metric: 'relative residual', value: Math.max(...residual), unit: '', target: 'value <= 1e-12' },
  ];
}

function timeOrCompare(context, withTwin, work, numerics) {
  if (!withTwin) return { value: context.medianTime(() => work(numerics), LONG) };
  const compared = context.compareTimes(
    () => work(numerics),
    () => work(undefined),
    LONG,
  );
  return { ...compared, referenceName: TWIN };
}

function randomMatrix(seed, rows, columns) {
  const random = new Random(seed);
  return Float64Array.from({ length: rows * columns }, () => random.normal());
}

function positiveDefinite(numerics, n) {
  const scope = numerics.scope();
  const a = matrixOf(scope.f64From(randomMatrix(7, n, n)), n, n);
  const c = scope.f64(n * n);
  gemm(numerics, 1, a, transposed(a), 0, matrixOf(c, n, n));
  for (let k = 0; k < n; k++) c.view[k * n + k] += n;
  const out = c.view.slice();
  scope.dispose();
  return out;
}

/** The ends and the middle: enough to see a residual. */
function sampleColumns(n) {
  return [0, 1, n >> 1, n - 2, n - 1];
}

function column(a, rows, columns, k) {
  return Float64Array.from({ length: rows }, (_, r) => a[r * columns + k]);
}

function times(a, x, rows, columns) {
  const out = new Float64Array(rows);
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) out[r] += a[r * columns + c] * x[c];
  return out;
}

/** Largest entry of y − λx. */
function distance(y, x, lambda) {
  return y.reduce((largest, value, k) => Math.max(largest, Math.abs(value - lambda * x[k])), 0);
}

/** ‖AX − B‖ / (‖A‖‖X‖ + ‖B‖), the largest entry as the norm. */
function relativeResidual(a, x, b, n, count) {
  const largest = (values) => values.reduce((size, value) => Math.max(size, Math.abs(value)), 0);
  let worst = 0;
  for (let c = 0; c < count; c++) {
    worst = Math.max(worst, distance(times(a, column(x, n, count, c), n, n), column(b, n, count, c), 1));
  }
  return worst / (largest(a) * largest(x) + largest(b));
}
