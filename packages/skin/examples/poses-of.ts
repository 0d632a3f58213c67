import { posesOf } from '@pelt/skin/envelope/runtime';

// Two poses of two bones.
const displacements = { poses: new Float64Array(12), displacements: new Float32Array() };
if (posesOf(displacements, 2).length !== 2) throw new Error('not two poses');
