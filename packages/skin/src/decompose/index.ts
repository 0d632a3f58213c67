/** Decompose mesh animations into bones, weights and motion (SSDR, FSD, SMA, LSSP), with EigenSkin corrections on top. */
export { linearSequenceErrors, type PlayedSequence } from '../shared/sequence-errors.ts';
export { type ConcatenatedSequences, concatenateSequences } from './concatenate.ts';
export { type Decomposition, decompose, type RestDisplacement } from './decompose.ts';
export { type EigenSkin, eigenSkin } from './eigenskin.ts';
export { EigenSkinPoses } from './eigenskin-poses.ts';
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
export { splitRootMotion } from './root-motion.ts';
