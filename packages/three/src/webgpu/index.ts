/** Shaders of pelt's own for WebGPURenderer, on WebGPU and on its WebGL 2 back end. */
export { PeltCrowdGroup } from './crowd-group.ts';
export {
  ENHANCE_DEFAULTS,
  type EnhanceOptions,
  enhance,
  UPDATE_SKINS_DEFAULTS,
  type UpdateSkinsOptions,
  updateSkins,
  uploadBytes,
} from './enhance.ts';
export { CROWD_DEFAULTS, type CrowdOptions, PeltCrowd } from './pelt-crowd.ts';
