/** FBX files as GLB. */
export { FBX_DEFAULTS, type FbxOptions, fbxToGlb } from './fbx-to-glb.ts';
