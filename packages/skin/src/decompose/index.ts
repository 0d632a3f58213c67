/** Decompose mesh animations into bones, weights and motion (SSDR, FSD, SMA, LSSP), with EigenSkin corrections on top. */
export { PAINT } from '../shared/search/painted-weights.ts';
export { linearSequenceErrors, type PlayedSequence } from '../shared/sequence-errors.ts';
export { assembleRig } from './chunks/assemble-rig.ts';
export type { ChunkWeights } from './chunks/chunk-weights.ts';
export { ChunkedMesh } from './chunks/chunked-mesh.ts';
export { type FoundBones, findBones } from './chunks/find-bones.ts';
export { type MeasuredRig, measuredRig } from './chunks/measured-rig.ts';
export { type Places, placesOf, solveChunks } from './chunks/solve-chunks.ts';
export { type ConcatenatedSequences, concatenateSequences } from './concatenate.ts';
export { type Decomposition, decompose } from './decompose.ts';
export { type EigenSkin, eigenSkin } from './eigenskin.ts';
export type { LockedRig } from './locked-fit.ts';
export {
  type BoneKind,
  CHUNK_DEFAULTS,
  type ChunkOptions,
  DECOMPOSE_DEFAULTS,
  DECOMPOSE_TAKEN_BY,
  type DecomposeMethod,
  type DecomposeOptions,
  type DecomposeRequest,
  EIGENSKIN_DEFAULTS,
  type EigenSkinOptions,
  type FitStart,
  type RestPose,
  ROOT_MOTION_DEFAULTS,
  type RootMotion,
  type RootMotionOptions,
} from './options.ts';
export type { PaintedRig } from './painted-fit.ts';
export { FIT_PLAN, type FitPlan } from './plan.ts';
export type { RestDisplacement } from './rest-displacement.ts';
export { splitRootMotion } from './root-motion.ts';
export { EigenSkinPoses } from './runtime/eigenskin-poses.ts';
export { UnreachedError } from './unreached-error.ts';
