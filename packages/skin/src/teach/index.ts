/** Teach: poses of a rig that a slower method solves, for a skin to learn from. */
export { TEACH_DEFAULTS, type TeachOptions } from './options.ts';
export { type TaughtPoses, type Teacher, teachPoses } from './teach-poses.ts';
