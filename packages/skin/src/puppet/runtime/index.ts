/** Drives a character by a performer's joints, live or from a recording. */
export {
  FILL_GAPS_DEFAULTS,
  type FillGapsOptions,
  PERFORM_DEFAULTS,
  type PerformOptions,
  PUPPET_DEFAULTS,
  type PuppetOptions,
} from '../options.ts';
export { fillGaps, type GapReport } from './fill-gaps.ts';
export { perform } from './perform.ts';
export { type Puppet, register } from './puppet.ts';
