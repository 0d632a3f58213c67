/** Poses a character by dragging points of its skin. */
export { MOVING_EASE, POSE_DEFAULTS, type PoseOptions } from '../options.ts';
export type { Regions } from './control-system.ts';
export type { HandlePoser, PoseState } from './handle-poser.ts';
export type { Handle } from './handle-set.ts';
export { createPoseSession, type PoseSession } from './pose-session.ts';
export { createPoseSpace, type PoseSpace } from './pose-space.ts';
export type { SkinFoot } from './skin-feet.ts';
