/** Evaluates characters, whatever their skin; no training. */
export { type Player, playerOf } from './player.ts';
