/** Run-time skinning by a palette of transforms: linear blending and dual quaternions. */
export { deformDualQuaternion } from './dual-quaternion.ts';
export { deformLinear } from './linear.ts';
