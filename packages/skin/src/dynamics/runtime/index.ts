export { SWING_DEFAULTS, type SwingOptions } from '../options.ts';
export { runUntilPeriodic, startClip } from './loops.ts';
export { createSwingDeformer, SwingDeformer } from './swing-deformer.ts';
export { SwingPlayer, type SwingState } from './swing-player.ts';
