import {
  multiplyQuaternions,
  openNumerics,
  polarDecomposition,
  polarDecompositions,
  properRotation,
  quaternionFromRotation,
  rotationExp,
  rotationFromQuaternion,
  rotationLog,
  rotationLogNear,
  slerp,
  svd3,
} from '@pelt/math';

const near = (a: ArrayLike<number>, b: ArrayLike<number>) => Array.from(a).every((x, k) => Math.abs(x - b[k]) < 1e-9);
const matrix = () => new Float64Array(9);

// A quarter turn about z, from its rotation vector and back. Rotations are 3 × 3, row-major.
const quarter = matrix();
rotationExp([0, 0, Math.PI / 2], 0, quarter, 0);
if (!near(quarter, [0, -1, 0, 1, 0, 0, 0, 0, 1])) throw new Error('x goes to y');
const log = new Float64Array(3);
rotationLog(quarter, 0, log, 0);
if (!near(log, [0, 0, Math.PI / 2])) throw new Error('the vector again');
rotationLogNear(quarter, 0, [0, 0, 7], 0, log, 0);
if (!near(log, [0, 0, 2.5 * Math.PI])) throw new Error('the branch that is nearest to 7');

// As quaternions (x, y, z, w): twice a quarter turn, and half of one.
const q = new Float64Array(4);
quaternionFromRotation(quarter, 0, q, 0);
const half = new Float64Array(4);
slerp([0, 0, 0, 1], 0, q, 0, 0.5, half, 0);
multiplyQuaternions(half, 0, half, 0, half, 0);
const again = matrix();
rotationFromQuaternion(half, 0, again, 0);
if (!near(again, quarter)) throw new Error('two halves are a quarter turn');

// F = R S: a stretch along x, then the quarter turn.
const f = [0, -1, 0, 2, 0, 0, 0, 0, 1];
const [r, s] = [matrix(), matrix()];
polarDecomposition(f, 0, r, 0, s, 0);
if (!near(r, quarter) || !near(s, [2, 0, 0, 0, 1, 0, 0, 0, 1])) throw new Error('R and S');
// Kabsch: H = Σ p qᵀ of the axes p and where they went, q = R p, is Rᵀ.
properRotation([0, 1, 0, -1, 0, 0, 0, 0, 1], 0, r, 0);
if (!near(r, quarter)) throw new Error('R');
const singular = new Float64Array(3);
svd3(f, 0, matrix(), singular, matrix());
if (!near(singular, [2, 1, 1])) throw new Error('2, 1, 1');

// The same for many matrices at once, in the kernels' memory.
const numerics = await openNumerics();
const scope = numerics.scope();
const [all, rotations, stretches] = [scope.f64From([...f, ...f]), scope.f64(18), scope.f64(18)];
polarDecompositions(numerics, 2, all, rotations, stretches);
if (!near(rotations.view.subarray(9), quarter)) throw new Error('R of the second');
scope.dispose();
numerics.close();
