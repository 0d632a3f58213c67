/** Fewer weights, bones and keys for a rig, judged on its surface. */
export { type CageModel, cageModel } from './cage.ts';
export { findLoop, type Loop } from './keys/find-loop.ts';
export { keyCount, type ThinnedClip, thinKeys } from './keys/thin-keys.ts';
export {
  REDUCE_WEIGHTS_DEFAULTS,
  type ReduceWeightsOptions,
  TWO_LAYER_DEFAULTS,
  type TwoLayerOptions,
  WEIGHT_METHODS,
  type WeightMethod,
} from './options.ts';
export { reduceBones } from './reduce-bones.ts';
export type { ReductionInput } from './reduction-problem.ts';
export * from './runtime/index.ts';
export { type BakedLayers, bakeVirtualBones } from './two-layer/bake-virtual-bones.ts';
export { reduceTwoLayer, type TwoLayerReduction } from './two-layer/reduce-two-layer.ts';
export { type ReducedRig, reduceWeights } from './weights/reduce-weights.ts';
export { roundWeights } from './weights/round-weights.ts';
