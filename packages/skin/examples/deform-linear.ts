import { deformLinear } from '@pelt/skin/blending';

// A vertex that follows a quarter of a bone which moves by 4 along x, and three quarters of one that rests.
const skin = { slots: 2, bones: Uint16Array.of(0, 1), weights: Float32Array.of(0.75, 0.25) };
const transforms = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 4, 0, 1, 0, 0, 0, 0, 1, 0);
const posed = deformLinear(Float32Array.of(1, 2, 3), skin, transforms, new Float32Array(3));

if (posed[0] !== 2 || posed[1] !== 2 || posed[2] !== 3) throw new Error('it moves by 1 along x');
