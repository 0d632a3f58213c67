import { factorSmall, solveSmall, solveSmallVector } from '@pelt/math';

// [[4, 2], [2, 5]] X = B, in arrays that the caller keeps.
const a = Float64Array.of(4, 2, 2, 5);
if (!factorSmall(a, 2, 2)) throw new Error('it is positive definite');
const b = Float64Array.of(8, 6, 12, 7); // two right-hand sides, (8, 12) and (6, 7)
solveSmall(a, 2, 2, b, 2);
if (b.join() !== '1,1,2,1') throw new Error('X = (1, 2) and (1, 1)');
const x = Float64Array.of(8, 12);
solveSmallVector(a, 2, 2, x);
if (x.join() !== '1,2') throw new Error('x = (1, 2)');
