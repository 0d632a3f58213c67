/** Evaluates characters, whatever their skin; no training. */
export { combinePoses, jointMask, type PoseLayer } from './combine-poses.ts';
export { type Player, playerOf } from './player.ts';
