import { describe, expect, test } from 'vitest';
import { kneeFactor } from '../../src/dynamics/runtime/knee.ts';
import { advance, decayOf } from '../../src/dynamics/runtime/resonator.ts';

/** s and ṡ/Ω after a ramp from `a` to `b` over one second, in steps of dt. */
function ramped(omega: number, zeta: number, dt: number, a: number, b: number): Float64Array {
  const state = new Float64Array([0.3, -0.2]);
  const decay = new Float64Array(4);
  decayOf(omega, zeta, dt, decay, 0);
  const steps = Math.round(1 / dt);
  for (let k = 0; k < steps; k++) {
    advance(state, 0, decay, 0, omega, zeta, dt, a + ((b - a) * k) / steps, a + ((b - a) * (k + 1)) / steps);
  }
  return state;
}

describe('resonators', () => {
  test('at rest under a constant input', () => {
    const state = new Float64Array([2, 0]);
    const decay = new Float64Array(4);
    decayOf(10, 0.1, 0.05, decay, 0);
    advance(state, 0, decay, 0, 10, 0.1, 0.05, 2, 2);
    expect(Array.from(state)).toEqual([2, 0]);
  });

  test('a ramp in one step is that in a hundred', () => {
    const [coarse, fine] = [ramped(12, 0.2, 1, -1, 3), ramped(12, 0.2, 0.01, -1, 3)];
    for (let k = 0; k < 2; k++) expect(coarse[k]).toBeCloseTo(fine[k], 10);
  });

  test('agrees with small explicit steps', () => {
    const [omega, zeta, h] = [9, 0.15, 1e-5];
    let [s, v] = [0.3, -0.2 * omega];
    for (let k = 0; k < 1e5; k++) {
      v += h * (omega * omega * (-1 + 4 * k * h - s) - 2 * zeta * omega * v);
      s += h * v;
    }
    const exact = ramped(omega, zeta, 0.1, -1, 3);
    expect(exact[0]).toBeCloseTo(s, 3);
    expect(exact[1]).toBeCloseTo(v / omega, 3);
  });

  test('limits leave what was trained alone and end below 1.8 times of it', () => {
    expect(kneeFactor(1.2, 1)).toBe(1);
    expect(kneeFactor(0, 0)).toBe(1);
    expect(kneeFactor(1, 0)).toBe(0);
    let last = 1.2;
    for (let size = 1.3; size < 1e6; size *= 1.5) {
      const limited = size * kneeFactor(size, 1);
      expect(limited).toBeGreaterThan(last);
      expect(limited).toBeLessThan(1.8);
      last = limited;
    }
  });
});
