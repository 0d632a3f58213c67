import type { PeltMesh } from '@pelt/three';
import { expect, test } from 'vitest';
import { Swinging, type SwingTuning } from '../../src/viewport/swinging.ts';

/** A mesh that notes what it is asked for. */
function meshOf(swings: boolean) {
  const steps: number[] = [];
  const tunings: SwingTuning[] = [];
  const mesh = {
    skeleton: { swing: swings ? {} : undefined },
    advance: (seconds: number) => steps.push(seconds),
    tuneSwing: (tuning: SwingTuning) => tunings.push(tuning),
  };
  return { mesh: mesh as unknown as PeltMesh, steps, tunings };
}

test('swings from a turn on until it has come to rest', () => {
  const { mesh, steps } = meshOf(true);
  let now = 100;
  const swinging = new Swinging([mesh], () => now);
  expect(swinging.advance()).toBe(false);
  swinging.wake();
  expect(swinging.advance()).toBe(true);
  now += 0.02;
  expect(swinging.advance()).toBe(true);
  now += 60;
  expect(swinging.advance()).toBe(false);
  // No time has passed for the swing while nothing was drawn.
  swinging.wake();
  expect(swinging.advance()).toBe(true);
  expect(steps.length).toBe(3);
  expect(steps[1]).toBeCloseTo(0.02, 9);
  expect(Math.max(...steps)).toBeLessThan(0.1);
});

test('a new tuning is seen at once', () => {
  const { mesh, tunings } = meshOf(true);
  const swinging = new Swinging([mesh], () => 5);
  swinging.tune({ stiffness: 2, damping: 1, gain: 0.5 });
  expect(tunings).toEqual([{ stiffness: 2, damping: 1, gain: 0.5 }]);
  expect(swinging.advance()).toBe(true);
});

test('what does not swing is left alone', () => {
  const { mesh, steps } = meshOf(false);
  const swinging = new Swinging([mesh], () => 5);
  swinging.wake();
  expect(swinging.swings).toBe(false);
  expect(swinging.advance()).toBe(false);
  expect(steps).toEqual([]);
});
