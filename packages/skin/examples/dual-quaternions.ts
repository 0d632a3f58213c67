import { DUAL_QUATERNION_SIZE, dualQuaternions } from '@pelt/skin/blending';

const [x, y, z, w, dx] = dualQuaternions(Float64Array.of(1, 0, 0, 6, 0, 1, 0, 0, 0, 0, 1, 0));

if (DUAL_QUATERNION_SIZE !== 8 || x !== 0 || y !== 0 || z !== 0 || w !== 1) throw new Error('no rotation');
if (dx !== 3) throw new Error('half of the translation');
