/** Run-time skinning by a palette of transforms: linear blending and dual quaternions. */
export { DUAL_QUATERNION_SIZE, deformDualQuaternion, dualQuaternions } from './dual-quaternion.ts';
export { deformLinear } from './linear.ts';
