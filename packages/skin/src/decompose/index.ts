/** Decompose mesh animations into bones, weights and motion (SSDR, FSD, SMA, LSSP), with EigenSkin corrections on top. */
export { linearSequenceErrors, type PlayedSequence } from '../shared/sequence-errors.ts';
export { CHUNK_DEFAULTS, type ChunkOptions, decomposeInChunks } from './chunks/decompose-in-chunks.ts';
export { type ConcatenatedSequences, concatenateSequences } from './concatenate.ts';
export { type Decomposition, decompose } from './decompose.ts';
export { type EigenSkin, eigenSkin } from './eigenskin.ts';
export type { LockedRig } from './locked-fit.ts';
export {
  type BoneKind,
  DECOMPOSE_DEFAULTS,
  type DecomposeMethod,
  type DecomposeOptions,
  EIGENSKIN_DEFAULTS,
  type EigenSkinOptions,
  type RestPose,
  ROOT_MOTION_DEFAULTS,
  type RootMotion,
  type RootMotionOptions,
} from './options.ts';
export type { RestDisplacement } from './rest-displacement.ts';
export { splitRootMotion } from './root-motion.ts';
