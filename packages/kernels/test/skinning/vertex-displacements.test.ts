import { NumericError, openNumerics, Random } from '@pelt/math';
import { describe, expect, it } from 'vitest';
import { LinearBlend, VertexDisplacements } from '../../src/index.ts';

const numerics = await openNumerics();
const random = new Random(3);
const numbers = (length: number) => Float32Array.from({ length }, () => random.uniform(-1, 1));
const [n, m, L, R] = [37, 4, 3, 6];
const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

describe('vertex displacements', () => {
  it.each([
    [3, 'fractions'],
    [4, 'fractions'],
    [6, 'fractions'],
    [4, 'whole numbers of 8 bits'],
  ] as const)('equal the sum written out for %d weights and %s, and leave vertices without any alone', (K, kind) => {
    const rest = numbers(3 * n);
    const isWhole = kind !== 'fractions';
    const displacements = numbers(3 * n * R).map((value) => (isWhole ? Math.round(127 * value) : value));
    for (let r = 0; r < R; r++) displacements.fill(0, 3 * (r * n + 5), 3 * (r * n + 6));
    const given = {
      displacements,
      axes: Uint16Array.from({ length: n }, (_, i) => i % L),
      bones: Uint16Array.from({ length: n * K }, (_, k) => (k * 7) % m),
      weights: numbers(n * K),
    };
    const coefficients = Float64Array.from(numbers(m * R), (value) => (isWhole ? value / 127 : value));
    const rotations = Float64Array.from(numbers(9 * L));
    const blend = new LinearBlend(numerics, rest, new Uint16Array(n), new Float32Array(n).fill(1), 1);
    const displaced = new VertexDisplacements(numerics, given, { bones: m, rotations: L }, blend.output);
    blend.pose(Float64Array.from(identity));
    displaced.add(coefficients, rotations);
    const out = blend.output.view;
    for (let i = 0; i < n; i++) {
      const d = [0, 0, 0];
      for (let r = 0; r < R; r++) {
        let c = 0;
        for (let s = i * K; s < (i + 1) * K; s++) c += given.weights[s] * coefficients[given.bones[s] * R + r];
        for (let x = 0; x < 3; x++) d[x] += c * displacements[3 * (r * n + i) + x];
      }
      for (let x = 0; x < 3; x++) {
        const F = 9 * given.axes[i] + 3 * x;
        const moved = rotations[F] * d[0] + rotations[F + 1] * d[1] + rotations[F + 2] * d[2];
        // Six displacements of about 1, by up to six weights of about 1, each rounded to 15 bits.
        expect(Math.abs(out[3 * i + x] - rest[3 * i + x] - moved)).toBeLessThan(36 * 2 ** -15);
      }
    }
    expect(Array.from(out.subarray(15, 18))).toEqual(Array.from(rest.subarray(15, 18)));
    displaced.dispose();
    blend.dispose();
  });

  it('leave all vertices alone where every coefficient is zero', () => {
    const blend = new LinearBlend(numerics, numbers(3), Uint16Array.of(0), Float32Array.of(1), 1);
    const given = {
      displacements: Float32Array.of(1, 2, 3),
      axes: Uint16Array.of(0),
      bones: Uint16Array.of(0),
      weights: Float32Array.of(1),
    };
    const displaced = new VertexDisplacements(numerics, given, { bones: 1, rotations: 1 }, blend.output);
    const posed = Array.from(blend.pose(Float64Array.from(identity)));
    displaced.add(Float64Array.of(0), Float64Array.from([1, 0, 0, 0, 1, 0, 0, 0, 1]));
    expect(Array.from(blend.output.view)).toEqual(posed);
    displaced.dispose();
    blend.dispose();
  });

  it('take no vertices, and refuse indices that are not there', () => {
    const blend = new LinearBlend(numerics, new Float32Array(0), new Uint16Array(0), new Float32Array(0), 1);
    const none = {
      displacements: new Float32Array(0),
      axes: new Uint16Array(0),
      bones: new Uint16Array(0),
      weights: new Float32Array(0),
    };
    const displaced = new VertexDisplacements(numerics, none, { bones: 1, rotations: 0 }, blend.output);
    displaced.add(new Float64Array(0), new Float64Array(0));
    displaced.dispose();
    const wrong = {
      ...none,
      axes: Uint16Array.of(2),
      displacements: new Float32Array(3),
      bones: Uint16Array.of(0),
      weights: Float32Array.of(1),
    };
    const one = new LinearBlend(numerics, new Float32Array(3), Uint16Array.of(0), Float32Array.of(1), 1);
    expect(() => new VertexDisplacements(numerics, wrong, { bones: 1, rotations: 2 }, one.output)).toThrow(
      NumericError,
    );
    one.dispose();
    blend.dispose();
  });
});
