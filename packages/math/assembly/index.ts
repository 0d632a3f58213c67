export { sumOfChunk } from './self-test';
export { properRotationBatch, svd3Batch } from './small/batches';
export { gramOfBones, projectBones } from './skinning/assemble';
export { assignScratch, assignVertices } from './skinning/assign';
export { diffuseCandidates } from './skinning/diffuse';
export { gatherMoments, sumMoments } from './skinning/moments';
export { correctRest } from './skinning/rest-pose';
export { rigidBones, rigidScratch } from './skinning/rigid-bones';
export { weightsAmongCandidates, weightScratch, weightsBySwaps } from './skinning/weights';
