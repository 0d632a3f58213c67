/** Puppet: example-based retargeting of a performer's poses to a character. */
export {
  CLEAN_DEFAULTS,
  type CleanOptions,
  KEY_POSES_DEFAULTS,
  type KeyPosesOptions,
  RESOLVE_PAIRS_DEFAULTS,
  type ResolvePairsOptions,
  STUDY_PROJECTIONS_DEFAULTS,
  type StudyProjectionsOptions,
} from './options.ts';
export * from './runtime/index.ts';
export { type CleanedClip, type CleanInput, cleanClip } from './take/clean-clip.ts';
export { measureTake, type TakeInput, type TakeQuality } from './take/measure-take.ts';
export { mirrorMotion } from './take/mirror-motion.ts';
export { suggestKeyPoses } from './training/key-poses.ts';
export { type PairSources, pairsToDocument, resolvePairs } from './training/resolve-pairs.ts';
export { type ProjectionStudyInput, type ProjectionTable, studyProjections } from './training/study-projections.ts';
