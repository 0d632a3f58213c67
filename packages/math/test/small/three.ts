/** Small 3 × 3 helpers for the tests of this folder, row-major. */
import { type Random, rotationExp } from '../../src/index.ts';
import { multiply } from '../matrices.ts';

export function diagonal(a: number, b: number, c: number): Float64Array {
  return Float64Array.of(a, 0, 0, 0, b, 0, 0, 0, c);
}

export function product(...factors: Float64Array[]): Float64Array {
  return factors.reduce((left, right) => multiply(left, right, 3, 3, 3));
}

export function determinant(m: ArrayLike<number>): number {
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
}

export function randomAxis(random: Random): [number, number, number] {
  const axis = [random.normal(), random.normal(), random.normal()];
  const length = Math.hypot(...axis);
  return [axis[0] / length, axis[1] / length, axis[2] / length];
}

/** A rotation about a random axis, by a random angle unless one is given. */
export function randomRotation(random: Random, angle = random.uniform(0, Math.PI)): Float64Array {
  const out = new Float64Array(9);
  rotationExp(
    randomAxis(random).map((x) => x * angle),
    0,
    out,
    0,
  );
  return out;
}
