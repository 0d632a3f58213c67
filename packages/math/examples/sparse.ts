import { openNumerics, SparseCholesky, sparseFromTriplets } from '@pelt/math';

// −u″ = 2 on four nodes between fixed ends: 2 on the diagonal, −1 beside it; each edge is given once.
const n = 4;
const matrix = sparseFromTriplets(n, [0, 1, 2, 3, 1, 2, 3], [0, 1, 2, 3, 0, 1, 2], [2, 2, 2, 2, -1, -1, -1]);

const numerics = await openNumerics();
const cholesky = new SparseCholesky(numerics, matrix); // order, factor
const u = cholesky.solve(new Float64Array(n).fill(2), 1, new Float64Array(n)); // solve, as often as needed
cholesky.dispose();
numerics.close();
if (![4, 6, 6, 4].every((value, i) => Math.abs(u[i] - value) < 1e-12)) throw new Error('u = x (5 − x)');
