import { NumericError, type Numerics, openNumerics, Random, ShapeBlend } from '@pelt/math';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProxyBlend } from '../../src/drive/pose/proxy-blend.ts';

let numerics: Numerics;
beforeAll(async () => {
  numerics = await openNumerics();
});
afterAll(() => numerics.close());

const numbers = (random: Random, length: number, most: number) =>
  Float64Array.from({ length }, () => random.uniform(-most, most));

describe('the kernel of blended shapes', () => {
  it.each([
    [1, 1, 1],
    [7, 2, 2],
    [40, 11, 1],
    [40, 12, 1e-5],
    [5, 3, 0],
  ])('gives what plain loops give: %i proxies, %i examples, logarithms to %d (seed 6)', (p, E, most) => {
    const random = new Random(6);
    const logs = numbers(random, 3 * p * E, most);
    const stretches = numbers(random, 6 * p * E, 0.3);
    const beta = numbers(random, E, 1);
    const plain = new ProxyBlend(p, E, logs, stretches);
    const scope = numerics.scope();
    const blend = new ShapeBlend(numerics, scope, p, E, logs, stretches);
    const { width } = blend;
    const [gradients, derivatives] = [scope.f64(3 * p * 4), scope.f64(9 * p * width)];
    blend.gradients(beta, gradients, 4);
    blend.derivatives(beta, derivatives, 3 * width);
    const expected = new Float64Array(12 * p);
    plain.fill(beta, false, expected, 4, 1);
    expected.forEach((value, k) => {
      expect(Math.abs(gradients.view[k] - value)).toBeLessThan(1e-13);
    });
    const all = new Float64Array(9 * p * width);
    plain.fill(beta, true, all, 3 * width, width);
    all.forEach((value, k) => {
      expect(Math.abs(derivatives.view[k] - value)).toBeLessThan(1e-13);
    });
    scope.dispose();
  });

  it('refuses arrays of another size', () => {
    const scope = numerics.scope();
    expect(() => new ShapeBlend(numerics, scope, 2, 2, new Float64Array(9), new Float64Array(24))).toThrow(
      NumericError,
    );
    scope.dispose();
  });
});
