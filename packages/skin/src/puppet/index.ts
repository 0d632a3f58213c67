/** Puppet: example-based retargeting of a performer's poses to a character. */
export {
  KEY_POSES_DEFAULTS,
  type KeyPosesOptions,
  RESOLVE_PAIRS_DEFAULTS,
  type ResolvePairsOptions,
} from './options.ts';
export * from './runtime/index.ts';
export { suggestKeyPoses } from './training/key-poses.ts';
export { type PairSources, pairsToDocument, resolvePairs } from './training/resolve-pairs.ts';
