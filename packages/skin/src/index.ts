export { deformDualQuaternion } from './deform/dual-quaternion.ts';
export { EnvelopeDeformer } from './deform/envelope/envelope-deformer.ts';
export { ReducedDeformer } from './deform/envelope/reduced-deformer.ts';
export { deformLinear } from './deform/linear.ts';
export { linearSequenceErrors } from './deform/sequence-errors.ts';
export { blendTransforms, deformTwoLayer, type TwoLayerSkin, virtualCount } from './deform/two-layer.ts';
export { layerExtras, layersFromExtras } from './deform/two-layer-extras.ts';
export { type BodyMeasures, measureBody } from './deform/volume/body-measures.ts';
export { type BlendedShapes, ShapeBlender, type ShapeExamples } from './deform/volume/shape-blender.ts';
export {
  VOLUME_DEFORMER_DEFAULTS,
  type VolumeBinding,
  VolumeDeformer,
  type VolumeDeformerOptions,
  type VolumeRun,
} from './deform/volume/volume-deformer.ts';
export { beginMeshIk, type MeshIk } from './drive/meshik/mesh-ik.ts';
export { BUILD_POSER_DEFAULTS, type BuildPoserOptions, buildPoser } from './drive/pose/build-poser.ts';
export type { Regions } from './drive/pose/control-system.ts';
export type { Handle } from './drive/pose/handle-set.ts';
export {
  begin,
  type HandlePoser,
  POSE_DEFAULTS,
  type PoseOptions,
  type PoseSession,
  type PoseState,
} from './drive/pose/pose-session.ts';
export { matchControls, transferPoser } from './drive/pose/transfer.ts';
export {
  FILL_GAPS_DEFAULTS,
  type FillGapsOptions,
  fillGaps,
  type GapReport,
} from './drive/puppet/fill-gaps.ts';
export { suggestKeyPoses } from './drive/puppet/key-poses.ts';
export { PERFORM_DEFAULTS, type PerformOptions, perform } from './drive/puppet/perform.ts';
export { type Puppet, register } from './drive/puppet/puppet.ts';
export { PUPPET_DEFAULTS, type PuppetOptions } from './drive/puppet/puppet-options.ts';
export { documentOf, type PairSources, resolvePairs } from './drive/puppet/resolve-pairs.ts';
export { type ConcatenatedSequences, concatenateSequences } from './fit/concatenate.ts';
export {
  DECOMPOSE_DEFAULTS,
  type DecomposeMethod,
  type DecomposeOptions,
  type Decomposition,
  decompose,
  MOST_BONES,
} from './fit/decompose.ts';
export { type EigenSkin, eigenSkin } from './fit/eigenskin.ts';
export {
  REDUCE_ENVELOPE_DEFAULTS,
  type ReduceEnvelopeOptions,
  reduceEnvelope,
} from './fit/envelope/reduce-envelope.ts';
export { type AddedJointsRig, trainAddedJoints } from './fit/envelope/train-added-joints.ts';
export {
  ENVELOPE_DEFAULTS,
  type EnvelopeOptions,
  type TrainedEnvelope,
  trainEnvelope,
} from './fit/envelope/train-envelope.ts';
export type { EnvelopeMethod } from './fit/envelope/training-parts.ts';
export type { LockedRig } from './fit/locked-fit.ts';
export { type RootMotion, splitRootMotion } from './fit/root-motion.ts';
export {
  extractSkeleton,
  SKELETON_DEFAULTS,
  SKELETON_METHODS,
  type SkeletonFit,
  type SkeletonMethod,
  type SkeletonOptions,
} from './fit/skeleton/extract-skeleton.ts';
export type { GivenSkeleton } from './fit/skeleton/given-skeleton.ts';
export type { JointLimits } from './fit/skeleton/joint-limits.ts';
export { learnShapes, type ShapeExample } from './fit/volume/learn-shapes.ts';
export { type CageModel, cageModel } from './reduce/cage.ts';
export { findLoop, type Loop } from './reduce/keys/find-loop.ts';
export { keyCount, type ThinnedClip, thinKeys } from './reduce/keys/thin-keys.ts';
export { reduceBones } from './reduce/reduce-bones.ts';
export type { ReductionInput } from './reduce/reduction-problem.ts';
export { type BakedLayers, bakeVirtualBones } from './reduce/two-layer/bake-virtual-bones.ts';
export {
  reduceTwoLayer,
  TWO_LAYER_DEFAULTS,
  type TwoLayerOptions,
  type TwoLayerReduction,
} from './reduce/two-layer/reduce-two-layer.ts';
export {
  REDUCE_WEIGHTS_DEFAULTS,
  type ReducedRig,
  type ReduceWeightsOptions,
  reduceWeights,
  WEIGHT_METHODS,
  type WeightMethod,
} from './reduce/weights/reduce-weights.ts';
export { roundWeights } from './reduce/weights/round-weights.ts';
export {
  TETRAHEDRALIZE_DEFAULTS,
  type Tetrahedralization,
  type TetrahedralizeOptions,
  type TetrahedraReport,
  tetrahedralize,
} from './solve/tetrahedra/tetrahedralize.ts';
export { BIND_VOLUME_DEFAULTS, type BindVolumeOptions, bindVolume } from './solve/volume/bind-volume.ts';
export { type FittedSkeleton, fitSkeleton } from './solve/volume/fit-skeleton.ts';
