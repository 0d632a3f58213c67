/** Drives a character by a performer's joints, live or from a recording. */
export {
  FILL_GAPS_DEFAULTS,
  type FillGapsOptions,
  PUPPET_DEFAULTS,
  type PuppetOptions,
  RETARGET_DEFAULTS,
  type RetargetOptions,
} from '../options.ts';
export { fillGaps, type GapReport } from './fill-gaps.ts';
export { createPuppet, type Puppet, type PuppetData } from './puppet.ts';
export { retargetMotion } from './retarget-motion.ts';
