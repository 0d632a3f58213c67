import { NumericError, openNumerics, Random } from '@pelt/math';
import { afterAll, describe, expect, it } from 'vitest';
import { PoseProducts } from '../../src/index.ts';

const numerics = await openNumerics();
afterAll(() => numerics.close());

/** p proxies with one to four blocks over m controls. */
function randomRows(random: Random, p: number, m: number) {
  const starts = [0];
  const controls: number[] = [];
  for (let k = 0; k < p; k++) {
    const first = random.integer(m);
    const count = 1 + random.integer(Math.min(4, m));
    for (let b = 0; b < count; b++) controls.push((first + b) % m);
    starts.push(controls.length);
  }
  return { starts, controls, blocks: controls.flatMap(() => Array.from({ length: 12 }, () => random.uniform(-1, 1))) };
}

function largest(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = 0;
  for (let k = 0; k < b.length; k++) most = Math.max(most, Math.abs(a[k] - b[k]));
  return most;
}

describe.each([
  [1, 1, 2, 6],
  [7, 2, 2, 8],
  [40, 5, 14, 42],
  [23, 3, 4, 12],
])(
  'products of posing, %i proxies, %i controls, width %i, stride %i, against plain loops (seed 9)',
  (p, m, width, stride) => {
    const random = new Random(9);
    const rows = randomRows(random, p, m);
    const weights = Float64Array.from({ length: p }, () => random.uniform(0.1, 1));
    const x = Float64Array.from({ length: 3 * p * stride }, () => random.uniform(-1, 1));
    const N = 4 * m;

    it('transposed', () => {
      const scope = numerics.scope();
      const products = new PoseProducts(numerics, scope, rows, m);
      products.setWeights(weights);
      const expected = new Float64Array(N * stride);
      for (let k = 0; k < p; k++) {
        for (let b = rows.starts[k]; b < rows.starts[k + 1]; b++) {
          for (let u = 0; u < 12; u++) {
            const to = (4 * rows.controls[b] + Math.floor(u / 3)) * stride;
            const from = (3 * k + (u % 3)) * stride;
            for (let c = 0; c < stride; c++) expected[to + c] += weights[k] * rows.blocks[12 * b + u] * x[from + c];
          }
        }
      }
      const out = scope.f64(N * stride);
      out.view.fill(7);
      products.transposed(scope.f64From(x), stride, out);
      expect(largest(out.view, expected)).toBeLessThan(1e-13);
      scope.dispose();
    });

    it('gram', () => {
      const scope = numerics.scope();
      const products = new PoseProducts(numerics, scope, rows, m);
      products.setWeights(weights);
      const expected = new Float64Array(width * width);
      for (let row = 0; row < 3 * p; row++) {
        for (let r = 0; r < 3; r++) {
          for (let e = 0; e < width; e++) {
            for (let f = 0; f <= e; f++) {
              const at = row * stride + r * width;
              expected[e * width + f] += weights[Math.floor(row / 3)] * x[at + e] * x[at + f];
            }
          }
        }
      }
      const out = scope.f64(width * width);
      out.view.fill(7);
      products.gram(scope.f64From(x), stride, width, out);
      const below = () => out.view.map((value, k) => (k % width <= Math.floor(k / width) ? value : 0));
      expect(largest(below(), expected)).toBeLessThan(1e-12);
      const [a, b] = [0, 1].map(() => Float64Array.from({ length: N * stride }, () => random.uniform(-1, 1)));
      for (let row = 0; row < N; row++) {
        for (let r = 0; r < 3; r++) {
          const at = row * stride + r * width;
          for (let e = 0; e < width; e++) for (let f = 0; f <= e; f++) expected[e * width + f] -= a[at + e] * b[at + f];
        }
      }
      products.addProducts(products.N, -1, scope.f64From(a), scope.f64From(b), stride, width, out);
      expect(largest(below(), expected)).toBeLessThan(1e-12);
      scope.dispose();
    });

    it('lower', () => {
      const scope = numerics.scope();
      const products = new PoseProducts(numerics, scope, rows, m);
      const a = Float64Array.from({ length: N * N }, (_, k) => (k % N <= k / N ? random.uniform(-1, 1) : 0));
      const y = scope.f64From(Float64Array.from({ length: N * stride }, () => random.uniform(-1, 1)));
      const [half, whole] = [scope.f64(N * stride), scope.f64(N * stride)];
      products.lower(scope.f64From(a), y, stride, half);
      products.square(scope.f64From(a), y, stride, whole);
      expect(largest(half.view, whole.view)).toBeLessThan(1e-12);
      scope.dispose();
    });

    it('weighted rows', () => {
      const scope = numerics.scope();
      const products = new PoseProducts(numerics, scope, rows, m);
      const out = scope.f64(4);
      products.weightedRows(2, 2, 2, scope.f64From([2, 3]), scope.f64From([1, 2, 10, 20, 5, 6, 50, 60]), out);
      expect(Array.from(out.view)).toEqual([32, 64, 160, 192]);
      scope.dispose();
    });

    it('square', () => {
      const scope = numerics.scope();
      const products = new PoseProducts(numerics, scope, rows, m);
      const a = Float64Array.from({ length: N * N }, () => random.uniform(-1, 1));
      const y = Float64Array.from({ length: N * stride }, () => random.uniform(-1, 1));
      const expected = Float64Array.from({ length: N * stride }, (_, at) => {
        let sum = 0;
        for (let k = 0; k < N; k++) sum += a[Math.floor(at / stride) * N + k] * y[k * stride + (at % stride)];
        return sum;
      });
      const out = scope.f64(N * stride);
      products.square(scope.f64From(a), scope.f64From(y), stride, out);
      expect(largest(out.view, expected)).toBeLessThan(1e-13);
      scope.dispose();
    });
  },
);

describe('products of posing', () => {
  it('refuse a block of a control that is not there', () => {
    const rows = { starts: [0, 1], controls: [2], blocks: new Float64Array(12) };
    expect(() => new PoseProducts(numerics, numerics.scope(), rows, 2)).toThrow(NumericError);
  });
});
