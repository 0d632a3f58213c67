import {
  adjugate3,
  composeTransforms,
  determinant3,
  distance3,
  invert3,
  invertTransform,
  length3,
  linearPart,
  multiply3,
  multiplyTransposed3,
  rotate3,
  setIdentity3,
  transformOf,
  transformPoint,
  transposed3,
  triangleNormal,
} from '@pelt/math';

// Vectors, 3 × 3 matrices and 3 × 4 transforms are runs of numbers in arrays, each with the index where it begins.
const a = [2, 0, 0, 0, 1, 1, 0, 0, 1];
const matrix = () => new Float64Array(9);
const [inverse, product, identity] = [matrix(), matrix(), matrix()];
invert3(a, 0, inverse, 0);
multiply3(a, 0, inverse, 0, product, 0);
setIdentity3(identity, 0);
if (product.join() !== identity.join()) throw new Error('A A⁻¹ = I');
if (determinant3(a, 0) !== 2 || adjugate3(a, 0, matrix(), 0) !== 2) throw new Error('det A = 2');
const [left, right] = [matrix(), matrix()];
multiplyTransposed3(a, 0, a, 0, left, 0);
multiply3(transposed3(a), 0, a, 0, right, 0);
if (left.join() !== right.join()) throw new Error('AᵀA');

const v = [0, 0, 0];
rotate3(a, 0, [1, 1, 1], 0, v, 0);
if (length3(v, 0) !== 3 || distance3(v, 0, [2, 2, 0], 0) !== 1) throw new Error('A (1, 1, 1) = (2, 2, 1)');

// x ↦ A x + t, applied and undone.
const transform = transformOf(a, 0, [0, 0, 5]);
const [back, both] = [new Float64Array(12), new Float64Array(12)];
invertTransform(transform, 0, back, 0);
composeTransforms(back, 0, transform, 0, both, 0);
const point = new Float64Array(3);
transformPoint(both, 0, 7, 8, 9, point, 0);
if (point.join() !== '7,8,9') throw new Error('there and back');
linearPart(transform, 0, product, 0);
if (product.join() !== a.join()) throw new Error('A');

const normal = new Float64Array(3);
triangleNormal([0, 0, 0, 3, 0, 0, 0, 4, 0], 0, 1, 2, normal, 0);
if (normal[2] !== 12) throw new Error('twice the area');
