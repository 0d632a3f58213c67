export { sumOfChunk } from './self-test';
export { polarBatch } from './small/batches';
export { simplexBatch } from './simplex/batch';
export { gemmPack, gemmRows } from './dense/gemm';
export { factorDiagonal, factorPanel, factorUpdate } from './dense/symmetric-factor';
export { backwardSolve, factorSolve, forwardSolve } from './dense/symmetric-solve';
export { tridiagonalPass } from './dense/reduction';
export { secularRoots, secularVectors, secularWeights } from './dense/secular';
export {
  sparseBeginFront, sparseEndFront, sparseFactorNode, sparseFactorRows, sparseFactorSubtrees, sparseFactorTriangle,
  sparseUpdateColumns,
} from './sparse/factor';
export {
  sparseAddCopies, sparseBackward, sparseBackwardOwn, sparseBackwardRows, sparseForward, sparseForwardOwn,
  sparseForwardRows, sparsePermute, sparseRefreshCopies, sparseUnpermute,
} from './sparse/solve';
