import { openNumerics, simplexLeastSquares } from '@pelt/math';

// min ‖Ax − b‖² over x ≥ 0, Σx = 1, for A = I and b = (0.7, 0.5): the nearest point of the simplex.
const numerics = await openNumerics();
const problems = {
  size: 2,
  gram: Float64Array.of(1, 0, 0, 1), // AᵀA
  rhs: Float64Array.of(0.7, 0.5), // Aᵀb
  squaredNorms: Float64Array.of(0.74), // bᵀb
};
const x = simplexLeastSquares(numerics, problems);
const single = simplexLeastSquares(numerics, problems, { limit: 1 });
numerics.close();
if (Math.abs(x[0] - 0.6) > 1e-9) throw new Error('x = (0.6, 0.4)');
if (single.join() !== '1,0') throw new Error('with one non-zero: (1, 0)');
