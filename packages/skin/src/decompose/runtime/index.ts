/** What plays a decomposition beyond its frames; no training. */
export { EigenSkinPoses } from './eigenskin-poses.ts';
