import { describe, expect, it } from 'vitest';
import { InputError, UsageError } from '../../src/errors.ts';
import type { Mesh } from '../../src/mesh.ts';
import { SequenceErrorMeter, type SequenceErrors } from '../../src/metrics/sequence-errors.ts';

/** A square of side 2 in the plane z = 0 about the origin: enclosing radius √2, box diagonal 2√2. */
const square: Mesh = {
  name: 'square',
  positions: new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]),
  triangles: new Uint32Array([0, 1, 2, 0, 2, 3]),
};

function measure(rest: Mesh, pairs: readonly (readonly [Float32Array, Float32Array])[]): SequenceErrors {
  const meter = new SequenceErrorMeter(rest, pairs.length);
  for (const [truth, approximation] of pairs) meter.addFrame(truth, approximation);
  return meter.result();
}

const shifted = (positions: Float32Array, x: number, y: number, z: number) =>
  positions.map((value, k) => value + [x, y, z][k % 3]);

describe('SequenceErrorMeter', () => {
  it('is exactly zero between equal animations', () => {
    const moved = shifted(square.positions, 3, 1, 2);
    expect(
      measure(square, [
        [square.positions, square.positions],
        [moved, moved],
      ]),
    ).toEqual({
      eRms: 0,
      rmsePercent: 0,
      distortionPercent: 0,
      max: 0,
      p999: 0,
      normalAngleDegrees: 0,
    });
  });

  it('measures a shift by hand', () => {
    // every vertex of one of two frames is off by 0.3: E = 4 · 0.09, n = 4, S = 2
    const pairs = [
      [square.positions, square.positions],
      [square.positions, shifted(square.positions, 0, 0, 0.3)],
    ] as const;
    const errors = measure(square, pairs);
    expect(errors.eRms).toBeCloseTo((1000 * Math.sqrt(0.36 / 24)) / Math.SQRT2, 3);
    expect(errors.rmsePercent).toBeCloseTo((100 * Math.sqrt(0.36 / 8)) / (2 * Math.SQRT2), 5);
    // each frame spreads by Σ‖v − c‖² = 4 · 2
    expect(errors.distortionPercent).toBeCloseTo(100 * Math.sqrt(0.36 / 16), 5);
    expect(errors.max).toBeCloseTo(0.3, 6);
    expect(errors.p999).toBeCloseTo(0.3, 6);
    expect(errors.normalAngleDegrees).toBe(0);
  });

  it('measures distortion about the centroid of the true frame, wherever that frame is', () => {
    const far = shifted(square.positions, 50, -20, 10);
    const errors = measure(square, [[far, shifted(far, 0.5, 0, 0)]]);
    expect(errors.distortionPercent).toBeCloseTo(100 * Math.sqrt((4 * 0.25) / 8), 4);
  });

  it('averages the angle of the normals over vertices and frames', () => {
    // the second frame is turned by 90° about x, the first is right: the mean is 45°
    const turned = new Float32Array([-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1]);
    const errors = measure(square, [
      [square.positions, square.positions],
      [square.positions, turned],
    ]);
    expect(errors.normalAngleDegrees).toBeCloseTo(45, 6);
    // a mirror image faces the other way
    const flipped = square.positions.map((value, k) => (k % 3 === 0 ? -value : value));
    expect(measure(square, [[square.positions, flipped]]).normalAngleDegrees).toBeCloseTo(180, 6);
  });

  it('separates the maximum from the 99.9th percentile', () => {
    // 2000 points with errors 1 … 2000 thousandths: two may lie above the percentile
    const n = 2000;
    const rest: Mesh = {
      name: '',
      positions: Float32Array.from({ length: 3 * n }, (_, k) => k % 7),
      triangles: new Uint32Array(),
    };
    const zero = new Float32Array(3 * n);
    const off = zero.map((_, k) => (k % 3 === 0 ? (k / 3 + 1) / 1000 : 0));
    const errors = measure(rest, [[zero, off]]);
    expect(errors.max).toBeCloseTo(2, 6);
    expect(errors.p999).toBeCloseTo(1.998, 6);
  });

  it.each([1e6, 1e-6])('does not depend on the unit (×%d), nor does a rigid motion of both change it', (scale) => {
    const wobble = square.positions.map((value, k) => value + 0.1 * Math.sin(3 * k));
    const plain = measure(square, [[square.positions, wobble]]);
    const times = (positions: Float32Array) => positions.map((value) => value * scale);
    const scaled = measure({ ...square, positions: times(square.positions) }, [
      [times(square.positions), times(wobble)],
    ]);
    for (const key of ['eRms', 'rmsePercent', 'distortionPercent', 'normalAngleDegrees'] as const) {
      expect(scaled[key] / plain[key]).toBeCloseTo(1, 5);
    }
    expect(scaled.max / (plain.max * scale)).toBeCloseTo(1, 5);
    expect(scaled.p999 / (plain.p999 * scale)).toBeCloseTo(1, 5);

    // quarter turn about z and a shift
    const turned = (p: Float32Array) =>
      shifted(
        p.map((_, k) => [-p[k + 1], p[k - 1], p[k]][k % 3]),
        4,
        5,
        6,
      );
    const moved = measure(square, [[turned(square.positions), turned(wobble)]]);
    for (const key of Object.keys(plain) as (keyof SequenceErrors)[]) expect(moved[key] / plain[key]).toBeCloseTo(1, 5);
  });

  it('stays finite without size, without triangles, without vertices', () => {
    const point: Mesh = { name: '', positions: new Float32Array(3), triangles: new Uint32Array() };
    const errors = measure(point, [[point.positions, new Float32Array([0, 0, 2])]]);
    expect(errors.eRms).toBeCloseTo(1000 * Math.sqrt(4 / 3), 6);
    expect(errors.rmsePercent).toBe(200);
    expect(errors.distortionPercent).toBe(200);
    expect(errors.normalAngleDegrees).toBe(0);
    const nothing: Mesh = { name: '', positions: new Float32Array(), triangles: new Uint32Array() };
    for (const value of Object.values(measure(nothing, [[nothing.positions, nothing.positions]])))
      expect(value).toBe(0);
  });

  it('leaves vertices without a normal out of the angle', () => {
    // the fourth vertex belongs to a triangle without area only
    const rest: Mesh = { ...square, triangles: new Uint32Array([0, 1, 2, 3, 3, 3]) };
    const turned = new Float32Array([-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1]);
    expect(measure(rest, [[square.positions, turned]]).normalAngleDegrees).toBeCloseTo(90, 6);
  });

  it('refuses frames of another size, too many frames and too few', () => {
    const meter = new SequenceErrorMeter(square, 1);
    expect(() => meter.result()).toThrow(UsageError);
    expect(() => meter.addFrame(square.positions, new Float32Array(9))).toThrow(InputError);
    meter.addFrame(square.positions, square.positions);
    expect(() => meter.addFrame(square.positions, square.positions)).toThrow('more than the 1 frames announced');
    expect(meter.result().eRms).toBe(0);
  });
});
