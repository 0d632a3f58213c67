import { properRotation, Random } from '@pelt/math';
import { type MeshSequence, uniformTimes } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { RigidMoments } from '../../../src/decompose/sma/rigid-moments.ts';
import { movingBoxes } from '../moving-boxes.ts';

/** Points without triangles, at random at rest and in every frame. */
function cloud(n: number, S: number, offset = 0): MeshSequence {
  const random = new Random(9);
  const numbers = (count: number) => Float32Array.from({ length: count }, () => offset + random.uniform(-1, 1));
  const rest = { name: 'cloud', positions: numbers(3 * n), triangles: new Uint32Array(0) };
  return { name: 'cloud', rest, frames: numbers(3 * n * S), times: uniformTimes(S, 24) };
}

/** The residual vertex by vertex, each frame moved by its best rigid motion. */
function plainResidual({ rest, frames, times }: MeshSequence, vertices: readonly number[]): number {
  const size = rest.positions.length;
  const mean = (values: Float32Array) =>
    [0, 1, 2].map((c) => vertices.reduce((sum, i) => sum + values[3 * i + c], 0) / vertices.length);
  let total = 0;
  for (let t = 0; t < times.length; t++) {
    const frame = frames.subarray(t * size, (t + 1) * size);
    const [p, q] = [mean(rest.positions), mean(frame)];
    const H = new Float64Array(9);
    for (const i of vertices) {
      for (let k = 0; k < 9; k++) {
        const [a, b] = [Math.floor(k / 3), k % 3];
        H[k] += (rest.positions[3 * i + a] - p[a]) * (frame[3 * i + b] - q[b]);
      }
    }
    const R = new Float64Array(9);
    properRotation(H, 0, R, 0);
    for (const i of vertices) {
      for (let d = 0; d < 3; d++) {
        let x = q[d] - frame[3 * i + d];
        for (let c = 0; c < 3; c++) x += R[3 * d + c] * (rest.positions[3 * i + c] - p[c]);
        total += x * x;
      }
    }
  }
  return total;
}

describe('RigidMoments', () => {
  const all = (sequence: MeshSequence) => Array.from({ length: sequence.rest.positions.length / 3 }, (_, i) => i);

  it('leaves nothing of a rigid motion', () => {
    const sequence = movingBoxes(5, [(t) => ({ turn: 0.7 * t, move: [t, 2, -t] })]);
    const moments = RigidMoments.of(sequence, all(sequence));
    expect(moments.residual()).toBeLessThan(1e-10 * moments.spread * 5);
  });

  it('agrees with the sum over vertices', () => {
    const sequence = cloud(12, 4);
    expect(RigidMoments.of(sequence, [1, 4, 5, 9, 11]).residual()).toBeCloseTo(
      plainResidual(sequence, [1, 4, 5, 9, 11]),
      9,
    );
  });

  it('adds up to the moments of the union', () => {
    const sequence = cloud(12, 3);
    const union = RigidMoments.of(sequence, [0, 2, 4]).union(RigidMoments.of(sequence, [1, 3]));
    const whole = RigidMoments.of(sequence, [0, 1, 2, 3, 4]);
    expect(union.count).toBe(5);
    expect(union.residual()).toBeCloseTo(whole.residual(), 9);
    expect(union.spread).toBeCloseTo(whole.spread, 9);
  });

  it('loses no digits far from the origin', () => {
    const sequence = cloud(20, 2, 4096);
    const vertices = all(sequence);
    const residual = RigidMoments.of(sequence, vertices).residual();
    expect(residual / plainResidual(sequence, vertices)).toBeCloseTo(1, 6);
  });

  it('takes a single vertex, which always moves rigidly', () => {
    const moments = RigidMoments.of(cloud(3, 2), [1]);
    expect(moments.residual()).toBeCloseTo(0, 12);
    expect(moments.spread).toBeCloseTo(0, 12);
  });
});
