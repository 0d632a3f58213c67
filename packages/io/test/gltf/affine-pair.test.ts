import { Random } from '@pelt/math';
import { expect, it } from 'vitest';
import { AffinePairTracker } from '../../src/gltf/affine-pair.ts';
import { composeTrs, identityTransform, identityTrs, multiply } from '../../src/gltf/transform.ts';
import { affine, rotation } from './models.ts';

type Pair = ReturnType<AffinePairTracker['next']>;

function product({ outer, inner }: Pair): Float64Array {
  const turn = composeTrs({ ...identityTrs(), rotation: inner }, new Float64Array(12));
  return multiply(composeTrs(outer, new Float64Array(12)), turn, turn);
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.max(...Array.from(a, (value, k) => Math.abs(value - b[k])));
}

it('needs no inner turn for the identity', () => {
  const { outer, inner } = new AffinePairTracker().next(identityTransform());
  expect(outer).toEqual(identityTrs());
  expect(inner).toEqual(identityTrs().rotation);
});

it('needs none for rigid motion, whatever went before', () => {
  const random = new Random(2);
  const tracker = new AffinePairTracker();
  for (let t = 0; t < 10; t++) {
    const { inner } = tracker.next(affine(rotation(random), [0, 0, 0]));
    expect(inner).toEqual(identityTrs().rotation);
  }
});

it('is any matrix at all', () => {
  const random = new Random(3);
  const tracker = new AffinePairTracker();
  for (let t = 0; t < 300; t++) {
    const scale = 10 ** (6 * random.uniform() - 3);
    const a = affine(
      Float64Array.from({ length: 9 }, () => scale * random.normal()),
      [1, 2, 3],
    );
    expect(distance(product(tracker.next(a)), a)).toBeLessThan(1e-6 * scale);
  }
});

it('is any flattened or vanished matrix too', () => {
  const random = new Random(5);
  const tracker = new AffinePairTracker();
  for (let t = 0; t < 60; t++) {
    const rank = t % 3;
    const [u, v] = [rotation(random), rotation(random)];
    const linear = u.map((_, k) =>
      [0, 1, 2].reduce((sum, i) => sum + (i < rank ? u[3 * Math.floor(k / 3) + i] * v[3 * (k % 3) + i] : 0), 0),
    );
    const a = affine(linear, [0, 0, 0]);
    const pair = tracker.next(a);
    expect(distance(product(pair), a)).toBeLessThan(1e-6);
    // What is flat has no inside to turn out.
    expect(Math.min(...pair.outer.scale)).toBeGreaterThan(-1e-9);
    expect(Math.hypot(...pair.outer.rotation)).toBeCloseTo(1, 12);
    expect(Math.hypot(...pair.inner)).toBeCloseTo(1, 12);
  }
});

/** A stretch whose axes turn slowly and whose scales cross, so that a fresh decomposition would jump. */
function smoothMotion(t: number): Float64Array {
  const angle = 0.02 * t;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const v = [c, -s, 0, s, c, 0, 0, 0, 1];
  const scales = [1 + 0.01 * t, 1.5 - 0.01 * t, 1.2];
  // V diag(scales) Vᵀ
  const linear = v.map((_, k) =>
    [0, 1, 2].reduce((sum, i) => sum + v[3 * Math.floor(k / 3) + i] * scales[i] * v[3 * (k % 3) + i], 0),
  );
  return affine(linear, [0, 0, 0]);
}

it('moves little from frame to frame, also where two scales pass each other', () => {
  const tracker = new AffinePairTracker();
  let last = tracker.next(smoothMotion(0));
  for (let t = 1; t < 60; t++) {
    const next = tracker.next(smoothMotion(t));
    for (const [a, b] of [
      [last.outer.rotation, next.outer.rotation],
      [last.inner, next.inner],
      [last.outer.scale, next.outer.scale],
    ]) {
      expect(distance(a, b)).toBeLessThan(0.05);
    }
    last = next;
  }
});

it('passes through a reflection by a scale that changes its sign', () => {
  const tracker = new AffinePairTracker();
  let last = tracker.next(affine([1, 0, 0, 0, 1.5, 0, 0, 0, 0.5], [0, 0, 0]));
  for (let t = 1; t <= 10; t++) {
    const next = tracker.next(affine([1, 0, 0, 0, 1.5, 0, 0, 0, 0.5 - 0.11 * t], [0, 0, 0]));
    expect(distance(last.outer.rotation, next.outer.rotation)).toBeLessThan(1e-9);
    last = next;
  }
  expect(last.outer.scale[2]).toBeCloseTo(-0.6, 9);
});
