/** Skinning by a palette of transforms: linear blending and dual quaternions. Run time; no method is needed for it. */
export { deformDualQuaternion } from './dual-quaternion.ts';
export { deformLinear } from './linear.ts';
