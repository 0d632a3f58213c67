import { Random } from '@pelt/math';
import { describe, expect, it } from 'vitest';
import { JointFilter } from '../../../src/puppet/runtime/one-euro.ts';

/** Runs one joint along x(t) at a rate; the smoothed x. */
function run(
  x: (t: number) => number,
  options: { delay: number; speedCoefficient: number },
  rate = 60,
  unit = 1,
): number[] {
  const filter = new JointFilter(Int32Array.of(0), options);
  return Array.from({ length: 4 * rate }, (_, k) => {
    filter.update(Float64Array.of(x(k / rate), 0, 0), undefined, k / rate, unit);
    return filter.positions[0];
  });
}

describe('JointFilter', () => {
  it('keeps a still joint exactly, and every joint with a delay of 0', () => {
    expect(new Set(run(() => 3, { delay: 0.1, speedCoefficient: 1 }))).toEqual(new Set([3]));
    const random = new Random(1);
    const noise = Array.from({ length: 240 }, () => random.normal());
    expect(run((t) => noise[Math.round(t * 60)], { delay: 0, speedCoefficient: 0 })).toEqual(noise);
  });

  it('follows a steady motion late by no more than the delay, and less the quicker it is', () => {
    for (const speed of [0.01, 0.3, 2]) {
      const lag = (speedCoefficient: number) =>
        4 - 1 / 60 - (run((t) => speed * t, { delay: 0.1, speedCoefficient }).at(-1) as number) / speed;
      expect(lag(0)).toBeCloseTo(0.1, 3);
      expect(lag(8)).toBeLessThan(0.1);
      expect(lag(8)).toBeCloseTo(1 / (1 / 0.1 + 2 * Math.PI * 8 * speed), 3);
    }
  });

  it('steadies what shakes', () => {
    const random = new Random(2);
    const shake = Array.from({ length: 240 }, () => 0.005 * random.normal());
    const smooth = run((t) => shake[Math.round(t * 60)], { delay: 0.1, speedCoefficient: 2 }).slice(60);
    const spread = (values: number[]) =>
      Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
    expect(spread(smooth)).toBeLessThan(0.5 * spread(shake));
  });

  it('does not depend on the unit, and hardly on the frame rate', () => {
    const wave = (t: number) => Math.sin(5 * t);
    const metres = run(wave, { delay: 0.1, speedCoefficient: 2 });
    const large = run((t) => 1e6 * wave(t), { delay: 0.1, speedCoefficient: 2 }, 60, 1e6);
    large.forEach((value, k) => {
      expect(value / 1e6).toBeCloseTo(metres[k], 9);
    });
    const often = run(wave, { delay: 0.1, speedCoefficient: 2 }, 240);
    for (let k = 60; k < 240; k += 7) expect(Math.abs(often[4 * k] - metres[k])).toBeLessThan(0.03);
  });

  it('holds a joint that is lost or not finite, and starts anew after a reset', () => {
    const filter = new JointFilter(Int32Array.of(1, 0), { delay: 0.1, speedCoefficient: 0 });
    filter.update(Float32Array.of(7, 7, 7, 1, 2, 3), Float32Array.of(0.1, 1), 0, 1);
    expect([...filter.seen]).toEqual([1, 0]);
    expect([...filter.lost]).toEqual([0, 1]);
    expect([...filter.positions]).toEqual([1, 2, 3, 0, 0, 0]);
    filter.update(Float32Array.of(7, 7, 7, Number.NaN, 2, 3), undefined, 1, 1);
    expect([...filter.lost]).toEqual([1, 0]);
    expect([...filter.positions]).toEqual([1, 2, 3, 7, 7, 7]);
    filter.reset();
    filter.update(Float32Array.of(0, 0, 0, 9, 9, 9), undefined, 1.1, 1);
    expect([...filter.positions.subarray(0, 3)]).toEqual([9, 9, 9]);
  });

  it('moves lost joints with the trunk, and says when they return', () => {
    // A joint of the trunk, and a hand.
    const filter = new JointFilter(Int32Array.of(0, 1), { delay: 0, speedCoefficient: 0 }, Uint8Array.of(1, 0));
    const both = new Float32Array([1, 1]);
    const alone = new Float32Array([1, 0]);
    filter.update(Float64Array.of(0, 0, 0, 1, 0, 0), both, 0, 1);
    filter.update(Float64Array.of(2, 0, 0, 9, 9, 9), alone, 1, 1);
    expect([...filter.positions]).toEqual([2, 0, 0, 3, 0, 0]);
    expect(filter.returned).toBe(false);
    filter.update(Float64Array.of(3, 0, 0, 5, 0, 0), both, 2, 1);
    expect([...filter.positions]).toEqual([3, 0, 0, 5, 0, 0]);
    expect(filter.returned).toBe(true);
    filter.update(Float64Array.of(3, 0, 0, 5, 0, 0), both, 3, 1);
    expect(filter.returned).toBe(false);
  });
});
