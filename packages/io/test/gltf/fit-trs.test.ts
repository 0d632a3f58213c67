import { Random } from '@pelt/math';
import { expect, it } from 'vitest';
import { deviationFromSimilarity, fitTrs, nearestSimilarity } from '../../src/gltf/fit-trs.ts';
import { composeTrs, identityTransform, identityTrs } from '../../src/gltf/transform.ts';
import { affine, rotation } from './models.ts';

const UNTURNED = identityTrs().rotation;

function residual(a: Float64Array, b: Float64Array): number {
  return Math.hypot(...a.map((value, k) => value - b[k]));
}

function recomposed(a: Float64Array): Float64Array {
  return composeTrs(fitTrs(a, UNTURNED), new Float64Array(12));
}

it('takes the identity apart into nothing', () => {
  expect(fitTrs(identityTransform(), UNTURNED)).toEqual(identityTrs());
});

it('gives scale and rotation back where nothing shears, mirrored or not', () => {
  const random = new Random(7);
  for (let k = 0; k < 50; k++) {
    const r = rotation(random);
    const s = [0, 1, 2].map(() => (random.uniform() < 0.3 ? -1 : 1) * (0.2 + 3 * random.uniform()));
    const a = affine(
      r.map((value, i) => value * s[i % 3]),
      [1, 2, 3],
    );
    expect(residual(recomposed(a), a)).toBeLessThan(1e-9);
  }
});

it('keeps a stretch along a slanting axis as well as any scale can', () => {
  // x is sheared by y: not a rotation times a scale.
  const a = affine([1, 0.5, 0, 0, 1, 0, 0, 0, 1], [0, 0, 0]);
  const fitted = residual(recomposed(a), a);
  const random = new Random(11);
  const best = fitTrs(a, UNTURNED);
  for (let k = 0; k < 500; k++) {
    const near = {
      translation: best.translation,
      rotation: best.rotation.map((value) => value + 0.05 * random.normal()),
      scale: best.scale.map((value) => value + 0.05 * random.normal()),
    };
    expect(residual(composeTrs(near, new Float64Array(12)), a)).toBeGreaterThanOrEqual(fitted);
  }
});

it('answers in the hemisphere of the frame before', () => {
  const random = new Random(13);
  for (let k = 0; k < 20; k++) {
    const last = Float64Array.from({ length: 4 }, () => random.normal());
    const { rotation: q } = fitTrs(affine(rotation(random), [0, 0, 0]), last);
    expect(q.reduce((sum, value, c) => sum + value * last[c], 0)).toBeGreaterThanOrEqual(0);
  }
});

it('survives what has no rotation in it', () => {
  for (const linear of [new Float64Array(9), Float64Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0)]) {
    const a = affine(linear, [1, 2, 3]);
    expect(residual(recomposed(a), a)).toBeLessThan(1e-12);
  }
});

it('measures stretch and takes it away', () => {
  const random = new Random(17);
  const r = rotation(random);
  expect(
    deviationFromSimilarity(
      affine(
        r.map((value) => 5 * value),
        [0, 0, 0],
      ),
    ),
  ).toBeLessThan(1e-12);
  const stretched = affine(
    r.map((value, k) => value * [1, 2, 3][k % 3]),
    [1, 2, 3],
  );
  expect(deviationFromSimilarity(stretched)).toBeGreaterThan(0.5);
  expect(deviationFromSimilarity(nearestSimilarity(stretched))).toBeLessThan(1e-12);
  expect(deviationFromSimilarity(new Float64Array(12))).toBe(1);
});
