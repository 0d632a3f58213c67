/** Skinning by a palette of transforms: linear blending and dual quaternions. Run time; no method is needed for it. */
export { DUAL_QUATERNION_SIZE, deformDualQuaternion, dualQuaternions } from './dual-quaternion.ts';
export { deformLinear } from './linear.ts';
