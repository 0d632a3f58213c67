import { describe, expect, it } from 'vitest';
import { implicitQlInPlace } from '../../src/dense/implicit-ql.ts';

/** Numbers from 0 to 1 by a linear congruence, the same on every engine. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

describe('implicitQlInPlace', () => {
  it('converges where entries span hundreds of orders of magnitude, as in the null space of a Gram matrix', () => {
    const random = generator(7);
    for (let k = 0; k < 200; k++) {
      const n = 40;
      const span = 330 * random();
      const entry = () => (random() - 0.5) * 10 ** (-span * random());
      const d = Float64Array.from({ length: n }, entry);
      const e = Float64Array.from({ length: n }, entry);
      const trace = d.reduce((sum, value) => sum + value, 0);
      let squares = 0;
      for (let i = 0; i < n; i++) squares += d[i] ** 2 + (i < n - 1 ? 2 * e[i] ** 2 : 0);
      implicitQlInPlace(d, e, new Float64Array(0), 0);
      // Similar matrices have the same trace and the same norm.
      const norm = Math.sqrt(squares);
      expect(Math.abs(d.reduce((sum, value) => sum + value, 0) - trace)).toBeLessThan(1e-12 * norm);
      expect(Math.sqrt(d.reduce((sum, value) => sum + value ** 2, 0))).toBeCloseTo(norm, 12);
    }
  });
});
