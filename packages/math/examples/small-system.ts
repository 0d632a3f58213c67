import { factorSmall, solveSmall, solveSmallVector } from '@pelt/math';

// [[4, 2], [2, 5]] x = (8, 12), in arrays that the caller keeps.
const a = Float64Array.of(4, 2, 2, 5);
const x = Float64Array.of(8, 12);
if (!factorSmall(a, 2, 2)) throw new Error('it is positive definite');
solveSmall(a, 2, 2, x, 1);
if (x.join() !== '1,2') throw new Error('x = (1, 2)');

const y = Float64Array.of(8, 12);
solveSmallVector(a, 2, 2, y);
if (y.join() !== '1,2') throw new Error('y = (1, 2)');
