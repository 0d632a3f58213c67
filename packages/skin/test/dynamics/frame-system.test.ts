import { expect, test } from 'vitest';
import { FrameSystem } from '../../src/dynamics/training/frame-system.ts';

/** Two proxies share six vertices; their arms are the vertices themselves. */
const P = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1);
const SKIN = {
  slots: 2,
  bones: Uint16Array.from({ length: 12 }, (_, k) => k % 2),
  weights: Float32Array.of(1, 0, 0.8, 0.2, 0.6, 0.4, 0.4, 0.6, 0.2, 0.8, 0, 1),
};
const STILL = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
const QUARTER = [0, -1, 0, 0.3, 1, 0, 0, 0, 0, 0, 1, 0.1];
const arm = (i: number, _d: number, c: number) => (c < 3 ? P[3 * i + c] : 1);
const RIDGE = 1e-3;

/** Positions where proxies with these transforms move by X about nothing. */
function shapeOf(T: readonly number[], X: readonly (readonly number[])[]): Float32Array {
  const out = new Float32Array(P.length);
  for (let i = 0; i < 6; i++) {
    for (let s = 0; s < 2; s++) {
      const w = SKIN.weights[2 * i + s];
      const q = [P[3 * i], P[3 * i + 1], P[3 * i + 2], 1];
      const moved = [0, 1, 2].map((c) => q[c] + q.reduce((sum, value, r) => sum + value * X[c][4 * s + r], 0));
      for (let r = 0; r < 3; r++) {
        const at = 12 * s + 4 * r;
        out[3 * i + r] += w * (T[at] * moved[0] + T[at + 1] * moved[1] + T[at + 2] * moved[2] + T[at + 3]);
      }
    }
  }
  return out;
}

/** Solves with steps that are scaled by a multiple of the identity. */
function solved(T: readonly number[], shape: Float32Array): Float64Array[] {
  const system = new FrameSystem(SKIN, Int32Array.of(0, 1, 2, 3, 4, 5), arm, RIDGE, 2);
  system.pose(Float64Array.from(T), P, shape, 0);
  const x = [0, 1, 2].map(() => new Float64Array(8));
  system.solve(() => {}, x);
  return x;
}

test('without a swing nothing moves, whatever the pose', () => {
  const still = [0, 1, 2].map(() => new Array(8).fill(0));
  for (const T of [
    [...STILL, ...STILL],
    [...STILL, ...QUARTER],
  ]) {
    const x = solved(T, shapeOf(T, still));
    for (const row of x) for (const value of row) expect(Math.abs(value)).toBeLessThan(1e-6);
  }
});

test('motions of proxies that are turned against each other explain the shape', () => {
  const T = [...STILL, ...QUARTER];
  const X = [
    [0.02, 0, 0, 0.1, 0, 0.03, 0, 0.05],
    [0, 0.01, 0, 0, 0, 0, 0, -0.1],
    [0, 0, 0, 0.05, 0.02, 0, 0, 0],
  ];
  const shape = shapeOf(T, X);
  const missed = (Y: readonly (readonly number[])[]) => {
    const other = shapeOf(T, Y);
    return Math.sqrt(shape.reduce((sum, value, k) => sum + (value - other[k]) ** 2, 0));
  };
  const found = solved(T, shape).map((row) => Array.from(row));
  const still = [0, 1, 2].map(() => new Array(8).fill(0));
  expect(missed(found)).toBeLessThan(0.05 * missed(still));
});
