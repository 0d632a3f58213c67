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
export { type BlockRows, PoseProducts } from './pose/pose-products.ts';
export { ShapeBlend } from './pose/shape-blend.ts';
export { TurnedForces } from './pose/turned-forces.ts';
export { Random } from './random.ts';
export { LaplacianWeights } from './reduce/laplacian-weights.ts';
export { type AtomGraph, TwoLayerSystem } from './reduce/two-layer-system.ts';
export { type SimplexOptions, type SimplexProblems, simplexLeastSquares } from './simplex/simplex-least-squares.ts';
export { SkeletonSystem } from './skeleton/skeleton-system.ts';
export { type SkeletonTree, skeletonTree } from './skeleton/skeleton-tree.ts';
export { LinearBlend } from './skinning/linear-blend.ts';
export { PaletteProduct } from './skinning/palette-product.ts';
export { SkinningSystem } from './skinning/skinning-system.ts';
export type { SupportPrices } from './skinning/support-prices.ts';
export type { Trajectories } from './skinning/trajectories.ts';
export { type DisplacedVertices, VertexDisplacements } from './skinning/vertex-displacements.ts';
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
export { tetrahedralLaplacian } from './volume/gradient-operators.ts';
export { VolumeIteration } from './volume/volume-iteration.ts';
export { VOLUME_SYSTEM_DEFAULTS, VolumeSystem, type VolumeSystemOptions } from './volume/volume-system.ts';
