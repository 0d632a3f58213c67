import { UsageError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { ErrorLimit } from '../../src/input/error-limit.ts';

const eRmsLimit = (...args: ConstructorParameters<typeof ErrorLimit>) => new ErrorLimit(...args).eRms;

describe('ErrorLimit', () => {
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

  it('answers in the unit that was typed, and says the size of the model', () => {
    const report = (limit: number | string) => new ErrorLimit(limit, rest, 2).report(4 / Math.sqrt(3));
    expect(report('2mm')).toEqual({ asked: '2mm', reached: '8.00mm', size: '4470mm' });
    expect(report('5%')).toMatchObject({ reached: '15.5%', size: '4.47m' });
    expect(report(1.5)).toMatchObject({ asked: '1.5', reached: '2.31' });
  });

  it('refuses a length beyond the model, with its size', () => {
    expect(() => eRmsLimit('1e-7mm', rest)).toThrow(
      /less than 32-bit numbers can tell apart in a model that is 4470mm in size/,
    );
    expect(new ErrorLimit('0.1mm', rest).caution).toMatch(/0.1mm is 0.0022 % of the model, which is 4470mm in size/);
    expect(new ErrorLimit('1cm', rest).caution).toBeUndefined();
    expect(() => eRmsLimit('5m', rest)).toThrow('--max-error 5m is more than the model, which is 4.47m in size');
  });

  it('is a share of the diagonal too', () => {
    expect(new ErrorLimit('1cm', rest).share).toBeCloseTo(0.01 / Math.sqrt(20), 9);
  });
});
