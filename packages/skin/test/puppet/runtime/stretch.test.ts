import { Random } from '@pelt/math';
import { describe, expect, it } from 'vitest';
import { StretchExponential } from '../../../src/puppet/runtime/stretch.ts';
import { expectClose } from '../expect-close.ts';

const exponential = new StretchExponential();
const identity = (): Float64Array => Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

function exp(log: number[], linear = identity()): Float64Array {
  exponential.composeInPlace(linear, Float64Array.from([9, ...log]), 1);
  return linear;
}

describe('StretchExponential', () => {
  it('keeps what it is given for 0', () => {
    const linear = Float64Array.from({ length: 9 }, (_, k) => k);
    expectClose(exp([0, 0, 0, 0, 0, 0], linear), [0, 1, 2, 3, 4, 5, 6, 7, 8], 0);
  });

  it('stretches along the axes', () => {
    expectClose(exp([Math.log(2), 0, 0, Math.log(0.5), 0, 0]), [2, 0, 0, 0, 0.5, 0, 0, 0, 1], 1e-14);
    expectClose(exp([Math.log(1e4), 0, 0, 0, 0, Math.log(1e-4)]), [1e4, 0, 0, 0, 1, 0, 0, 0, 1e-4], 1e-9);
  });

  it('is symmetric, positive, and undone by its negative', () => {
    const random = new Random(3);
    for (let round = 0; round < 50; round++) {
      const log = Array.from({ length: 6 }, () => 2 * random.normal());
      const stretch = exp(log);
      expectClose(
        [stretch[1], stretch[2], stretch[5]],
        [stretch[3], stretch[6], stretch[7]],
        1e-9 * Math.max(...stretch),
      );
      const trace = log[0] + log[3] + log[5];
      const [a, b, c, d, e, f, g, h, i] = stretch;
      const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
      expect(determinant / Math.exp(trace)).toBeCloseTo(1, 4);
      expectClose(
        exp(
          log.map((value) => -value),
          stretch,
        ),
        identity(),
        1e-6,
      );
    }
  });
});
