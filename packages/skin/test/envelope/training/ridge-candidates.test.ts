import { Random } from '@pelt/math';
import { describe, expect, it } from 'vitest';
import { ridgeCandidates, ridgeOperator } from '../../../src/envelope/training/ridge-candidates.ts';

const S = 7;
const random = new Random(3);
/** Two blocks of three coordinates at seven poses; the third block never moves. */
const values = Array.from({ length: S }, () =>
  Float64Array.from({ length: 9 }, (_, k) => (k < 6 ? random.uniform() - 0.5 : 0)),
);

describe('ridge candidates', () => {
  it('solve the normal equations', () => {
    const features = Float64Array.from([1, 0, 0, 2]);
    expect(Array.from(ridgeOperator(features, 2, 0))).toEqual([1, 0, 0, 0.5]);
    expect(ridgeOperator(features, 2, 1)[0]).toBeCloseTo(0.5, 12);
  });

  it('know the error of a refit without each pose', () => {
    const target = Float64Array.from({ length: S }, () => random.uniform());
    const [, candidate] = ridgeCandidates([[0, 1]], values, [0.05]);
    let predicted = 0;
    for (let t = 0; t < S; t++) {
      for (let u = 0; u < S; u++) predicted += target[t] * candidate.leaveOneOut[t * S + u] * target[u];
    }
    let refitted = 0;
    for (let left = 0; left < S; left++) {
      const kept = values.filter((_, t) => t !== left);
      const features = Float64Array.from(kept.flatMap((row) => Array.from(row.subarray(0, 6))));
      const operator = ridgeOperator(features, S - 1, 0.05);
      let estimate = 0;
      for (let a = 0; a < 6; a++) {
        for (let t = 0, k = 0; t < S; t++) {
          if (t !== left) estimate += values[left][a] * operator[a * (S - 1) + k++] * target[t];
        }
      }
      refitted += (target[left] - estimate) ** 2;
    }
    expect(predicted).toBeCloseTo(refitted, 9);
  });

  it('leave out joints that never move, and keep the rigid one', () => {
    const candidates = ridgeCandidates([[2]], values, [0.1]);
    expect(candidates).toHaveLength(1);
    expect(candidates[0].blocks).toEqual([]);
  });
});
