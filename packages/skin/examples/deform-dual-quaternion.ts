import { deformDualQuaternion, deformLinear } from '@pelt/skin/blending';

// A vertex at (0, 1, 0) between a fixed bone and one that is rotated by 180° about x.
const rest = Float32Array.of(0, 1, 0);
const skin = { slots: 2, bones: Uint16Array.of(0, 1), weights: Float32Array.of(0.5, 0.5) };
const transforms = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0);
const linear = deformLinear(rest, skin, transforms, new Float32Array(3));
const dual = deformDualQuaternion(rest, skin, transforms, new Float32Array(3));

if (Math.hypot(...linear) > 1e-6) throw new Error('linear blending collapses');
if (Math.abs(Math.hypot(...dual) - 1) > 1e-6) throw new Error('dual quaternions keep the distance from the axis');
