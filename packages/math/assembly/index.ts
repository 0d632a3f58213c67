export { sumOfChunk } from './self-test';
export { properRotationBatch, svd3Batch } from './small/batches';
