import { openNumerics } from '@pelt/math';
import { describe, expect, it } from 'vitest';
import { gatherTrajectory, projectFrames, type SolverSpace } from '../../src/shared/solver-space.ts';

describe('projectFrames', () => {
  // Sizes between which the kernels' memory, which starts small, grows at different steps.
  it.each([4, 40, 120, 250])(
    'gives coefficients and lengths, in kernels that were just opened (%i frames)',
    async (S) => {
      const n = 600;
      const rows = 3 * S;
      const frames = Float32Array.from({ length: S * n * 3 }, (_, k) => Math.sin(k));
      const centres = Array.from({ length: S }, (_, t) => [t, 0, -t] as const);
      const space: SolverSpace = { radius: 2, centre: [0, 0, 0], centres };
      // Two axes of the frames: coefficients are numbers of the trajectory itself.
      const basis = new Float64Array(2 * rows);
      [basis[1], basis[rows + rows - 1]] = [1, 1];
      const numerics = await openNumerics({ threads: 1 });
      const { coefficients, squaredNorms, residuals } = projectFrames(frames, space, basis, numerics);
      numerics.close();
      const own = new Float64Array(rows);
      for (let i = 0; i < n; i++) {
        gatherTrajectory(frames, space, i, own, 0);
        const all = own.reduce((sum, value) => sum + value * value, 0);
        const [a, b] = [own[1], own[rows - 1]];
        expect([...coefficients.subarray(2 * i, 2 * i + 2)]).toEqual([a, b]);
        expect(squaredNorms[i]).toBeCloseTo(all, 9);
        expect(residuals[i]).toBeCloseTo(all - a * a - b * b, 9);
      }
    },
  );

  it('does not depend on the vertices beside', async () => {
    const [S, n] = [30, 1100];
    const frames = Float32Array.from({ length: S * n * 3 }, (_, k) => Math.sin(k * k));
    const centres = Array.from({ length: S }, () => [0, 0, 0] as const);
    const space: SolverSpace = { radius: 1, centre: [0, 0, 0], centres };
    const basis = Float64Array.from({ length: 7 * 3 * S }, (_, k) => Math.cos(k));
    const numerics = await openNumerics({ threads: 1 });
    const whole = projectFrames(frames, space, basis, numerics);
    for (const [from, to] of [
      [0, 1],
      [5, 13],
      [511, 1100],
    ]) {
      const part = new Float32Array(S * (to - from) * 3);
      for (let t = 0; t < S; t++) {
        part.set(frames.subarray(3 * (t * n + from), 3 * (t * n + to)), 3 * t * (to - from));
      }
      const { coefficients } = projectFrames(part, space, basis, numerics);
      expect(coefficients).toEqual(whole.coefficients.slice(7 * from, 7 * to));
    }
    numerics.close();
  });
});
