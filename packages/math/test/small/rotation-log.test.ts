import { describe, expect, it } from 'vitest';
import { Random, rotationExp, rotationLog, rotationLogNear } from '../../src/index.ts';
import { identity, largestDifference, orthogonalityError } from '../matrices.ts';
import { randomAxis } from './three.ts';

const TURN = 2 * Math.PI;

function exp(log: ArrayLike<number>): Float64Array {
  const out = new Float64Array(9);
  rotationExp(log, 0, out, 0);
  return out;
}

function log(r: ArrayLike<number>): Float64Array {
  const out = new Float64Array(3);
  rotationLog(r, 0, out, 0);
  return out;
}

function logNear(r: ArrayLike<number>, reference: ArrayLike<number>): Float64Array {
  const out = new Float64Array(3);
  rotationLogNear(r, 0, reference, 0, out, 0);
  return out;
}

describe('rotationExp and rotationLog', () => {
  it('take zero to the identity and back, exactly', () => {
    expect(largestDifference(exp([0, 0, 0]), identity(3))).toBe(0);
    expect([...log(identity(3))]).toEqual([0, 0, 0]);
  });

  it('turn counter-clockwise about the axis', () => {
    // A quarter turn about z: x goes to y.
    expect(largestDifference(exp([0, 0, Math.PI / 2]), [0, -1, 0, 1, 0, 0, 0, 0, 1])).toBeLessThan(1e-15);
    expect(largestDifference(log([0, -1, 0, 1, 0, 0, 0, 0, 1]), [0, 0, Math.PI / 2])).toBeLessThan(1e-15);
  });

  it.each([1e-300, 1e-12, 1e-8, 1e-4, 0.1, 1, 2, 3, Math.PI - 1e-4, Math.PI - 1e-8, Math.PI - 1e-12])(
    'are inverse at angle %f',
    (angle) => {
      const random = new Random(31);
      for (let round = 0; round < 200; round++) {
        const omega = randomAxis(random).map((x) => x * angle);
        const r = exp(omega);
        expect(orthogonalityError(r, 3, 3)).toBeLessThan(2e-15);
        expect(largestDifference(log(r), omega)).toBeLessThan(3e-15 * Math.max(angle, 1e-300));
      }
    },
  );

  it('find an axis at half a turn', () => {
    const random = new Random(32);
    for (let round = 0; round < 200; round++) {
      const axis = randomAxis(random);
      const r = exp(axis.map((x) => x * Math.PI));
      const omega = log(r);
      expect(Math.hypot(...omega)).toBeCloseTo(Math.PI, 14);
      expect(largestDifference(exp(omega), r)).toBeLessThan(3e-15);
    }
    expect(Math.abs(log([1, 0, 0, 0, -1, 0, 0, 0, -1])[0])).toBe(Math.PI);
  });
});

describe('rotationLogNear', () => {
  it('is the principal logarithm near zero', () => {
    const random = new Random(33);
    for (let round = 0; round < 100; round++) {
      const r = exp(randomAxis(random).map((x) => x * random.uniform(0, 3)));
      expect(logNear(r, [0, 0, 0])).toEqual(log(r));
    }
  });

  it.each([-7, -4, -1, 0, 2, 5, 20])('recovers an angle of %f + 0.3 from a reference close by', (angle) => {
    const random = new Random(34);
    for (let round = 0; round < 100; round++) {
      const axis = randomAxis(random);
      const omega = axis.map((x) => x * (angle + 0.3));
      const reference = omega.map((x) => x + random.uniform(-0.3, 0.3));
      expect(largestDifference(logNear(exp(omega), reference), omega)).toBeLessThan(2e-13);
    }
  });

  it('is nearer than every other branch', () => {
    const random = new Random(35);
    for (let round = 0; round < 300; round++) {
      const axis = randomAxis(random);
      const angle = random.uniform(0.01, Math.PI);
      const reference = randomAxis(random).map((x) => x * random.uniform(0, 25));
      const chosen = logNear(exp(axis.map((x) => x * angle)), reference);
      const distance = (omega: ArrayLike<number>) =>
        Math.hypot(omega[0] - reference[0], omega[1] - reference[1], omega[2] - reference[2]);
      for (let k = -6; k <= 6; k++) {
        const other = axis.map((x) => x * (angle + k * TURN));
        expect(distance(chosen)).toBeLessThanOrEqual(distance(other) + 1e-12);
      }
    }
  });

  it('follows a spin through several turns without a jump, also over the identity', () => {
    const random = new Random(36);
    const axis = randomAxis(random);
    const current = new Float64Array(3);
    for (let step = 0; step <= 400; step++) {
      // Every 40th step is a whole turn.
      const angle = (step / 40) * TURN;
      rotationLogNear(exp(axis.map((x) => x * angle)), 0, current, 0, current, 0);
      expect(
        largestDifference(
          current,
          axis.map((x) => x * angle),
        ),
      ).toBeLessThan(1e-11);
    }
  });
});
