import { ShapeBlend } from '@pelt/kernels';
import { NumericError, openNumerics, Random, rotationExp } from '@pelt/math';
import { afterAll, describe, expect, it } from 'vitest';
import { expAndJacobian, ProxyBlend } from '../../../src/pose/runtime/proxy-blend.ts';
import { buildPoser } from '../../../src/pose/training/build-poser.ts';
import { creatureExamples } from '../scenes.ts';

const numerics = await openNumerics();
afterAll(() => numerics.close());

const numbers = (random: Random, length: number, most: number) =>
  Float64Array.from({ length }, () => random.uniform(-most, most));

describe('the blend of examples', () => {
  it('has the Jacobian of the exponential map', () => {
    const [r, j, plus, minus] = [new Float64Array(9), new Float64Array(9), new Float64Array(9), new Float64Array(9)];
    for (const w of [
      [0, 0, 0],
      [1e-6, 0, 2e-6],
      [0.3, -0.8, 0.2],
      [3, 4, -1],
    ]) {
      expAndJacobian(w[0], w[1], w[2], r, j);
      const exact = new Float64Array(9);
      rotationExp(w, 0, exact, 0);
      for (let k = 0; k < 9; k++) expect(r[k]).toBeCloseTo(exact[k], 12);
      for (let axis = 0; axis < 3; axis++) {
        const step = 1e-6;
        rotationExp(
          w.map((value, k) => value + (k === axis ? step : 0)),
          0,
          plus,
          0,
        );
        rotationExp(
          w.map((value, k) => value - (k === axis ? step : 0)),
          0,
          minus,
          0,
        );
        // dR Rᵀ is the cross-product matrix of J's column.
        const turn = (row: number, column: number) => {
          let sum = 0;
          for (let k = 0; k < 3; k++)
            sum += ((plus[3 * row + k] - minus[3 * row + k]) / (2 * step)) * r[3 * column + k];
          return sum;
        };
        expect(turn(2, 1)).toBeCloseTo(j[axis], 8);
        expect(turn(0, 2)).toBeCloseTo(j[3 + axis], 8);
        expect(turn(1, 0)).toBeCloseTo(j[6 + axis], 8);
      }
    }
  });

  it('has derivatives that finite differences confirm', () => {
    const { rig, clip } = creatureExamples(3);
    const E = clip.times.length;
    const poser = buildPoser({ rig, clip }, { proxies: 30, consecutive: true });
    const blender = new ProxyBlend(30, E, poser.exampleLogs, poser.exampleStretches);
    const width = E + 1;
    const stride = 3 * width;
    const [full, plus, minus] = [stride, 3, 3].map((columns) => new Float64Array(90 * columns));
    const beta = Float64Array.from({ length: E }, (_, e) => 0.3 * Math.sin(e + 1));
    blender.fill(beta, true, full, stride, width);
    for (let e = 0; e < E; e++) {
      const step = 1e-6;
      blender.fill(
        beta.map((value, k) => value + (k === e ? step : 0)),
        false,
        plus,
        3,
        1,
      );
      blender.fill(
        beta.map((value, k) => value - (k === e ? step : 0)),
        false,
        minus,
        3,
        1,
      );
      for (let row = 0; row < 90; row++) {
        for (let r = 0; r < 3; r++) {
          const slope = (plus[3 * row + r] - minus[3 * row + r]) / (2 * step);
          expect(Math.abs(full[row * stride + r * width + e + 1] - slope)).toBeLessThan(1e-7);
        }
      }
    }
  });
});

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
