export { BunchKaufman } from './dense/bunch-kaufman.ts';
export { DenseCholesky } from './dense/dense-cholesky.ts';
export {
  EXTREME_EIGENPAIRS_DEFAULTS,
  type ExtremeEigenpairs,
  type ExtremeEigenpairsOptions,
  extremeEigenpairs,
} from './dense/extreme-eigenpairs.ts';
export { gemm } from './dense/gemm.ts';
export { type Matrix, matrixOf, partOf, transposed } from './dense/matrix.ts';
export { pseudoInverse, type RankOptions } from './dense/pseudo-inverse.ts';
export { type SymmetricEigen, symmetricEigen } from './dense/symmetric-eigen.ts';
export { acos, asin, atan2 } from './elementary/arcs.ts';
export { cbrt, exp, exponentAbove, exponentOf, log } from './elementary/exponential.ts';
export { cos, sin, tan } from './elementary/trigonometric.ts';
export * from './errors.ts';
export { type Ball, enclosingBall } from './geometry/enclosing-ball.ts';
export { Numerics, type NumericsOptions, openNumerics } from './numerics/numerics.ts';
export { type Block, DISPOSE, type Scope } from './numerics/scope.ts';
export { ScopeOwner } from './numerics/scope-owner.ts';
export { Random } from './random.ts';
export { type SimplexOptions, type SimplexProblems, simplexLeastSquares } from './simplex/simplex-least-squares.ts';
export { polarDecompositions } from './small/batches.ts';
export {
  adjugate3,
  determinant3,
  invert3,
  multiply3,
  multiplyTransposed3,
  rotate3,
  setIdentity3,
  transposed3,
} from './small/matrix3.ts';
export { multiplyQuaternions, quaternionFromRotation, rotationFromQuaternion, slerp } from './small/quaternion.ts';
export { polarDecomposition, properRotation } from './small/rotation.ts';
export { rotationExp, rotationLog, rotationLogNear } from './small/rotation-log.ts';
export { svd3 } from './small/singular-values.ts';
export { factorSmall, solveSmall, solveSmallVector } from './small/small-cholesky.ts';
export { composeTransforms, invertTransform, linearPart, transformOf, transformPoint } from './small/transform.ts';
export { distance3, length3, triangleNormal } from './small/vector3.ts';
export { SparseCholesky, type SparseCholeskyOptions } from './sparse/cholesky.ts';
export { type SparseSymmetric, sparseFromTriplets } from './sparse/symmetric.ts';
export { HILBERT_KEYS, hilbertKeys, hilbertOrder } from './spatial/hilbert.ts';
export { KdTree } from './spatial/kd-tree.ts';
