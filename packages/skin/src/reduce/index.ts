/** Reduce weights and bones of a rig, and find loops, with errors measured on the skinned surface. */
export { type CagedMesh, cageModel } from './cage.ts';
export { findLoop, type Loop } from './keys/find-loop.ts';
export * from './options.ts';
export { REDUCE_PLAN, type ReducePlan } from './plan.ts';
export { reduceBones } from './reduce-bones.ts';
export type { ReducedRig, ReductionInput } from './reduction-problem.ts';
export * from './runtime/index.ts';
export { type BakedLayers, bakeVirtualBones, type LayeredRig } from './two-layer/bake-virtual-bones.ts';
export { reduceTwoLayer, type TwoLayerReduction } from './two-layer/reduce-two-layer.ts';
export { reduceWeights } from './weights/reduce-weights.ts';
export { roundWeights } from './weights/round-weights.ts';
