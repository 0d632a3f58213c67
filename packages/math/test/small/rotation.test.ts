import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Numerics,
  openNumerics,
  polarDecomposition,
  polarDecompositions,
  properRotation,
  Random,
} from '../../src/index.ts';
import { identity, largestDifference, multiply, orthogonalityError, randomMatrix, transpose } from '../matrices.ts';
import { determinant, diagonal, product, randomRotation } from './three.ts';

function best(h: ArrayLike<number>): Float64Array {
  const out = new Float64Array(9);
  properRotation(h, 0, out, 0);
  return out;
}

function expectProper(r: Float64Array): void {
  expect(orthogonalityError(r, 3, 3)).toBeLessThan(5e-15);
  expect(Math.abs(determinant(r) - 1)).toBeLessThan(5e-15);
}

describe('properRotation', () => {
  it('gives the identity for the identity, for any positive diagonal and for zero', () => {
    for (const h of [diagonal(1, 1, 1), diagonal(5, 2, 3), new Float64Array(9)]) {
      expect(largestDifference(best(h), identity(3))).toBeLessThan(1e-15);
    }
  });

  it('turns the first point set into the second (H = Σ p̄ q̄ᵀ)', () => {
    // A quarter turn about z takes x to y and y to −x: q = R p.
    const r = [0, -1, 0, 1, 0, 0, 0, 0, 1];
    const points = [
      [1, 0, 0],
      [0, 2, 0],
      [0, 0, 3],
    ];
    const h = new Float64Array(9);
    for (const p of points) {
      const q = multiply(r, p, 3, 3, 1);
      for (let k = 0; k < 9; k++) h[k] += p[Math.floor(k / 3)] * q[k % 3];
    }
    expect(largestDifference(best(h), r)).toBeLessThan(1e-15);
  });

  it.each([1e-9, 1e-6, 1, 1e6, 1e9, 1e-300, 1e300])('recovers a known rotation at scale %f', (scale) => {
    const random = new Random(11);
    for (let round = 0; round < 500; round++) {
      const u = randomRotation(random);
      const v = randomRotation(random);
      const s = diagonal(1, random.uniform(0.3, 1), random.uniform(0.1, 0.3));
      const h = product(u, s, transpose(v, 3, 3)).map((x) => x * scale);
      const r = best(h);
      expect(largestDifference(r, product(v, transpose(u, 3, 3)))).toBeLessThan(1e-14);
      expectProper(r);
    }
  });

  it('is the same at every power of two, exactly', () => {
    const h = randomMatrix(new Random(19), 3, 3).map((x, k) => x + (k % 4 === 0 ? 3 : 0));
    const expected = best(h);
    for (const power of [-1000, -200, -30, 30, 200, 1000]) {
      expect(best(h.map((x) => x * 2 ** power))).toEqual(expected);
    }
  });

  it.each([
    ['mirrored', [1, 0.6, -0.3]],
    ['flat', [1, 0.5, 0]],
    ['almost flat', [1, 0.5, 1e-9]],
    ['almost flat and mirrored', [1, 0.5, -1e-9]],
  ])('is the optimum for %s input', (_, values) => {
    const random = new Random(12);
    for (let round = 0; round < 500; round++) {
      const u = randomRotation(random);
      const v = randomRotation(random);
      const r = best(product(u, diagonal(values[0], values[1], values[2]), transpose(v, 3, 3)));
      expect(largestDifference(r, product(v, transpose(u, 3, 3)))).toBeLessThan(1e-14);
      expectProper(r);
    }
  });

  it('is continuous across a flat H', () => {
    const random = new Random(13);
    const u = randomRotation(random);
    const vt = transpose(randomRotation(random), 3, 3);
    const above = best(product(u, diagonal(1, 0.5, 1e-10), vt));
    const below = best(product(u, diagonal(1, 0.5, -1e-10), vt));
    expect(largestDifference(above, below)).toBeLessThan(1e-9);
  });

  it('takes the shortest rotation for collinear points, also to the opposite side', () => {
    const random = new Random(14);
    for (let round = 0; round < 500; round++) {
      const p = multiply(randomRotation(random), [1, 0, 0], 3, 3, 1);
      const q = multiply(randomRotation(random), [1, 0, 0], 3, 3, 1);
      const target = round % 3 === 0 ? p.map((x) => -x) : round % 3 === 1 ? q : p;
      const r = best(multiply(p, target, 3, 1, 3));
      expectProper(r);
      expect(largestDifference(multiply(r, p, 3, 3, 1), target)).toBeLessThan(1e-14);
      const cosine = p[0] * target[0] + p[1] * target[1] + p[2] * target[2];
      expect(Math.abs((r[0] + r[4] + r[8] - 1) / 2 - cosine)).toBeLessThan(1e-14);
    }
  });

  it('no rotation near the answer is better (random H of every sign)', () => {
    const random = new Random(15);
    for (let round = 0; round < 300; round++) {
      const h = randomMatrix(random, 3, 3);
      const r = best(h);
      expectProper(r);
      const reached = trace(multiply(r, h, 3, 3, 3));
      for (let k = 0; k < 10; k++) {
        const other = product(randomRotation(random, 10 ** random.uniform(-4, 0)), r);
        expect(trace(multiply(other, h, 3, 3, 3))).toBeLessThan(reached + 1e-14);
      }
    }
  });

  it('passes on what is not finite', () => {
    expect([...best([1, 0, 0, 0, Number.NaN, 0, 0, 0, 1])].every(Number.isNaN)).toBe(true);
    expect([...best([1, 0, 0, 0, Number.POSITIVE_INFINITY, 0, 0, 0, 1])].every(Number.isNaN)).toBe(true);
  });
});

describe('polarDecomposition', () => {
  it.each([1e-6, 1, 1e6])('gives F = R S with R proper and S symmetric, at scale %f', (scale) => {
    const random = new Random(16);
    const r = new Float64Array(9);
    const s = new Float64Array(9);
    for (let round = 0; round < 300; round++) {
      const f = randomMatrix(random, 3, 3).map((x) => x * scale);
      polarDecomposition(f, 0, r, 0, s, 0);
      expectProper(r);
      expect(largestDifference(multiply(r, s, 3, 3, 3), f)).toBeLessThan(1e-14 * scale);
      expect(largestDifference(s, transpose(s, 3, 3))).toBe(0);
    }
  });

  it('recovers rotation and stretch', () => {
    const random = new Random(17);
    const rotation = randomRotation(random);
    const v = randomRotation(random);
    const stretch = product(v, diagonal(2, 1.5, 0.2), transpose(v, 3, 3));
    const r = new Float64Array(9);
    const s = new Float64Array(9);
    polarDecomposition(product(rotation, stretch), 0, r, 0, s, 0);
    expect(largestDifference(r, rotation)).toBeLessThan(1e-14);
    expect(largestDifference(s, stretch)).toBeLessThan(1e-14);
  });
});

describe('in batches', () => {
  let pools: Numerics[];
  beforeAll(async () => {
    pools = await Promise.all([1, 2].map((threads) => openNumerics({ threads })));
  });
  afterAll(() => {
    for (const pool of pools) pool.close();
  });

  it.each([0, 1, 2, 3, 7, 64, 65, 1000])('gives the same bits as the function on one matrix, %i of them', (count) => {
    const random = new Random(18);
    const h = randomMatrix(random, count, 9);
    for (let k = 0; k < count; k++) {
      // Every kind of degenerate input among them.
      if (k % 7 === 3) h.set(product(randomRotation(random), diagonal(1, 0.5, 0)), 9 * k);
      if (k % 7 === 4) h.set(multiply(randomMatrix(random, 3, 1), randomMatrix(random, 1, 3), 3, 1, 3), 9 * k);
      if (k % 7 === 5) h.fill(0, 9 * k, 9 * k + 9);
    }
    const rotations = new Float64Array(9 * count);
    const stretches = new Float64Array(9 * count);
    for (let k = 0; k < count; k++) {
      polarDecomposition(h, 9 * k, rotations, 9 * k, stretches, 9 * k);
    }
    for (const pool of pools) {
      const scope = pool.scope();
      const [a, r, s] = [scope.f64From(h), scope.f64(9 * count), scope.f64(9 * count)];
      polarDecompositions(pool, count, a, r, s);
      expect(r.view).toEqual(rotations);
      expect(s.view).toEqual(stretches);
      scope.dispose();
    }
  });
});

function trace(a: Float64Array): number {
  return a[0] + a[4] + a[8];
}
