export { deformLinear } from './deform/linear.ts';
export { linearSequenceErrors } from './deform/sequence-errors.ts';
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
export {
  DECOMPOSE_DEFAULTS,
  type DecomposeMethod,
  type DecomposeOptions,
  type Decomposition,
  decompose,
  MOST_BONES,
} from './fit/decompose.ts';
export type { LockedRig } from './fit/locked-fit.ts';
