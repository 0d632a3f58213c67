import { factorSmall, solveSmall, solveSmallVector } from '@pelt/math';

// [[4, 2], [2, 5]] x = (8, 12), in arrays that the caller keeps.
const a = Float64Array.of(4, 2, 2, 5);
const x = Float64Array.of(8, 12);
if (!factorSmall(a, 2, 2)) throw new Error('it is positive definite');
solveSmallVector(a, 2, 2, x);
if (x.join() !== '1,2') throw new Error('x = (1, 2)');

// Several right-hand sides at once, as columns.
const columns = Float64Array.of(8, 4, 12, 2);
solveSmall(a, 2, 2, columns, 2);
if (columns.join() !== '1,1,2,0') throw new Error('x = (1, 2) and (1, 0)');
