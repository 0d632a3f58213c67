import { UsageError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { eRmsLimit } from '../../src/input/error-limit.ts';

describe('eRmsLimit', () => {
  const rest = Float32Array.of(-2, 0, 0, 2, 0, 0, 0, 2, 0);

  it('takes growth, E_RMS and lengths', () => {
    expect(eRmsLimit('5%', rest, 2)).toBeCloseTo(2.1, 12);
    expect(eRmsLimit(1.5, rest, 2)).toBe(1.5);
    // A radius of 2 m: 2 mm are a thousandth of it in one direction of three.
    expect(eRmsLimit('2mm', rest)).toBeCloseTo(1 / Math.sqrt(3), 6);
    expect(eRmsLimit('2e0mm', rest)).toBeCloseTo(1 / Math.sqrt(3), 6);
    expect(eRmsLimit('1 cm', rest)).toBeCloseTo(5 / Math.sqrt(3), 6);
    expect(eRmsLimit('.01m', rest)).toBeCloseTo(5 / Math.sqrt(3), 6);
  });

  it('does not divide by a mesh without extent', () => {
    expect(eRmsLimit('1m', new Float32Array(9))).toBeCloseTo(1000 / Math.sqrt(3), 6);
  });

  it('refuses growth over nothing', () => {
    expect(() => eRmsLimit('5%', rest)).toThrow(UsageError);
  });
});
