/** Bones, weights and motion from a mesh animation (SSDR, FSD, SMA, LSSP), and EigenSkin corrections on top. */
export { linearSequenceErrors } from '../shared/sequence-errors.ts';
export { type ConcatenatedSequences, concatenateSequences } from './concatenate.ts';
export { type Decomposition, decompose } from './decompose.ts';
export { type EigenSkin, eigenSkin } from './eigenskin.ts';
export type { LockedRig } from './locked-fit.ts';
export { DECOMPOSE_DEFAULTS, type DecomposeMethod, type DecomposeOptions, MOST_BONES } from './options.ts';
export { type RootMotion, splitRootMotion } from './root-motion.ts';
