import { openNumerics, Random } from '@pelt/math';
import { afterAll, describe, expect, it } from 'vitest';
import { TurnedForces } from '../../src/index.ts';

const numerics = await openNumerics();
afterAll(() => numerics.close());

function largest(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = 0;
  for (let k = 0; k < b.length; k++) most = Math.max(most, Math.abs(a[k] - b[k]));
  return most;
}

describe.each([
  [1, 2, [[0]]],
  [3, 4, [[0, 2], [], [1, 2, 5]]],
  [
    12,
    14,
    [
      [3, 4, 5, 0],
      [1, 2],
    ],
  ],
])('forces of %i examples in runs of %i, against plain loops (seed 4)', (E, width, regions) => {
  const random = new Random(4);
  const N = 6;
  const beta = Float64Array.from({ length: E }, () => random.uniform(-1, 1));
  const [turns, axes] = [9, 3 * E].map((size) =>
    regions.map(() => Float64Array.from({ length: size }, () => random.uniform(-1, 1))),
  );
  const forces = regions.map((rows) =>
    rows.map(() => Float64Array.from({ length: 3 * E }, () => random.uniform(-1, 1))),
  );
  /** R times column e of a row, or times the blend. */
  const turned = (c: number, row: number, r: number, share: (e: number) => number) => {
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      for (let e = 0; e < E; e++) sum += turns[c][3 * r + k] * share(e) * forces[c][row][k * E + e];
    }
    return sum;
  };

  function filled() {
    const scope = numerics.scope();
    const all = new TurnedForces(numerics, scope, regions, E);
    all.beta.view.set(beta, 1);
    let at = 0;
    regions.forEach((rows, c) => {
      all.turns.view.set(turns[c], 9 * c);
      for (let r = 0; r < 3; r++) all.axes.view.set(axes[c].subarray(r * E, (r + 1) * E), (3 * c + r) * width + 1);
      for (let row = 0; row < rows.length; row++) {
        for (let r = 0; r < 3; r++) {
          all.forces.view.set(forces[c][row].subarray(r * E, (r + 1) * E), at + r * width + 1);
        }
        at += 3 * width;
      }
    });
    return { scope, all };
  }

  it('adds what it should', () => {
    const { scope, all } = filled();
    const expected = new Float64Array(4 * N).fill(2);
    regions.forEach((rows, c) => {
      rows.forEach((to, row) => {
        for (let r = 0; r < 3; r++) expected[4 * to + r] += turned(c, row, r, (e) => beta[e]);
      });
    });
    const out = scope.f64(4 * N);
    out.view.fill(2);
    all.add(out, 4);
    expect(largest(out.view, expected)).toBeLessThan(1e-13);
    scope.dispose();
  });

  it('and its derivatives', () => {
    const { scope, all } = filled();
    const stride = 3 * width;
    const expected = new Float64Array(stride * N).fill(2);
    regions.forEach((rows, c) => {
      rows.forEach((to, row) => {
        const blend = [0, 1, 2].map((r) => turned(c, row, r, (e) => beta[e]));
        for (let e = 0; e < E; e++) {
          const [a, b] = [axes[c][e], axes[c][E + e]];
          const z = axes[c][2 * E + e];
          const cross = [b * blend[2] - z * blend[1], z * blend[0] - a * blend[2], a * blend[1] - b * blend[0]];
          for (let r = 0; r < 3; r++) {
            expected[stride * to + r * width + e + 1] += cross[r] + turned(c, row, r, (f) => (f === e ? 1 : 0));
          }
        }
      });
    });
    const out = scope.f64(stride * N);
    out.view.fill(2);
    all.addDerivatives(out, stride);
    expect(largest(out.view, expected)).toBeLessThan(1e-13);
    scope.dispose();
  });
});
