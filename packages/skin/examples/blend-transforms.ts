import { blendTransforms } from '@pelt/skin/reduce/runtime';

const blends = { slots: 2, bones: Uint16Array.of(0, 1), weights: Float32Array.of(0.75, 0.25) };
const transforms = Float64Array.from({ length: 24 }, (_, k) => (k < 12 ? 0 : 4));
const blended = blendTransforms(blends, transforms, new Float64Array(12));

if (blended.some((value) => value !== 1)) throw new Error('a quarter of the second transform');
