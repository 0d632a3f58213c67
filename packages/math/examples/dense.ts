import {
  BunchKaufman,
  DenseCholesky,
  extremeEigenpairs,
  gemm,
  matrixOf,
  openNumerics,
  partOf,
  pseudoInverse,
  symmetricEigen,
  transposed,
} from '@pelt/math';

const numerics = await openNumerics();
const near = (a: number, b: number) => Math.abs(a - b) < 1e-12;

// C = A Aᵀ for a 2 × 3 matrix in the kernels' memory.
const scope = numerics.scope();
const [a, c] = [scope.f64From([1, 0, 1, 0, 2, 1]), scope.f64(4)];
const matrix = matrixOf(a, 2, 3);
gemm(numerics, 1, matrix, transposed(matrix), 0, matrixOf(c, 2, 2));
if (c.view.join() !== '2,1,1,5') throw new Error('[[2, 1], [1, 5]]');
// The first two columns alone are a part of the same memory.
const part = partOf(matrix, 0, 0, 2, 2);
gemm(numerics, 1, part, transposed(part), 0, matrixOf(c, 2, 2));
if (c.view.join() !== '1,0,0,4') throw new Error('[[1, 0], [0, 4]]');
scope.dispose();

// A positive definite system, and one of any inertia.
const cholesky = new DenseCholesky(numerics, 2).factor([2, 1, 1, 5]);
if (!near(cholesky.solve([3, 6])[0], 1)) throw new Error('x = (1, 1)');
cholesky.dispose();
const [x, y] = new BunchKaufman([0, 1, 1, 0], 2).solve([3, 4]);
if (!near(x, 4) || !near(y, 3)) throw new Error('x = (4, 3)');

// Spectra: all eigenpairs, singular values, the pseudo-inverse of a matrix of rank 1.
const { values } = symmetricEigen([2, 1, 1, 2], 2); // ascending
if (!near(values[0], 1) || !near(values[1], 3)) throw new Error('1 and 3');
const { inverse, rank } = pseudoInverse([1, 1, 1, 1], 2, 2);
if (rank !== 1 || !near(inverse[0], 0.25)) throw new Error('a quarter of its transpose');

// A few eigenpairs of an operator that is known by its products only: here diag(1, 2, …, 50).
const multiply = (v: Float64Array, out: Float64Array) => out.set(v.map((value, k) => (k + 1) * value));
const largest = extremeEigenpairs(multiply, 50, 2).values;
if (Math.abs(largest[0] - 50) + Math.abs(largest[1] - 49) > 1e-8) throw new Error('50 and 49');
numerics.close();
