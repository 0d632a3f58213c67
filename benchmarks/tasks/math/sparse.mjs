/**
 * Sparse Cholesky on the Laplacian of a surface and of a solid: analysis, factorisation, solves with three right-hand
 * sides, fill. The twin eliminates in the same order, one number at a time.
 */
import { readFileSync } from 'node:fs';
import { openNumerics, Random, SparseCholesky } from '@pelt/math';

const SURFACE = 'elephant-gallop/rest.obj';
const TWIN = 'plain TypeScript';
const SIDES = 3;
const SOLVE = `solve, ${SIDES} right-hand sides`;

export const needs = [SURFACE];

export async function measure(context) {
  const numerics = await openNumerics();
  try {
    return [...(await surface(context, numerics)), ...(await solid(context, numerics))];
  } finally {
    numerics.close();
  }
}

async function surface(context, numerics) {
  if (!context.wants('elephant, 42321 vertices')) return [];
  const { cotangentLaplacian, trianglesOfObj } = await context.twin('packages/math/test/sparse/laplacians.ts');
  const { positions, triangles } = trianglesOfObj(readFileSync(context.data(SURFACE), 'utf8'));
  const matrix = cotangentLaplacian(positions, triangles, 1);
  const twin = await plainTwin(context, matrix);
  const figures = measureSolver(context, numerics, matrix, twin);
  const place = `elephant, ${matrix.size} vertices`;
  const fill = { reference: 1.9e6, referenceName: 'AMD in CHOLMOD', target: 'ratio <= 1.3' };
  const perSolve = { reference: figures.solve.value, referenceName: 'solve', target: 'ratio <= 12' };
  return [
    { case: place, metric: 'non-zeros in L', value: figures.nonZeros, unit: 'numbers', ...fill },
    { case: place, metric: 'analysis and factor', value: figures.analysis, unit: 'ms' },
    { case: place, metric: 'factor', ...figures.factor, unit: 'ms', referenceName: TWIN },
    { case: place, metric: SOLVE, ...figures.solve, unit: 'ms', referenceName: TWIN, target: 'value <= 25' },
    { case: place, metric: 'factor against one solve', value: figures.factor.value, unit: 'ms', ...perSolve },
  ];
}

/** Without the twin, which would take half a minute. */
async function solid(context, numerics) {
  if (!context.wants('box of tetrahedra, 25230 vertices')) return [];
  const { tetrahedralBox, tetrahedralLaplacian } = await context.twin('packages/math/test/sparse/laplacians.ts');
  const matrix = tetrahedralLaplacian(tetrahedralBox(29, 29, 30, 0.1), 0.01);
  const figures = measureSolver(context, numerics, matrix);
  const place = `box of tetrahedra, ${matrix.size} vertices`;
  return [
    { case: place, metric: 'non-zeros in L', value: figures.nonZeros, unit: 'numbers', target: 'value <= 7.5e6' },
    { case: place, metric: 'analysis and factor', value: figures.analysis, unit: 'ms' },
    { case: place, metric: 'factor', ...figures.factor, unit: 'ms' },
    { case: place, metric: SOLVE, ...figures.solve, unit: 'ms' },
  ];
}

/** What the plain solver does for the same matrix in the same order: { factor(), solve(rhs) }. */
async function plainTwin(context, matrix) {
  const { plainCholesky, plainSparseSolve } = await context.twin('packages/math/test/oracles/sparse-cholesky.ts');
  const { graphOf } = await context.twin('packages/math/src/sparse/graph.ts');
  const { minimumDegree } = await context.twin('packages/math/src/sparse/minimum-degree.ts');
  const order = minimumDegree(graphOf(matrix));
  const factored = plainCholesky(matrix, order);
  return { factor: () => plainCholesky(matrix, order), solve: (rhs) => plainSparseSolve(factored, rhs, SIDES) };
}

/** Non-zeros of the factor, and median milliseconds, beside the twin's where there is one. */
function measureSolver(context, numerics, matrix, twin) {
  context.log(`sparse Cholesky, ${matrix.size} unknowns`);
  const times = (work, rival) => (rival ? context.compareTimes(work, rival) : { value: context.medianTime(work) });
  const analysis = context.medianTime(() => new SparseCholesky(numerics, matrix).dispose());
  const cholesky = new SparseCholesky(numerics, matrix);
  const factor = times(() => cholesky.refactor(matrix.values), twin?.factor);
  const random = new Random(1);
  const rhs = Float64Array.from({ length: SIDES * matrix.size }, () => random.normal());
  const out = new Float64Array(rhs.length);
  const solve = times(() => cholesky.solve(rhs, SIDES, out), twin && (() => twin.solve(rhs)));
  const { nonZeros } = cholesky;
  cholesky.dispose();
  return { nonZeros, analysis, factor, solve };
}
