import { describe, expect, it } from 'vitest';
import { acos, asin, atan2 } from '../../src/elementary/arcs.ts';
import { cbrt, exp, exponentAbove, exponentOf, log } from '../../src/elementary/exponential.ts';
import { cos, sin, tan } from '../../src/elementary/trigonometric.ts';
import { Random } from '../../src/random.ts';

/** Units in the last place of `Math`'s own answer, which has one such error itself. */
const ULPS = 2;

function ulpsApart(a: number, b: number): number {
  if (Object.is(a, b) || (Number.isNaN(a) && Number.isNaN(b))) return 0;
  const unit = 2 ** Math.max(Math.floor(Math.log2(Math.abs(b))) - 52, -1074);
  return Math.abs(a - b) / unit;
}

const random = new Random(3);
const within = (size: number, count = 20_000) => Array.from({ length: count }, () => size * (2 * random.uniform() - 1));

describe('elementary functions', () => {
  it.each([
    ['sin', sin, [...within(1), ...within(100), ...within(1e6)]],
    ['cos', cos, [...within(1), ...within(100), ...within(1e6)]],
    ['asin', asin, [...within(1), ...within(1e-6), 1, -1]],
    ['acos', acos, [...within(1), ...within(1e-6), 1, -1]],
    ['exp', exp, [...within(1), ...within(700), -744, 709]],
    ['log', log, [...within(1).map(Math.abs), ...within(700).map(Math.exp), 1 + 2 ** -52, 1 - 2 ** -53, 5e-324]],
    ['cbrt', cbrt, [...within(1), ...within(1e12), 1e-300, 27, -8]],
  ] as const)('%s is that of Math to the last bits', (name, own, values) => {
    const worst = values.reduce((most, x) => Math.max(most, ulpsApart(own(x), Math[name](x))), 0);
    expect(worst).toBeLessThanOrEqual(ULPS);
  });

  it('atan2 is that of Math in every quadrant, and on the axes', () => {
    const values = [...within(1, 200), ...within(1e-9, 50), 0, -0, 1, -1, Infinity, -Infinity, 5e-324, 1e300, NaN];
    const apart = values.flatMap((y) => values.map((x) => ulpsApart(atan2(y, x), Math.atan2(y, x))));
    expect(apart.every((ulps) => ulps <= ULPS)).toBe(true);
  });

  it('keeps what is exact', () => {
    expect([sin(0), cos(0), tan(0), exp(0), log(1), cbrt(8), cbrt(-27), acos(1), asin(0)]).toEqual([
      0, 1, 0, 1, 0, 2, -3, 0, 0,
    ]);
    expect([asin(1), acos(0), acos(-1), atan2(0, -1), atan2(-0, -1)]).toEqual([
      Math.PI / 2,
      Math.PI / 2,
      Math.PI,
      Math.PI,
      -Math.PI,
    ]);
    for (const x of [0.3, 1, 2, 5]) {
      expect(sin(-x)).toBe(-sin(x));
      expect(cos(-x)).toBe(cos(x));
    }
  });

  it('ends where numbers do', () => {
    expect([exp(710), exp(-746), exp(Infinity), exp(-Infinity)]).toEqual([Infinity, 0, Infinity, 0]);
    expect([log(0), log(-0), log(Infinity)]).toEqual([-Infinity, -Infinity, Infinity]);
    for (const none of [log(-1), sin(Infinity), cos(NaN), asin(1.1), acos(-1.1), exp(NaN), log(NaN), cbrt(NaN)]) {
      expect(none).toBeNaN();
    }
    expect(cbrt(-Infinity)).toBe(-Infinity);
    expect(Math.abs(sin(1e22))).toBeLessThanOrEqual(1);
  });

  it('finds exponents exactly', () => {
    for (let k = -1074; k < 1024; k++) {
      const power = 2 ** k;
      expect(exponentOf(power)).toBe(k);
      expect(exponentAbove(power)).toBe(k);
      if (k > -1000 && k < 1000) expect(exponentAbove(power * (1 + 2 ** -52))).toBe(k + 1);
      if (k > -1022) expect(exponentOf(-power * (1 - 2 ** -53))).toBe(k - 1);
      if (k > -1020) expect(exponentOf(power * (2 - 2 ** -52))).toBe(k);
    }
    expect([exponentOf(0), exponentOf(-Infinity)]).toEqual([-Infinity, Infinity]);
    expect(exponentOf(NaN)).toBeNaN();
  });
});
