import { Random } from '@pelt/math';
import { expect, it } from 'vitest';
import {
  composeTrs,
  fromColumns,
  identityTransform,
  identityTrs,
  invert,
  isSingular,
  multiply,
  toColumns,
} from '../../src/gltf/transform.ts';
import { affine, apply, rotation } from './models.ts';

it('composes nothing to the identity', () => {
  expect(composeTrs(identityTrs(), new Float64Array(12))).toEqual(identityTransform());
});

it('translates after turning after scaling', () => {
  const half = Math.SQRT1_2;
  // A quarter turn about z takes x to y.
  const trs = {
    translation: Float64Array.of(10, 20, 30),
    rotation: Float64Array.of(0, 0, half, half),
    scale: Float64Array.of(2, 3, 4),
  };
  const [x, y, z] = apply(composeTrs(trs, new Float64Array(12)), [1, 1, 1]);
  expect(x).toBeCloseTo(10 - 3, 12);
  expect(y).toBeCloseTo(20 + 2, 12);
  expect(z).toBeCloseTo(30 + 4, 12);
});

it('takes a quaternion of any length, and of none, as a rotation', () => {
  const trs = identityTrs();
  trs.rotation.set([0, 0, 0, 7]);
  expect(composeTrs(trs, new Float64Array(12))).toEqual(identityTransform());
  trs.rotation.set([0, 0, 0, 0]);
  expect(composeTrs(trs, new Float64Array(12))).toEqual(identityTransform());
});

it('inverts and multiplies, also in place', () => {
  const random = new Random(3);
  for (let k = 0; k < 20; k++) {
    const linear = Float64Array.from({ length: 9 }, () => random.normal());
    const a = affine(linear, [random.normal(), random.normal(), random.normal()]);
    const inverse = invert(a, a.slice());
    const product = multiply(a, inverse, inverse);
    product.forEach((value, i) => {
      expect(value).toBeCloseTo(i % 5 === 0 ? 1 : 0, 8);
    });
  }
});

it('gives columns back', () => {
  const a = affine(rotation(new Random(5)), [1, 2, 3]).map(Math.fround);
  const columns = new Float32Array(20);
  toColumns(a, columns, 4);
  expect([...columns.subarray(4)].filter((_, k) => k % 4 === 3)).toEqual([0, 0, 0, 1]);
  expect([...columns.subarray(16, 19)]).toEqual([1, 2, 3]);
  expect(fromColumns(columns, 4)).toEqual(a);
});

it('knows what cannot be inverted, at any scale', () => {
  for (const scale of [1e-9, 1, 1e9]) {
    expect(isSingular(affine([scale, 0, 0, 0, scale, 0, 0, 0, scale], [0, 0, 0]))).toBe(false);
    expect(isSingular(affine([scale, 0, 0, 0, scale, 0, 0, 0, 0], [0, 0, 0]))).toBe(true);
  }
  expect(isSingular(new Float64Array(12))).toBe(true);
});
