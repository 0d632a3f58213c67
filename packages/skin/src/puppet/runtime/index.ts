/** Drives a character by a performer's joints, live or from a recording. */
export {
  CALIBRATION_DEFAULTS,
  type CalibrationOptions,
  FILL_GAPS_DEFAULTS,
  type FillGapsOptions,
  NEUTRAL_DEFAULTS,
  type NeutralOptions,
  PUPPET_DEFAULTS,
  type PuppetOptions,
  RETARGET_DEFAULTS,
  type RetargetOptions,
} from '../options.ts';
export { fillGaps, type GapReport } from './fill-gaps.ts';
export { type FingerChain, findFingers } from './humanoid/finger-names.ts';
export { type Humanoid, type HumanoidLimb, recogniseHumanoid } from './humanoid/humanoid.ts';
export { suggestNeutral } from './humanoid/suggest-neutral.ts';
export type { PuppetData } from './make-pose-source.ts';
export {
  calibratePerformer,
  type PerformerCalibration,
  startHeading,
  uprightMotion,
} from './performer/calibrate-performer.ts';
export { LiveCalibration } from './performer/live-calibration.ts';
export { createPuppet, type Puppet } from './puppet.ts';
export { type RetargetData, retargetMotion } from './retarget-motion.ts';
export type { ShapeSpace } from './shape-space.ts';
