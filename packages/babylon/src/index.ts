/** Plays pelt's models in Babylon.js: `registerPelt()` once, then load files as ever. */
export { PeltExtension, registerPelt } from './pelt-extension.ts';
export { type PeltSkin, peltSkinOf } from './pelt-skin.ts';
export { PeltSliders } from './pelt-sliders.ts';
