/** What the classic WebGLRenderer needs beyond three's own skinning. */
export { useEightWeights } from './eight-weights.ts';
