export { sumOfChunk } from './self-test';
export { polarBatch } from './small/batches';
export { simplexBatch, simplexBatchScratch } from './simplex/batch';
export { gramOfBones, projectBones } from './skinning/assemble';
export { assignScratch, assignVertices } from './skinning/assign';
export { diffuseCandidates } from './skinning/diffuse';
export { displaceVertices } from './skinning/displace';
export { linearBlend } from './skinning/linear-blend';
export { addMorphTargets } from './skinning/morph-targets';
export { gatherMoments, sumMoments } from './skinning/moments';
export { boneProducts } from './skinning/products';
export { paletteProduct } from './skinning/palette';
export { bestSwapScratch, weightsByBestSwaps } from './skinning/best-swaps';
export { denseScratch, weightsOverAll } from './skinning/dense-weights';
export { removalCosts, removalScratch } from './skinning/removal';
export { estimateScratch, removalEstimates } from './skinning/removal-estimates';
export { correctRest } from './skinning/rest-pose';
export { rigidBones, rigidScratch } from './skinning/rigid-bones';
export { weightsBySwaps } from './skinning/swaps';
export { measureWeights, weightsAmongCandidates, weightScratch } from './skinning/weights';
export { gemmPack, gemmRows, gemmScratch } from './dense/gemm';
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
export { poseGram, poseLower, poseSquare, poseTransposed, poseWeightedRows } from './pose/products';
export { poseShapes } from './pose/shapes';
export { poseTurnedDerivatives, poseTurnedForces } from './pose/turned-forces';
export { volumeLookAhead, volumeMeasure, volumePlace } from './volume/acceleration';
export { volumeBend, volumeRotations } from './volume/bending';
export { volumeAverage, volumeDilatation, volumeDilatationOfVertices } from './volume/dilatation';
export { volumeGather, volumeScratch, volumeTargets } from './volume/local-step';
export { atomPairScratch, blendAtoms, chooseAtomPairs, refreshAtomPairs, spreadAtom } from './reduce/atom-pairs';
export { gramOfRows, stepAtoms, stepScratch } from './reduce/atom-step';
export { laplacianScratch, laplacianWeightSweep, weightedMisses } from './reduce/laplacian-weights';
export { nearestBones, nearestScratch } from './reduce/nearest-bones';
export { roundScratch, roundWeights } from './reduce/round-weights';
export { jointRows } from './skeleton/joint-rows';
export { skeletonRotations, skeletonRotationScratch } from './skeleton/rotations';
